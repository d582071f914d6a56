"""The verbs on a real vault: what they do, print and end with."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie import Vault, cli
from reverie.resources import resource

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "vault"
    monkeypatch.setenv("REVERIE_VAULT", str(folder))
    return folder


@pytest.fixture
def run(vault: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Runs a verb in this process; gives exit code, stdout and stderr."""

    def act(*arguments: object) -> tuple[int, str, str]:
        code = cli.main([str(each) for each in arguments])
        shown = capsys.readouterr()
        assert "Traceback" not in shown.err, shown.err
        return code, shown.out, shown.err

    return act


def answer(run: Run, *arguments: object) -> Any:
    code, out, _err = run(*arguments)
    assert code == 0
    return json.loads(out)


def test_what_is_added_is_found_and_can_be_taken_back(run: Run) -> None:
    made = answer(
        run, "add", "Prefers window seats", "--tag", "travel", "--category", "prefs/travel", "--json"
    )
    assert made["content"] == "Prefers window seats"

    (hit,) = answer(run, "search", "--json", "window", "seats")
    assert hit["id"] == made["id"]
    assert hit["content"] == "Prefers window seats"
    assert hit["tags"] == ["travel"]
    assert hit["category"] == "prefs/travel"
    assert 0 < hit["relevance"] <= 1
    assert hit["score"] > 0
    assert hit["created_at"] == made["created_at"]

    assert run("undo")[0] == 0
    assert answer(run, "search", "--json", "seats") == []
    code, out, err = run("undo")
    assert (code, out) == (1, "")
    assert "nothing to undo" in err

    assert run("redo")[0] == 0
    assert len(answer(run, "search", "--json", "seats")) == 1
    assert run("redo")[0] == 1


def test_meaning_finds_what_shares_no_word(run: Run) -> None:
    run("add", "Prefers window seats on trains")

    (hit,) = answer(run, "search", "--json", "where do they like to sit?")

    assert hit["keyword"] is None
    assert hit["cosine"] > 0.25


def test_text_comes_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfGr\xc3\xb6\xc3\x9fe \xff")))

    assert answer(run, "add", "-", "--json")["content"] == "Größe \ufffd"


