"""What makes a text matter."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.reason.importance import importance

PLAIN = "there is some snow in the garden and the cat sleeps"


def test_a_text_without_any_sign_is_at_the_base() -> None:
    assert importance(PLAIN) == 0.3


@pytest.mark.parametrize(
    "sign",
    [
        "we decided it",
        "it is due by friday",
        "she prefers tea",
        "he is allergic to nuts",
        "never do that",
        "I promised to call",
        "it cost 20 euros",
        "we saw Ada",
    ],
)
def test_each_sign_lifts_it(sign: str) -> None:
    assert importance(f"{PLAIN}, {sign}") > 0.3


def test_two_signs_lift_more_than_one_and_a_hundred_no_more_than_two() -> None:
    one, two, many = (importance(f"{PLAIN}. " + "we decided it. " * count) for count in (1, 2, 100))
    assert one < two == many


@pytest.mark.parametrize("text", ["hi!", "ok thanks", "Ines: Lunch?\n\nTomas: ok", "lol", "good morning"])
def test_small_talk_sinks_it(text: str) -> None:
    assert importance(text) < 0.3


def test_what_matters_stands_above_small_talk() -> None:
    decision = "We agreed to sign the lease before 31 March; the deposit is 2,960 euros and must not be late."
    assert importance(decision) > 0.5 > importance(PLAIN) > importance("hello, how are you?")


@given(st.text(st.characters(exclude_categories=())))
def test_it_is_always_between_0_and_1(text: str) -> None:
    assert 0 <= importance(text) <= 1


@pytest.mark.parametrize("unit", ["> ", "- ", "!", ". ", "* ", "a: ", "1,", "…", "\n", "> a: ", "yes "])
def test_it_takes_time_linear_in_the_length(unit: str) -> None:
    started = time.perf_counter()
    importance(unit * 10_000 + "x")
    assert time.perf_counter() - started < 1  # it took a minute, and held up every thread
