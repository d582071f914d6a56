"""Settings: where they come from, how they are checked, and that a file is never harmed."""

import math
import os
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie import settings
from reverie.errors import UserError
from reverie.settings import Secret, SettingInfo, access
from reverie.settings.declare import NO_SECRET, check, read_group, setting
from reverie.settings.groups import DECLARED, GROUPS

ROOT = Path(__file__).parents[4]
NO_ENV: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Peer:
    """A group as one that sends texts out will have it: texts, a secret, names of foreign programs."""

    endpoint: str = setting("", title="Endpoint", help="Address", dangerous=True, alias="Peer__Endpoint")
    model: str = setting("", title="Model", help="Name of the model", alias="Peer__Model")
    api_key: Secret = setting(NO_SECRET, title="API key", help="Key for it", alias="Peer__ApiKey")
    min_similarity: float = setting(
        0.5, title="Least similarity", help="Less", minimum=0.0, maximum=1.0, alias="Peer__MinSimilarity"
    )


@dataclass(frozen=True, slots=True)
class Settings(settings.Settings):
    peer: Peer = field(default_factory=Peer)


PEER = read_group("peer", Peer)
STORED = [info for info in (*settings.describe(), *PEER) if info.type != "secret"]


@pytest.fixture(scope="module", autouse=True)
def _with_peer() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GROUPS, "peer", (Peer, "Peer"))
        for info in PEER:
            patch.setitem(DECLARED, info.key, info)
        patch.setattr(access, "Settings", Settings)
        yield


def load(folder: Path | None, env: dict[str, str]) -> Settings:
    loaded = settings.load(folder, env)
    assert isinstance(loaded, Settings)
    return loaded


def values_of(info: SettingInfo) -> st.SearchStrategy[Any]:
    if info.type == "bool":
        return st.booleans()
    if info.type == "int":
        return st.integers(int(info.minimum or 0), int(info.maximum or 10**9))
    if info.type == "float":
        return st.floats(info.minimum, info.maximum, allow_nan=False)
    if info.type == "choice":
        return st.sampled_from(info.choices)
    return st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]))


def get(loaded: settings.Settings, key: str) -> Any:
    group, name = key.split(".")
    return getattr(getattr(loaded, group), name)


def test_defaults_hold_where_nothing_is_said(tmp_path: Path) -> None:
    loaded = load(tmp_path, NO_ENV)

    assert loaded == Settings()
    assert loaded.origins == {}
    assert list(tmp_path.iterdir()) == []


def test_each_default_passes_its_own_check() -> None:
    for info in STORED:
        assert check(info, info.default) == info.default, info.key


def test_only_what_acts_is_declared() -> None:
    """A setting that nothing reads would lie to whoever sets it."""
    sources = {path for part in ("core", "gui") for path in (ROOT / part).rglob("*.py")}
    texts = [path.read_text(encoding="utf-8") for path in sources if path.parent.name != "settings"]
    for info in settings.describe():
        if info.group == "appearance":
            read = f'"{info.key}"'  # by its key: gui/reverie_gui/appearance.py
        elif info.group != "peer":
            read = f".{info.name}"
        else:
            continue
        assert any(read in text for text in texts), info.key


def test_each_setting_tells_what_it_is_for() -> None:
    for info in settings.describe():
        assert info.title, info.key
        assert info.help, info.key
        assert not info.help.endswith("."), info.key


@given(st.data())
def test_what_is_changed_comes_back(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.mktemp("vault")
    wanted: dict[str, Any] = {}
    for info in data.draw(st.lists(st.sampled_from(STORED), max_size=6)):
        wanted[info.key] = data.draw(values_of(info))
        settings.change(folder, info.key, wanted[info.key])

    loaded = load(folder, NO_ENV)

    for info in STORED:
        assert get(loaded, info.key) == wanted.get(info.key, info.default), info.key
    assert set(loaded.origins) == set(wanted)


@given(st.data())
def test_text_of_the_environment_is_read_as_the_file_is(data: st.DataObject) -> None:
    info = data.draw(st.sampled_from([each for each in STORED if each.type != "text"]))
    value = data.draw(values_of(info))
    text = str(value).lower() if isinstance(value, bool) else str(value)

    assert get(load(None, {info.environment[0]: text}), info.key) == value


def test_environment_beats_file_beats_default(tmp_path: Path) -> None:
    settings.change(tmp_path, "ingest.max_text_mb", 11)
    settings.change(tmp_path, "dream.batch", 30)

    loaded = load(tmp_path, {"REVERIE_INGEST__MAX_TEXT_MB": "12"})

    assert (loaded.ingest.max_text_mb, loaded.dream.batch, loaded.ingest.chunk_words) == (12, 30, 200)
    assert loaded.origins == {"ingest.max_text_mb": "REVERIE_INGEST__MAX_TEXT_MB", "dream.batch": "file"}


def test_names_that_foreign_programs_use_are_aliases() -> None:
    loaded = load(
        None,
        {
            "Peer__Endpoint": "http://ollama:11434",
            "Peer__Model": "nomic-embed-text",
            "Peer__ApiKey": "",
            "Peer__MinSimilarity": "0.6",
        },
    )

    assert loaded.peer.endpoint == "http://ollama:11434"
    assert loaded.peer.model == "nomic-embed-text"
    assert not loaded.peer.api_key
    assert loaded.peer.min_similarity == 0.6


def test_own_name_wins_over_the_alias() -> None:
    loaded = load(None, {"Peer__Model": "foreign", "REVERIE_PEER__MODEL": "own"})

    assert loaded.peer.model == "own"


def test_unknown_keys_and_comments_stay(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(
        '# mine\n[future]\nx = 1\n\n[ingest]\nnew_one = "y"  # why\nmax_text_mb = 5\n', encoding="utf-8"
    )

    settings.change(tmp_path, "ingest.max_text_mb", 7)
    settings.change(tmp_path, "appearance.theme", "dark")

    text = path.read_text(encoding="utf-8")
    assert "# mine" in text
    assert "# why" in text
    assert tomllib.loads(text) == {
        "future": {"x": 1},
        "ingest": {"new_one": "y", "max_text_mb": 7},
        "appearance": {"theme": "dark"},
    }
    assert load(tmp_path, NO_ENV).unknown == ("future", "ingest.new_one")


def test_mistyped_variable_is_reported() -> None:
    assert load(None, {"REVERIE_INGEST__MAX_TXT_MB": "3", "REVERIE_VAULT": "x"}).unknown == (
        "REVERIE_INGEST__MAX_TXT_MB",
    )


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"[ingest]\nmax_text_mb = = 3\n", 2),
        (b"[ingest]\nmax_text_mb = 3\n[ingest\n", 3),
        (b'a = 1\nb = """never closed\n', 3),
        (b"a = 1\nb = '\xff'\n", 2),
        (b"a = 1\na = 2\n", 2),
    ],
)
def test_damaged_file_names_the_line_and_is_left_alone(tmp_path: Path, content: bytes, line: int) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(content)

    for act in (
        lambda: load(tmp_path, NO_ENV),
        lambda: settings.change(tmp_path, "dream.batch", 21),
        lambda: settings.reset(tmp_path),
    ):
        with pytest.raises(UserError, match=f"line {line}"):
            act()
    assert path.read_bytes() == content
    assert [each.name for each in tmp_path.iterdir()] == ["settings.toml"]


