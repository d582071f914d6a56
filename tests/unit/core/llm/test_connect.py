"""The settings say which model is asked, where, and with which key; without them nothing is asked."""

from collections.abc import Iterator

import keyring
import pytest
from keyring.backends import null

from reverie import settings
from reverie.errors import UserError
from reverie.llm.connect import connect, endpoint_of
from reverie.llm.presets import PRESETS
from reverie.settings import Secret
from reverie.settings.groups import DECLARED, Model


@pytest.fixture(autouse=True)
def _no_keyring() -> Iterator[None]:
    before = keyring.get_keyring()
    keyring.set_keyring(null.Keyring())
    yield
    keyring.set_keyring(before)


def test_nothing_is_connected_unless_it_was_configured() -> None:
    assert connect(settings.Settings().model) is None
    assert connect(Model(address="http://127.0.0.1:8080", chat="small")) is None


def test_each_choice_of_the_settings_is_a_preset() -> None:
    assert set(DECLARED["model.endpoint"].choices) == {"none", *PRESETS}


def test_each_purpose_may_have_a_model_of_its_own() -> None:
    model = Model(
        endpoint="ollama", chat="a", dreams="b", api_key=Secret("k"), time_limit_s=7.0, max_tokens=99
    )

    made = [endpoint_of(model, each) for each in ("chat", "dreams", "compression")]

    assert [each.model for each in made if each is not None] == ["a", "b", "a"]
    chat = made[0]
    assert chat is not None
    assert (chat.address, chat.key, chat.time_limit_s, chat.max_tokens) == (
        "http://127.0.0.1:11434/v1",
        Secret("k"),
        7.0,
        99,
    )


def test_an_address_of_ones_own_stands_for_that_of_the_choice() -> None:
    made = endpoint_of(Model(endpoint="ollama", address="http://10.0.0.5:11434", chat="a"))

    assert made is not None
    assert made.address == "http://10.0.0.5:11434/v1"
    with pytest.raises(UserError, match="no address"):
        endpoint_of(Model(endpoint="own", chat="a"))
    with pytest.raises(UserError, match="not the address"):
        endpoint_of(Model(endpoint="own", address="nowhere", chat="a"))
