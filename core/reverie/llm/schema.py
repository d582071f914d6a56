"""What a model is told of the shape: as a JSON schema that strict endpoints take, and as words for the others."""

import json
from typing import Any

from reverie.llm.shapes import Shape

ITEMS = "items"
"""The key under which a list is asked for: strict endpoints want an object at the root."""

# Lengths are checked when the answer is read. Told to llama.cpp, a bound of thousands becomes a grammar that ends
# the whole server; others refuse them.
_DROPPED = frozenset(
    {"title", "default", "description", "minLength", "maxLength", "maxItems", "pattern", "format"}
)


def schema_of(shape: type[Shape], *, many: bool) -> dict[str, Any]:
    """The JSON schema of one object, or of an object with a list of them under ``items``."""
    made: dict[str, Any] = _strict(shape.model_json_schema())
    if not many:
        return made
    shared = made.pop("$defs", {})
    wrapped: dict[str, Any] = {
        "type": "object",
        "properties": {ITEMS: {"type": "array", "items": made}},
        "required": [ITEMS],
        "additionalProperties": False,
    }
    return {**wrapped, "$defs": shared} if shared else wrapped


def in_words(schema: dict[str, Any]) -> str:
    """The same for a model whose endpoint takes no schema: a paragraph to put after the question."""
    return (
        "Answer with one JSON object and nothing else: no explanation, no Markdown. It must match this JSON schema:\n"
        + json.dumps(schema, ensure_ascii=False)
    )


def _strict(node: Any) -> Any:
    """Each property required and no other allowed, as strict endpoints ask. The names of properties are kept."""
    if isinstance(node, list):
        return [_strict(each) for each in node]
    if not isinstance(node, dict):
        return node
    made = {
        key: {name: _strict(each) for name, each in value.items()}
        if key in ("properties", "$defs")
        else _strict(value)
        for key, value in node.items()
        if key not in _DROPPED
    }
    if made.get("type") == "object" and "properties" in made:
        made["required"] = list(made["properties"])
        made["additionalProperties"] = False
    return made