def test_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_bytes(b"\xef\xbb\xbf[dream]\nbatch = 25\n")

    assert load(tmp_path, NO_ENV).dream.batch == 25


@pytest.mark.parametrize(
    "text",
    [
        "[ingest]\n\nmax_text_mb = 'many'\n",
        "\n\ningest.max_text_mb = 0\n",
        "[dream]\n[ingest]\nmax_text_mb = true\n",
    ],
)
def test_wrong_value_in_the_file_names_its_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.toml").write_text(text, encoding="utf-8")

    with pytest.raises(UserError) as caught:
        load(tmp_path, NO_ENV)

    assert "ingest.max_text_mb" in caught.value.title
    assert "line 3" in caught.value.detail
    assert "from 1 to 2000" in caught.value.hint


def test_group_that_is_no_table_is_told(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("ingest = 3\n", encoding="utf-8")

    with pytest.raises(UserError, match=r"\[ingest\]"):
        load(tmp_path, NO_ENV)
    with pytest.raises(UserError, match=r"\[ingest\]"):
        settings.change(tmp_path, "ingest.max_text_mb", 4)


def test_wrong_value_in_the_environment_names_the_variable() -> None:
    with pytest.raises(UserError, match="environment variable REVERIE_DREAM__BATCH"):
        load(None, {"REVERIE_DREAM__BATCH": "some"})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("dream.batch", 1),
        ("dream.batch", 2.5),
        ("dream.batch", True),
        ("dream.batch", None),
        ("dream.batch", math.inf),
        ("dream.near_duplicate_cosine", math.nan),
        ("dream.near_duplicate_cosine", "1e400"),
        ("appearance.theme", "pink"),
        ("appearance.single_letter_keys", 2),
        ("peer.model", "a\x00b"),
        ("peer.model", 3),
        ("no.such", 1),
        ("peer.api_key", "sk-very-secret"),
    ],
)
def test_wrong_change_is_refused_and_writes_nothing(tmp_path: Path, key: str, value: object) -> None:
    with pytest.raises(UserError) as caught:
        settings.change(tmp_path, key, value)

    assert "very-secret" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_whole_float_does_for_a_whole_number(tmp_path: Path) -> None:
    assert settings.change(tmp_path, "dream.batch", 30.0) == 30


def test_secret_in_the_file_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("[peer]\napi_key = 'sk-1'\n", encoding="utf-8")

    loaded = load(tmp_path, NO_ENV)

    assert not loaded.peer.api_key
    assert loaded.unknown == ("peer.api_key",)


def test_secret_is_not_shown() -> None:
    loaded = load(None, {"REVERIE_PEER__API_KEY": "sk-1"})

    assert loaded.peer.api_key.reveal() == "sk-1"
    assert "sk-1" not in repr(loaded)
    assert f"{loaded.peer.api_key}" == "Secret(•••)"
    assert Secret("a") != Secret("b")


def test_reset_takes_one_or_all(tmp_path: Path) -> None:
    settings.change(tmp_path, "dream.batch", 21)
    settings.change(tmp_path, "ingest.chunk_words", 100)

    settings.reset(tmp_path, "dream.batch")
    assert load(tmp_path, NO_ENV).dream.batch == 20
    assert load(tmp_path, NO_ENV).ingest.chunk_words == 100

    settings.reset(tmp_path)
    assert load(tmp_path, NO_ENV) == Settings()


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.change(tmp_path, "dream.batch", 21)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UserError, match="No space left"):
        settings.change(tmp_path, "dream.batch", 22)

    assert load(tmp_path, NO_ENV).dream.batch == 21
    assert [each.name for each in tmp_path.iterdir()] == ["settings.toml"]


def test_default_vault_is_named_by_the_environment_or_the_system(tmp_path: Path) -> None:
    assert settings.default_vault({"REVERIE_VAULT": str(tmp_path)}) == tmp_path
    assert settings.default_vault({}).parts[-2:] == ("Reverie", "vault")
