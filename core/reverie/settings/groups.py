"""The settings themselves. Add one here and it is in the file, the environment, the window and the docs."""

from dataclasses import dataclass, field
from typing import Literal

from reverie.domain.working import LONGEST_TTL_MINUTES
from reverie.i18n import _
from reverie.settings.declare import SettingInfo, read_group, setting


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
    working: Working = field(default_factory=Working)
    retention: Retention = field(default_factory=Retention)
    origins: dict[str, str] = field(default_factory=dict, compare=False)
    unknown: tuple[str, ...] = field(default=(), compare=False)


GROUPS: dict[str, tuple[type, str]] = {
    "appearance": (Appearance, _("Appearance")),
    "ingest": (Ingest, _("Reading files")),
    "dream": (Dream, _("Dreams")),
    "search": (Search, _("Search")),
    "working": (Working, _("Working memory")),
    "retention": (Retention, _("What is kept, and how long")),
}

DECLARED: dict[str, SettingInfo] = {
    info.key: info for name, (group, _title) in GROUPS.items() for info in read_group(name, group)
}
