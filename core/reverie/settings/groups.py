"""The settings themselves. Add one here and it is in the file, the environment, the window and the docs."""

from dataclasses import dataclass, field
from typing import Literal

from reverie.domain.working import LONGEST_TTL_MINUTES
from reverie.i18n import _
from reverie.settings.declare import NO_SECRET, Secret, SettingInfo, read_group, setting


@dataclass(frozen=True, slots=True)
class Appearance:
    theme: Literal["system", "light", "dark"] = setting(
        "system", title=_("Theme"), help=_("Light, dark, or as the system has it")
    )
    density: Literal["comfortable", "compact"] = setting(
        "comfortable", title=_("Density"), help=_("How much room each row of a list takes")
    )
    single_letter_keys: bool = setting(
        True, title=_("Single-letter keys"), help=_("Keys such as J and K act in lists without Ctrl")
    )


@dataclass(frozen=True, slots=True)
class Ingest:
    max_text_mb: int = setting(
        10,
        title=_("Largest text file"),
        help=_("A file with more text than this waits for your answer before it is read"),
        minimum=1,
        maximum=2000,
        unit="MB",
    )
    chunk_words: int = setting(
        200,
        title=_("Words in one memory"),
        help=_("Long files are cut near this length, at headings, paragraphs and sentences"),
        minimum=40,
        maximum=2000,
        unit=_("words"),
    )
    watch_interval_s: float = setting(
        5.0,
        title=_("Look for new files every"),
        help=_("How often watched folders are looked at where the system does not report changes by itself"),
        minimum=0.5,
        maximum=3600,
        unit="s",
    )


@dataclass(frozen=True, slots=True)
class Dream:
    batch: int = setting(
        20,
        title=_("Memories in one batch"),
        help=_("How many memories a dream reads together when it looks for insights"),
        minimum=2,
        maximum=200,
        unit=_("memories"),
    )
    near_duplicate_cosine: float = setting(
        0.95,
        title=_("Alike enough to merge"),
        help=_("Two memories whose vectors are at least this close are proposed for merging"),
        minimum=0.8,
        maximum=1.0,
    )


@dataclass(frozen=True, slots=True)
class Search:
    cosine_threshold: float = setting(
        0.25,
        title=_("Least closeness of meaning"),
        help=_(
            "A memory that shares no word with the query is found only when its vector is at least this close"
        ),
        minimum=-1.0,
        maximum=1.0,
    )


@dataclass(frozen=True, slots=True)
class Model:
    endpoint: Literal[
        "none", "ollama", "lm-studio", "llama-cpp", "openai", "anthropic", "gemini", "openrouter", "own"
    ] = setting(
        "none",
        title=_("Where the model is"),
        help=_(
            "A server on this machine or a service; what is read or asked is sent there. None: nothing is sent"
        ),
        dangerous=True,
    )
    address: str = setting(
        "",
        title=_("Address"),
        help=_(
            "Of an OpenAI-compatible endpoint, as http://127.0.0.1:8080/v1; empty is the usual one of the choice above"
        ),
        dangerous=True,
    )
    api_key: Secret = setting(
        NO_SECRET,
        title=_("API key"),
        help=_(
            "Kept in the keyring of the system, never in a file; where there is none, it comes from the environment"
        ),
    )
    chat: str = setting("", title=_("Model"), help=_("Its name, as the endpoint lists it"))
    dreams: str = setting(
        "",
        title=_("Model for dreams"),
        help=_("Another one for dreams and for reading files; empty is the same"),
    )
    compression: str = setting(
        "",
        title=_("Model for compression"),
        help=_("Another one for shortening long context; empty is the same"),
    )
    time_limit_s: float = setting(
        120.0,
        title=_("Longest wait"),
        help=_("How long one answer of the model may take"),
        minimum=1,
        maximum=3600,
        unit="s",
    )
    max_tokens: int = setting(
        2048,
        title=_("Longest answer"),
        help=_("The most tokens that the model may write at once"),
        minimum=64,
        maximum=200_000,
        unit=_("tokens"),
    )


@dataclass(frozen=True, slots=True)
class Working:
    default_ttl_minutes: int = setting(
        5,
        title=_("A scratch entry lives for"),
        help=_("How long an entry of working memory lives where whoever stores it does not say"),
        minimum=1,
        maximum=LONGEST_TTL_MINUTES,
        unit=_("minutes"),
    )
    max_entries_per_namespace: int = setting(
        50,
        title=_("Scratch entries in one namespace"),
        help=_(
            "How many entries of working memory may stand under the same first two parts of their keys,"
            " such as session/abc; one more is refused"
        ),
        minimum=1,
        maximum=10_000,
        unit=_("entries"),
    )


@dataclass(frozen=True, slots=True)
class Retention:
    history_days: int = setting(
        0,
        title=_("Keep the history for"),
        help=_(
            "Older changes can no longer be undone: what they changed is removed for good, when the window opens"
            " and once a day; 0 keeps it for ever"
        ),
        minimum=0,
        maximum=36500,
        unit=_("days"),
        dangerous=True,
    )
    trash_days: int = setting(
        0,
        title=_("Empty the trash after"),
        help=_(
            "What has lain longer in the trash is erased for good, as by “Empty trash”, when the window opens"
            " and once a day; 0 never empties it"
        ),
        minimum=0,
        maximum=36500,
        unit=_("days"),
        dangerous=True,
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a vault, as they stand. ``origins`` tells by key where a value that is not the
    default came from ("file" or a variable's name); ``unknown`` lists keys that nothing here declares."""

    appearance: Appearance = field(default_factory=Appearance)
    ingest: Ingest = field(default_factory=Ingest)
    dream: Dream = field(default_factory=Dream)
    search: Search = field(default_factory=Search)
    model: Model = field(default_factory=Model)
    working: Working = field(default_factory=Working)
    retention: Retention = field(default_factory=Retention)
    origins: dict[str, str] = field(default_factory=dict, compare=False)
    unknown: tuple[str, ...] = field(default=(), compare=False)


GROUPS: dict[str, tuple[type, str]] = {
    "appearance": (Appearance, _("Appearance")),
    "ingest": (Ingest, _("Reading files")),
    "dream": (Dream, _("Dreams")),
    "search": (Search, _("Search")),
    "model": (Model, _("A model of your own")),
    "working": (Working, _("Working memory")),
    "retention": (Retention, _("What is kept, and how long")),
}

DECLARED: dict[str, SettingInfo] = {
    info.key: info for name, (group, _title) in GROUPS.items() for info in read_group(name, group)
}
