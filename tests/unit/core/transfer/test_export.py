import errno
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reverie.errors import Cancelled, UserError
from reverie.transfer import FORMATS
from reverie.transfer.export import export


def test_a_dump_is_one_object_with_every_field(filled, tmp_path):
    report = export(filled.dumps, tmp_path / "out.json")
    dump = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert (dump["format"], dump["version"]) == ("reverie", 1)
    assert dump["exported_at"].endswith("Z")
    assert report.counts == {
        "knowledge_bases": 2,
        "memories": 4,
        "insights": 1,
        "links": 1,
        "sessions": 2,
        "messages": 4,
    }
    assert {name: len(dump[name]) for name in report.counts} == report.counts
    assert report.size == (tmp_path / "out.json").stat().st_size
    first = dump["memories"][0]
    assert first["content"] == "Ada likes tea"
    assert first["tags"] == ["drinks"]
    assert first["metadata"] == {"a": {"b": [1, None, 0.5]}}
    assert {memory["state"] for memory in dump["memories"]} == {"active", "superseded", "trashed"}


def test_one_base_alone(filled, tmp_path):
    report = export(filled.dumps, tmp_path / "out.json", kb="work")
    assert report.counts == {
        "knowledge_bases": 1,
        "memories": 1,
        "insights": 0,
        "links": 0,
        "sessions": 1,
        "messages": 1,
    }


def test_an_empty_vault_is_a_valid_dump(vault, tmp_path):
    export(vault("empty").dumps, tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["memories"] == []


def test_what_json_or_utf8_has_no_word_for_is_still_written(filled, tmp_path):
    odd = filled.memories.add("Odd", metadata={"a": "\ud83d", "b": "😀"})
    export(filled.dumps, tmp_path / "out.json")
    dump = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    (record,) = [memory for memory in dump["memories"] if memory["id"] == odd.id]
    assert record["metadata"] == odd.metadata


def test_nothing_secret_is_in_it(filled, tmp_path):
    export(filled.dumps, tmp_path / "out.json")
    dump = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert dump.keys() == {
        "format",
        "version",
        "exported_at",
        "knowledge_bases",
        "memories",
        "insights",
        "links",
        "sessions",
        "messages",
    }


def test_it_shows_one_instant_of_the_vault(filled, tmp_path):
    """What is written while it is exported is in the next one."""

    def write_more(done, total, what):
        if done == 0:  # in a thread of its own: this one is looking at the vault as it was
            with ThreadPoolExecutor() as other:
                other.submit(filled.memories.add, "Later").result()

    report = export(filled.dumps, tmp_path / "out.json", progress=write_more)
    assert report.counts["memories"] == 4


def test_progress_goes_from_nothing_to_all(filled, tmp_path):
    seen = []
    export(filled.dumps, tmp_path / "out.json", progress=lambda done, total, what: seen.append((done, total)))
    assert seen[0] == (0, 14)
    assert seen[-1] == (14, 14)


def test_a_cancel_leaves_what_was_there(filled, tmp_path):
    target = tmp_path / "out" / "out.json"
    target.parent.mkdir()
    target.write_text("before", encoding="utf-8")
    with pytest.raises(Cancelled):
        export(filled.dumps, target, cancelled=lambda: True)
    assert target.read_text(encoding="utf-8") == "before"
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize(
    ("code", "word"), [(errno.ENOSPC, "full"), (errno.EACCES, "permission"), (errno.EIO, "could not")]
)
def test_what_the_disk_says_is_told_in_words_and_leaves_nothing(filled, tmp_path, monkeypatch, code, word):
    target = tmp_path / "out" / "out.json"
    target.parent.mkdir()

    def write(*_args, **_kwargs):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(type(FORMATS["json"]), "write", write)
    with pytest.raises(UserError, match=word) as error:
        export(filled.dumps, target)
    assert str(target) in error.value.detail
    assert list(target.parent.iterdir()) == []


def test_a_folder_that_there_is_not_and_a_folder_as_target(filled, tmp_path):
    with pytest.raises(UserError, match="no such folder"):
        export(filled.dumps, tmp_path / "missing" / "out.json")
    with pytest.raises(UserError, match="folder"):
        export(filled.dumps, tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is Linux's disk that is always full")
def test_a_disk_that_is_really_full(filled, tmp_path, monkeypatch):
    real = Path.open

    def full(self, *args, **fields):
        return (
            real(Path("/dev/full"), "w", encoding="utf-8")
            if self.suffix == ".part"
            else real(self, *args, **fields)
        )

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(UserError, match="full"):
        export(filled.dumps, tmp_path / "out.json")


def test_an_unknown_format_names_the_known_ones(filled, tmp_path):
    with pytest.raises(UserError, match="json"):
        export(filled.dumps, tmp_path / "out.xml", format="xml")


def test_a_link_is_written_through(filled, tmp_path):
    (tmp_path / "real.json").write_text("before", encoding="utf-8")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    export(filled.dumps, tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "real.json").read_text(encoding="utf-8"))["format"] == "reverie"


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes in folders there")
def test_a_pipe_or_device_is_never_replaced_by_a_file(filled, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(UserError, match="no ordinary file"):
        export(filled.dumps, pipe)
    assert pipe.is_fifo()


def test_a_name_that_no_file_can_have(filled, tmp_path):
    with pytest.raises(UserError, match="No file can have this name"):
        export(filled.dumps, tmp_path / "a\0b")
