"""A drawing gives the words in it, and runs nothing."""

from pathlib import Path

import pytest

from reverie.ingest.extractors import NoText, Unreadable, extract, kind_of

DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>Floor plan</title>
<script>fetch("https://example.org")</script><style>text { fill: red }</style>
<image href="https://example.org/spy.png"/><g><text x="1"><tspan>Old</tspan> <tspan>kitchen</tspan></text><text>Old kitchen</text></g></svg>"""


@pytest.mark.parametrize("name", ["a.svg", "a.txt"])
@pytest.mark.parametrize("before", ["", '<?xml version="1.0"?>\n<!-- made by hand -->\n'])
def test_texts_once_each(tmp_path: Path, name: str, before: str) -> None:
    (tmp_path / name).write_text(before + DRAWING, encoding="utf-8")
    assert kind_of(tmp_path / name) == "svg"
    read = extract(tmp_path / name)
    assert read.metadata == {"title": "Floor plan"}
    assert [part.text for part in read.parts] == ["Floor plan\nOld kitchen"]


def test_drawings_without_words_and_with_entities(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_text("<svg><path d='M 1 1'/></svg>", encoding="utf-8")
    with pytest.raises(NoText):
        extract(path)
    path.write_text('<!DOCTYPE svg [<!ENTITY a "b">]><svg><text>&a;</text></svg>', encoding="utf-8")
    with pytest.raises(Unreadable, match="entities"):
        extract(path)
