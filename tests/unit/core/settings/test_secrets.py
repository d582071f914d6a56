"""Keys are kept in a keyring under the host that they are for, or come from the environment; never in a file of ours."""

import json
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import chainer, fail, null
from keyring.errors import KeyringLocked, PasswordDeleteError

from reverie import settings
from reverie.errors import UserError
from reverie.settings import Secret, secrets

OPENAI = "https://api.openai.com/v1"
LOCAL = "http://127.0.0.1:8080/v1"


class Folder(KeyringBackend):
    """A keyring as a system has one, that keeps its keys in a folder of the test."""

    priority = 1.0  # type: ignore[assignment]

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.file = folder / "ring.json"
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        return self._read().get(f"{service}/{username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self.file.write_text(json.dumps({**self._read(), f"{service}/{username}": password}))

    def delete_password(self, service: str, username: str) -> None:
        kept = self._read()
        if kept.pop(f"{service}/{username}", None) is None:
            raise PasswordDeleteError("not there")
        self.file.write_text(json.dumps(kept))

    def _read(self) -> dict[str, str]:
        if self.locked:
            raise KeyringLocked("the secret was sk-1")
        return dict(json.loads(self.file.read_text())) if self.file.exists() else {}


@pytest.fixture
def ring(tmp_path: Path) -> Iterator[Folder]:
    before = keyring.get_keyring()
    made = Folder(tmp_path)
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


def test_a_key_is_kept_for_its_host_alone(ring: Folder) -> None:
    secrets.keep(OPENAI, Secret("sk-1"))

    assert secrets.problem() is None
    assert secrets.find(OPENAI) == secrets.Kept(Secret("sk-1"), "keyring")
    assert secrets.find("https://api.openai.com/v2/other").secret == Secret("sk-1")
    assert secrets.find("https://API.openai.com:443/v1").secret == Secret("sk-1")
    assert not secrets.find("http://api.openai.com/v1").secret  # it would travel unencrypted
    assert not secrets.find(LOCAL).secret
    assert not secrets.find("http://127.0.0.1:9999/v1").secret
    assert not secrets.find("https://api.openai.com.evil.example/v1").secret


def test_a_key_is_replaced_and_forgotten(ring: Folder) -> None:
    secrets.keep(LOCAL, Secret("one"))
    secrets.keep(LOCAL, Secret("two"))
    assert secrets.find(LOCAL).secret.reveal() == "two"

    secrets.forget(LOCAL)
    secrets.forget(LOCAL)
    assert secrets.find(LOCAL) == secrets.Kept(Secret(), "")

    secrets.keep(LOCAL, Secret("three"))
    secrets.keep(LOCAL, Secret(""))
    assert not secrets.find(LOCAL).secret


def test_the_environment_wins_over_the_keyring(ring: Folder) -> None:
    secrets.keep(OPENAI, Secret("kept"))
    given = settings.load(None, {"REVERIE_MODEL__API_KEY": "given"}).model.api_key

    assert secrets.find(OPENAI, given) == secrets.Kept(Secret("given"), "environment")


@pytest.mark.parametrize("none", [fail.Keyring, null.Keyring, chainer.ChainerBackend])
def test_where_there_is_no_keyring_it_is_said_and_nothing_is_kept(
    none: type, ring: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    if none is chainer.ChainerBackend:
        monkeypatch.setattr(none, "backends", [null.Keyring()])
    keyring.set_keyring(none())

    with pytest.raises(UserError, match="no keyring") as caught:
        secrets.keep(OPENAI, Secret("sk-1"))
    assert "REVERIE_MODEL__API_KEY" in caught.value.hint
    assert secrets.problem() is not None
    assert not secrets.find(OPENAI).secret
    assert secrets.find(OPENAI, Secret("given")).origin == "environment"


def test_a_keyring_that_is_only_a_file_is_passed_over(ring: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Folder, "__module__", "keyrings.alt.file")

    with pytest.raises(UserError, match="no keyring"):
        secrets.keep(OPENAI, Secret("sk-1"))
    assert not ring.file.exists()


def test_a_locked_keyring_is_told_without_the_key(ring: Folder) -> None:
    ring.locked = True

    with pytest.raises(UserError, match="refused") as caught:
        secrets.keep(OPENAI, Secret("sk-1"))
    assert "sk-1" not in str(caught.value)
    assert not secrets.find(OPENAI).secret


def test_no_key_is_ever_written_to_the_settings_file(tmp_path: Path, ring: Folder) -> None:
    with pytest.raises(UserError, match="secret"):
        settings.change(tmp_path, "model.api_key", "sk-1")

    (tmp_path / "settings.toml").write_text('[model]\napi_key = "sk-1"\n')
    loaded = settings.load(tmp_path, {})
    assert not loaded.model.api_key
    assert "model.api_key" in loaded.unknown