@pytest.mark.parametrize(
    "arguments",
    [
        ("add", "   "),
        ("add", "x", "--category", "no good!"),
        ("add", "x", "--kind", "poem"),
        ("add", "x", "--importance", "nan"),
        ("search", "x", "--since", "someday"),
        ("history", "4711"),
        ("undo", "--changeset", "4711"),
        ("undo", "--to", "4711"),
        ("undo", "--to", "1", "--changeset", "1"),
        ("ingest",),
    ],
)
def test_wrong_use_is_2_and_says_so(run: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = run(*arguments)

    assert code == 2
    assert out == ""
    assert err.strip()


@pytest.mark.parametrize(
    "query", ['"', "*", "(", "NEAR", "a AND", "C++", "don't", "grammar::fa", "-5", "''", "\ud83d", "%"]
)
def test_no_query_is_a_syntax_error(run: Run, query: str) -> None:
    run("add", "something in it")

    assert run("search", "--json", "--", query)[0] == 0


def test_nothing_found_says_so_beside_the_results(run: Run) -> None:
    assert run("search", "anything") == (0, "", "Nothing found\n")


def test_history_tells_who_did_what(run: Run) -> None:
    run("add", "one")
    run("undo")
    run("redo")

    redo, undo, add = answer(run, "history", "--json")
    assert (add["kind"], add["author"], add["undone"]) == ("add memory", "person", False)
    assert redo["kind"] == "redo"
    assert undo["undone"]

    out = run("history")[1].splitlines()
    assert "took back: add memory" in out[1]
    assert f"number {undo['id']}" in out[0]

    changes = answer(run, "history", add["id"], "--json")
    assert changes[0]["before"] is None
    assert changes[0]["after"]["content"] == "one"
    assert "content" in run("history", add["id"])[1]


def test_one_act_is_undone_by_its_number(run: Run) -> None:
    run("add", "one")
    run("add", "two")
    second, first = answer(run, "history", "--json")

    assert run("undo", "--changeset", first["id"])[0] == 0
    assert [hit["content"] for hit in answer(run, "search", "--json", "--mode", "keyword", "one two")] == [
        "two"
    ]

    code, _out, err = run("undo", "--changeset", first["id"])
    assert code == 1
    assert "undone already" in err
    assert second["id"] > first["id"]


def test_good_files_come_in_and_bad_ones_are_told(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "good.txt").write_text(
        "The heating is repaired on Monday by Mr Ostrow.", encoding="utf-8"
    )
    (folder / "empty.txt").write_bytes(b"")
    (folder / ".hidden.txt").write_text("not this one", encoding="utf-8")
    (folder / "inner" / "loop").symlink_to(folder)

    code, out, err = run("ingest", "--recursive", folder, tmp_path / "missing.txt", "--json")

    items = {item["name"]: item for item in json.loads(out)}
    assert code == 1
    assert err == ""
    assert items["good.txt"]["state"] == "done"
    assert len(items["good.txt"]["memories"]) == 1
    assert items["empty.txt"]["state"] == items["missing.txt"]["state"] == "failed"
    assert items["empty.txt"]["reason"]
    assert set(items) == {"good.txt", "empty.txt", "missing.txt"}
    assert len(answer(run, "search", "--json", "Ostrow")) == 1

    code, out, _err = run("ingest", folder / "inner" / "good.txt")
    assert code == 0
    assert "already known" in out


def test_folder_without_files_is_no_failure(run: Run, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()

    code, out, err = run("ingest", "-r", tmp_path / "nothing")

    assert (code, out) == (0, "")
    assert "no files" in err


def test_folder_that_is_named_by_itself_is_told_and_stops_no_other(run: Run, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "good.txt").write_text("The orchard has forty-two apple trees.", encoding="utf-8")

    code, out, _err = run("ingest", tmp_path / "folder", tmp_path / "good.txt", "--json")

    assert code == 1
    assert [item["state"] for item in json.loads(out)] == ["failed", "done"]


def test_file_over_the_limit_waits_for_a_word(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_INGEST__MAX_TEXT_MB", "1")
    line = "The orchard has forty-two apple trees of nine sorts.\n"
    (tmp_path / "large.txt").write_text(line * (1_200_000 // len(line)), encoding="utf-8")

    code, out, _err = run("ingest", tmp_path / "large.txt", "--json")
    assert code == 1
    assert json.loads(out)[0]["state"] == "too large"


def test_samples_all_become_memories(run: Run) -> None:
    items = answer(run, "ingest", resource("samples"), "--recursive", "--json")

    assert {item["state"] for item in items} == {"done"}
    assert len(items) == len(list(resource("samples").iterdir()))
    assert all(item["memories"] for item in items)


def test_doctor_of_a_vault_that_is_not_made_yet_makes_none(run: Run, vault: Path) -> None:
    found = answer(run, "doctor", "--json")

    assert found["exists"] is False
    assert found["problems"] == []
    assert not vault.exists()


def test_doctor_counts(run: Run) -> None:
    run("add", "one")

    found = answer(run, "doctor", "--json")

    assert found["memories"] == 1
    assert found["without_vector"] == 0
    assert found["integrity"] == "ok"
    assert found["schema"]
    assert found["problems"] == []
    assert "All is well" in run("doctor")[1]


def test_doctor_names_a_damaged_file_and_leaves_it_alone(run: Run, vault: Path) -> None:
    vault.mkdir()
    (vault / "vault.db").write_bytes(b"this is no database, and long enough to be looked at" * 40)
    before = (vault / "vault.db").read_bytes()

    code, out, _err = run("doctor", "--json")

    assert code == 1
    assert "integrity" in json.loads(out)["problems"]
    assert (vault / "vault.db").read_bytes() == before


def test_doctor_names_a_wrong_setting(run: Run, vault: Path) -> None:
    run("add", "one")
    (vault / "settings.toml").write_text("[ingest]\nmax_text_mb = 0\n", encoding="utf-8")

    code, out, _err = run("doctor", "--json")

    assert code == 1
    assert "opens" in json.loads(out)["problems"]


def test_doctor_asks_a_model_only_where_one_is_set_and_says_what_is_wrong(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("add", "one")
    assert answer(run, "doctor", "--json")["llm"] is None

    for name, value in {
        "ENDPOINT": "own",
        "ADDRESS": "http://127.0.0.1:9",
        "CHAT": "small",
        "API_KEY": "k",
    }.items():
        monkeypatch.setenv(f"REVERIE_MODEL__{name}", value)
    code, out, _err = run("doctor", "--json")

    assert code == 1
    assert json.loads(out)["problems"] == ["llm"]
    assert "Nothing answers at http://127.0.0.1:9/v1" in json.loads(out)["llm"]["error"]


def test_damaged_settings_stop_a_verb_without_a_traceback(run: Run, vault: Path) -> None:
    vault.mkdir()
    (vault / "settings.toml").write_text("[ingest\n", encoding="utf-8")

    code, _out, err = run("add", "one")

    assert code == 2
    assert "line 1" in err


def test_vault_option_stands_before_or_behind_the_verb(run: Run, tmp_path: Path) -> None:
    run("add", "one", "--vault", tmp_path / "other")
    assert len(answer(run, "--vault", tmp_path / "other", "search", "--json", "one")) == 1
    with Vault.open(tmp_path / "other") as other:
        assert other.memories.count() == 1


def test_a_process_of_its_own_does_the_same(vault: Path) -> None:
    """The installed program's way in, with nothing of this process: UTF-8 under LANG=C, quiet end, exit code."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "LANG": "C", "LC_ALL": "C"}

    def program(*arguments: str) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [sys.executable, "-m", "reverie", *arguments],
            env=env,
            capture_output=True,
            check=False,
            timeout=60,
        )

    assert program("add", "Größe 设备清单").returncode == 0
    found = program("search", "设备清单")
    assert "Größe 设备清单" in found.stdout.decode("utf-8")
    assert found.stderr == b""
    assert program("search").returncode == 2


def test_a_dream_is_told_and_undone_by_its_number(run: Run) -> None:
    with Vault.open() as vault:
        vault.memories.add("The key to the cellar hangs behind the kitchen door")
        vault.memories.add("the key to the cellar hangs behind the kitchen door")

    made = answer(run, "dream", "--json")
    assert made["state"] == "done"
    assert made["counts"]["merged"] == 2
    assert any(each["kind"] == "merge" for each in made["proposals"])
    assert len(answer(run, "search", "--json", "cellar")) == 1

    assert run("undo", "--changeset", made["operation"])[0] == 0
    assert len(answer(run, "search", "--json", "cellar")) == 2

    code, out, _err = run("dream")
    assert code == 0
    assert "merged" in out.splitlines()[-1]


def test_export_holds_everything(run: Run, tmp_path: Path) -> None:
    run("add", "Größe 设备清单")

    report = answer(run, "export", tmp_path / "all.json", "--json")

    dump = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    assert (dump["format"], dump["version"]) == ("reverie", 1)
    assert [memory["content"] for memory in dump["memories"]] == ["Größe 设备清单"]
    assert report["counts"]["memories"] == 1
    assert "memories: 1" in run("export", tmp_path / "again.json")[1]


@pytest.mark.parametrize("arguments", [("no/such/folder/all.json",), ("all.json", "--format", "papyrus")])
def test_export_that_can_not_be_written_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)

    code, out, err = run("export", *arguments)

    assert code in (1, 2)
    assert out == ""
    assert err.strip()
    assert not Path("all.json").exists()


def test_demo_does_it_all_in_a_folder_of_its_own(
    run: Run, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = tmp_path / "samples"
    samples.mkdir()
    (samples / "note.md").write_text(
        "# Delivery\n\nThe back door is too narrow for the new roaster.\n", encoding="utf-8"
    )
    monkeypatch.setattr("reverie.cli.demo.resource", lambda *_: samples)
    monkeypatch.setattr("reverie.cli.demo.window_module", lambda: None)

    code, out, _err = run("demo", tmp_path / "demo")

    assert code == 0
    assert "too narrow" in out
    assert str(tmp_path / "demo") in out
    assert json.loads((tmp_path / "demo" / "export.json").read_text(encoding="utf-8"))["memories"]
    assert not vault.exists()


def test_demo_leaves_a_folder_in_use_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")

    code, _out, err = run("demo", tmp_path)

    assert code == 2
    assert "nothing was changed" in err
    assert [each.name for each in tmp_path.iterdir()] == ["mine.txt"]


def test_arguments_that_are_not_utf8_end_with_a_word(run: Run) -> None:
    """As Python hands them over: with halves of surrogate pairs."""
    odd = "a\udcffb"
    run("add", "some text")
    for arguments in (
        ["search", "--kb", odd, "text"],
        ["search", "--tag", odd, "text"],
        ["dream", "--kb", odd],
        ["add", "--kb", odd, "more text"],
        ["ingest", "--kb", odd, os.devnull],
        ["search", "--vault", odd, "text"],
    ):
        code, _out, _err = run(*arguments)
        assert code in (0, 1, 2), arguments
