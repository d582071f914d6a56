"""How settings and their values read. No Qt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reverie.domain.text import fold
from reverie.i18n import _
from reverie.settings import Secret, SettingInfo, Settings, describe
from reverie.settings.groups import GROUPS

_CHOICES: Mapping[str, str] = {
    "system": _("As the system"),
    "light": _("Light"),
    "dark": _("Dark"),
    "comfortable": _("Comfortable"),
    "compact": _("Compact"),
    "none": _("None"),
    "ollama": "Ollama",
    "lm-studio": "LM Studio",
    "llama-cpp": "llama.cpp",
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "gemini": "Google Gemini",
    "openrouter": "OpenRouter",
    "own": _("Own address"),
}

# What a change to other than the default costs: title, what happens, the verb on the button.
_WARNINGS: Mapping[str, tuple[str, str, str]] = {
    "retention.history_days": (
        _("Keep only {value} of the history?"),
        _(
            "Older changes can no longer be undone or looked at: what they changed is removed for good the next"
            " time the window opens, and once a day."
        ),
        _("Remove after {value}"),
    ),
    "retention.trash_days": (
        _("Empty the trash after {value}?"),
        _(
            "What has lain longer in the trash is erased for good, with its history, its stored files and all"
            " backups: the next time the window opens, and once a day."
        ),
        _("Erase after {value}"),
    ),
    "model.endpoint": (
        _("Use a model at {value}?"),
        _("What the model is asked to read is sent there: your memories, your files and your questions."),
        _("Use {value}"),
    ),
    "model.address": (
        _("Send to {value}?"),
        _("What the model is asked to read is sent there: your memories, your files and your questions."),
        _("Use {value}"),
    ),
}


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    title: str
    settings: tuple[SettingInfo, ...]

    @property
    def dangerous(self) -> bool:
        """Every setting in it can lose data or send it out."""
        return all(info.dangerous for info in self.settings)


def groups() -> Sequence[Group]:
    """All settings in the order in which they are shown: what is dangerous last."""
    infos = describe()
    made = [
        Group(name, title, tuple(info for info in infos if info.group == name))
        for name, (_kind, title) in GROUPS.items()
    ]
    return sorted(
        (group for group in made if group.settings),
        key=lambda group: (group.dangerous, any(info.dangerous for info in group.settings)),
    )


def value_of(settings: Settings, info: SettingInfo) -> object:
    return getattr(getattr(settings, info.group), info.name)


def choice_word(choice: str) -> str:
    return _CHOICES.get(choice) or choice.replace("_", " ").capitalize()


def value_word(info: SettingInfo, value: object) -> str:
    """A value in words: "200 words", "on", "As the system"; a secret only says whether there is one."""
    if isinstance(value, Secret):
        return _("set") if value else _("not set")
    if isinstance(value, bool):
        return _("on") if value else _("off")
    if info.type == "choice":
        return choice_word(str(value))
    if value == "":
        return _("empty")
    return f"{number_text(value)} {info.unit}".strip()


def number_text(value: object) -> str:
    """A number as it is typed: no zeros behind the point that say nothing."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def range_word(info: SettingInfo) -> str:
    """ "1 to 2000 MB", "" without bounds."""
    if info.minimum is None or info.maximum is None:
        return ""
    words = _("{low} to {high}").format(low=f"{info.minimum:.10g}", high=f"{info.maximum:.10g}")
    return f"{words} {info.unit}".strip()


def warning(info: SettingInfo, value: object) -> tuple[str, str, str] | None:
    """The question before a change that can lose data or send it out; None where it can't."""
    if not info.dangerous or value == info.default:
        return None
    title, text, verb = _WARNINGS.get(
        info.key, (_("Set “{title}” to {value}?"), _("This can't be undone."), _("Set to {value}"))
    )
    words = value_word(info, value)
    return (
        title.format(title=info.title, value=words),
        text,
        verb.format(title=info.title, value=words),
    )


def matches(info: SettingInfo, group: Group, words: str) -> bool:
    """Whether a setting is meant by what stands in the field: each word is in its title, help, key or group."""
    text = fold(" ".join((info.title, info.help, info.key, group.title, *map(choice_word, info.choices))))
    return all(word in text for word in fold(words).split())
