"""The settings themselves. Add one here and it is in the file, the environment, the window and the docs."""

from dataclasses import dataclass, field
from typing import Literal

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
        help=_("A larger text, Markdown, JSON, CSV or PDF file waits for your answer before it is read"),
        minimum=1,
        maximum=2000,
        unit="MB",
    )
    max_media_mb: int = setting(
        20,
        title=_("Largest media file"),
        help=_("A larger picture, sound or video waits for your answer before it is read"),
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
    interval_minutes: int = setting(
        30,
        title=_("Dream every"),
        help=_("How often an always-on knowledge base dreams by itself; 0: only when you say so"),
        minimum=0,
        maximum=43200,
        unit=_("minutes"),
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
class Retention:
    history_days: int = setting(
        0,
        title=_("Keep the history for"),
        help=_("Older changes can no longer be undone and are removed for good; 0 keeps them for ever"),
        minimum=0,
        maximum=36500,
        unit=_("days"),
        dangerous=True,
    )
    trash_days: int = setting(
        0,
        title=_("Empty the trash after"),
        help=_("What has lain longer in the trash is removed for good; 0 never empties it"),
        minimum=0,
        maximum=36500,
        unit=_("days"),
        dangerous=True,
    )


@dataclass(frozen=True, slots=True)
class Embedding:
    endpoint: str = setting(
        "",
        title=_("Endpoint"),
        help=_(
            "Address of an OpenAI-compatible server that makes vectors; empty: the model that ships with Reverie"
        ),
        dangerous=True,
        alias="Embedding__Endpoint",
    )
    model: str = setting(
        "", title=_("Model"), help=_("Name of the model at that endpoint"), alias="Embedding__Model"
    )
    api_key: Secret = setting(
        NO_SECRET,
        title=_("API key"),
        help=_("Key for that endpoint, where it wants one; comes from the environment, never from the file"),
        alias="Embedding__ApiKey",
    )
    max_input_chars: int = setting(
        30_000,
        title=_("Longest input"),
        help=_("Longer texts are cut here before they are sent to the endpoint"),
        minimum=100,
        maximum=1_000_000,
        unit=_("characters"),
        alias="Embedding__MaxInputChars",
    )
    min_similarity_threshold: float = setting(
        0.5,
        title=_("Least similarity"),
        help=_("With a model of your own: vectors less alike than this add nothing to a search"),
        minimum=0.0,
        maximum=1.0,
        alias="Embedding__MinSimilarityThreshold",
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a vault, as they stand. ``origins`` tells by key where a value that is not the
    default came from ("file" or a variable's name); ``unknown`` lists keys that nothing here declares."""

    appearance: Appearance = field(default_factory=Appearance)
    ingest: Ingest = field(default_factory=Ingest)
    dream: Dream = field(default_factory=Dream)
    search: Search = field(default_factory=Search)
    retention: Retention = field(default_factory=Retention)
    embedding: Embedding = field(default_factory=Embedding)
    origins: dict[str, str] = field(default_factory=dict, compare=False)
    unknown: tuple[str, ...] = field(default=(), compare=False)


GROUPS: dict[str, tuple[type, str]] = {
    "appearance": (Appearance, _("Appearance")),
    "ingest": (Ingest, _("Reading files")),
    "dream": (Dream, _("Dreams")),
    "search": (Search, _("Search")),
    "retention": (Retention, _("What is kept, and how long")),
    "embedding": (Embedding, _("Embedding model")),
}

DECLARED: dict[str, SettingInfo] = {
    info.key: info for name, (group, _title) in GROUPS.items() for info in read_group(name, group)
}
