"""Every colour, size and type style of the window, as data (the specification of looks, section 3)."""

from dataclasses import dataclass, field, fields

from reverie.domain.memory import Kind


@dataclass(frozen=True, slots=True)
class Diff:
    """Fills and inks of removed and added text."""

    removed: str
    removed_word: str
    removed_text: str
    added: str
    added_word: str
    added_text: str


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one theme, "#RRGGBB". ``kinds`` maps a kind's word (and "insight") to its colour."""

    name: str
    bg: str
    panel: str
    raised: str
    hover: str
    selected: str
    selected_idle: str
    hairline: str
    border: str
    text: str
    text_2: str
    text_3: str
    disabled: str
    accent: str
    on_accent: str
    ok: str
    warn: str
    error: str
    ok_fill: str
    warn_fill: str
    error_fill: str
    mark: str
    track: str
    plenty: str
    waning: str
    ending: str
    edge: str
    diff: Diff
    kinds: dict[str, str] = field(default_factory=dict)

    @property
    def inverse(self) -> str:
        """The fill of a toast; its text is ``bg``."""
        return self.text


LIGHT = Palette(
    name="light",
    bg="#FBFBFA",
    panel="#F3F3F1",
    raised="#FFFFFF",
    hover="#ECECE9",
    selected="#E3E9FA",
    selected_idle="#E6E6E3",
    hairline="#DCDCD8",
    border="#8A8A84",
    text="#1B1C1F",
    text_2="#55575D",
    text_3="#65676D",
    disabled="#A3A4A8",
    accent="#3553C7",
    on_accent="#FFFFFF",
    ok="#1A7037",
    warn="#8A5A00",
    error="#B3261E",
    ok_fill="#E7F4EA",
    warn_fill="#FDF3DC",
    error_fill="#FCEBE9",
    mark="#F6E3A1",
    track="#E4E4E0",
    plenty="#3D7A5A",
    waning="#A66F00",
    ending="#C7352B",
    edge="#9A9CA2",
    diff=Diff(
        removed="#FBE3E0",
        removed_word="#F3B6AE",
        removed_text="#7A1B14",
        added="#DDF2E3",
        added_word="#A9DEB8",
        added_text="#0F4F26",
    ),
    kinds={
        Kind.FACT: "#2B6CB0",
        Kind.PREFERENCE: "#A0368A",
        Kind.TIMELINE: "#A84B06",
        Kind.ANTI_PATTERN: "#0F766E",
        "insight": "#6B4FC9",
        Kind.NOTE: "#5B6470",
    },
)

DARK = Palette(
    name="dark",
    bg="#17181B",
    panel="#1E1F23",
    raised="#25262B",
    hover="#2A2B31",
    selected="#2B3558",
    selected_idle="#303138",
    hairline="#34353B",
    border="#787A84",
    text="#ECECEE",
    text_2="#B1B3BA",
    text_3="#A0A2AA",
    disabled="#62646C",
    accent="#93A8FF",
    on_accent="#12131A",
    ok="#6FCF8E",
    warn="#E5B454",
    error="#FF8A80",
    ok_fill="#1B3023",
    warn_fill="#382C14",
    error_fill="#3A2020",
    mark="#5A4A14",
    track="#34353B",
    plenty="#62B58A",
    waning="#D9A03A",
    ending="#F0655B",
    edge="#5C5F68",
    diff=Diff(
        removed="#3B1D1B",
        removed_word="#74322C",
        removed_text="#FFC0B8",
        added="#17331F",
        added_word="#245C37",
        added_text="#A8E6BB",
    ),
    kinds={
        Kind.FACT: "#7DB4F0",
        Kind.PREFERENCE: "#E68FD3",
        Kind.TIMELINE: "#F0A35E",
        Kind.ANTI_PATTERN: "#4FC9BC",
        "insight": "#B9A5FF",
        Kind.NOTE: "#A3ABB8",
    },
)


@dataclass(frozen=True, slots=True)
class Style:
    """One type style: pixels of text and line at 100 %, weight, tracking in per cent, or the mono font."""

    size: float
    line: int
    weight: int = 400
    tracking: float = 100.0
    mono: bool = False


@dataclass(frozen=True, slots=True)
class Type:
    """The type scale; nothing in the window has another size."""

    caps: Style = Style(11, 16, 600, 104.0)
    meta: Style = Style(12, 16)
    meta_strong: Style = Style(12, 16, 600)
    base: Style = Style(13, 20)
    base_medium: Style = Style(13, 20, 500)
    base_strong: Style = Style(13, 20, 600)
    body: Style = Style(15, 24)
    title: Style = Style(18, 26, 600)
    display: Style = Style(24, 32, 600)
    mono: Style = Style(12.5, 20, mono=True)


TYPE = Type()
STYLES: dict[str, Style] = {item.name: getattr(TYPE, item.name) for item in fields(TYPE)}

# The 4 px grid; nothing else spaces the window.
S1, S2, S3, S4, S6, S8, S12 = 4, 8, 12, 16, 24, 32, 48

RADIUS_FIELD, RADIUS_CONTROL, RADIUS_FLOAT, RADIUS_CHIP = 4, 6, 8, 11


@dataclass(frozen=True, slots=True)
class Sizes:
    """Pixels at 100 %."""

    window: tuple[int, int] = (1280, 800)
    window_min: tuple[int, int] = (800, 560)
    toolbar: int = 48
    status: int = 28
    sidebar: int = 224
    sidebar_min: int = 180
    sidebar_max: int = 320
    sidebar_icons: int = 48
    list: int = 456
    list_min: int = 320
    list_max: int = 640
    text_column: int = 680
    search_max: int = 720
    row: int = 52
    row_compact: int = 28
    gutter: int = 36
    right_column: int = 72
    sidebar_row: int = 28
    control: int = 32
    button_min: int = 72
    target: int = 28
    icon: int = 16
    chip: int = 22
    toast: int = 40
    label_column: int = 112
    fold_sidebar: int = 1100
    fold_detail: int = 960


SIZES = Sizes()


@dataclass(frozen=True, slots=True)
class Motion:
    """Milliseconds; nothing is longer, nothing loops."""

    fade: int = 100
    slide: int = 150
    toast_shown: int = 6000
    search_debounce: int = 60
    rank_pause: int = 150
    autosave: int = 800
    busy_after: int = 300


MOTION = Motion()


def luminance(colour: str) -> float:
    """Relative luminance of "#RRGGBB" (WCAG 2.2), 0..1."""

    def linear(channel: int) -> float:
        share = channel / 255
        return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)

    red, green, blue = (linear(int(colour[i : i + 2], 16)) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours (WCAG 2.2), 1..21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
