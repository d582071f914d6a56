"""Everything that can lie in an inbox ends in a clear state; nothing is lost, one bad file stops no other."""

import os
import time

import pytest

from reverie import Vault
from reverie.domain.inbox import ItemState, Override
from reverie.errors import Cancelled, NotFound, UserError
from reverie.reason.base import Description

PROSE = "The harbour bridge is closed on Mondays. Use the ferry instead.\n"


@pytest.fixture
def vault(tmp_path):
    with Vault.open(tmp_path / "vault") as vault:
        yield vault


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.txt"
    path.write_text(PROSE, encoding="utf-8")
    return path


def contents(vault):
    return [memory.content for memory in vault.memories.list(limit=500)]


class TestAGoodFile:
    def test_becomes_memories_that_lead_back_to_it(self, vault, good):
        (item,) = vault.ingest(good)
        assert item.state is ItemState.DONE
        (memory,) = vault.memories.get_many(item.memories)
        assert memory.content.strip() == PROSE.strip()
        assert memory.provenance.source == "good.txt"
        assert memory.provenance.item == item.id
        assert (vault.path / memory.provenance.file).read_text(encoding="utf-8") == PROSE
        assert memory.author == f"ingest:{item.id}"
        assert vault.search("ferry", mode="keyword")[0].memory.id == memory.id

    def test_is_copied_never_moved_from_where_it_lay(self, vault, good):
        vault.ingest(good)
        assert good.read_text(encoding="utf-8") == PROSE
        assert [path.name for path in vault.inbox.folder_of("default").iterdir()] == ["processed"]

    def test_is_one_changeset_that_can_be_undone_and_taken_in_again(self, vault, good):
        (item,) = vault.ingest(good)
        (changeset,) = vault.history.list()
        assert (changeset.kind, changeset.author) == ("ingest file", f"ingest:{item.id}")
        vault.undo(changeset.id)
        assert contents(vault) == []
        (again,) = vault.ingest(good)
        assert again.state is ItemState.DONE
        assert len(contents(vault)) == 1

    def test_with_the_same_content_is_known_under_any_name(self, vault, good, tmp_path):
        (first,) = vault.ingest(good)
        twin = tmp_path / "twin.md"
        twin.write_bytes(good.read_bytes())
        (second,) = vault.ingest(twin)
        assert (second.state, second.duplicate_of) == (ItemState.KNOWN, first.id)
        assert "good.txt" in second.reason
        assert len(contents(vault)) == 1
        assert len(list((vault.inbox.folder_of("default") / "processed").iterdir())) == 1

    def test_goes_to_the_base_that_was_named(self, vault, good):
        vault.ingest(good, kb="work")
        assert [memory.kb for memory in vault.memories.list()] == ["work"]
        assert (vault.path / "inbox" / "work" / "processed" / "good.txt").is_file()

    def test_of_a_taken_name_gets_a_number(self, vault, tmp_path):
        for n in range(2):
            path = tmp_path / str(n) / "notes.txt"
            path.parent.mkdir()
            path.write_text(f"Notes of day number {n}, all different.", encoding="utf-8")
            vault.ingest(path)
        kept = sorted(path.name for path in (vault.inbox.folder_of("default") / "processed").iterdir())
        assert kept == ["notes (2).txt", "notes.txt"]


def make_empty(folder):
    path = folder / "empty.txt"
    path.touch()
    return path


def make_empty_pdf(folder):
    path = folder / "empty.pdf"
    path.touch()
    return path


def make_blank(folder):
    path = folder / "blank.md"
    path.write_text(" \n\n\t\n", encoding="utf-8")
    return path


def make_malformed_json(folder):
    path = folder / "bad.json"
    path.write_text('{"a": 1,\n "b": }', encoding="utf-8")
    return path


def make_directory(folder):
    path = folder / "folder.txt"
    path.mkdir()
    return path


def make_loop(folder):
    path = folder / "loop.txt"
    path.symlink_to(path)
    return path


def make_missing(folder):
    return folder / "not there.txt"


def make_junk(folder):
    path = folder / "junk.txt"
    path.write_bytes(bytes(range(256)) * 40)
    return path


def make_broken_pdf(folder):
    path = folder / "broken.pdf"
    path.write_bytes(b"%PDF-1.7\nthis is where it ends")
    return path


def make_short(folder):
    path = folder / "short.txt"
    path.write_text("ok", encoding="utf-8")
    return path


def make_fifo(folder):
    path = folder / "pipe.txt"
    os.mkfifo(path)
    return path


BAD = [
    (make_empty, "empty"),
    (make_empty_pdf, "empty"),
    (make_blank, "no words"),
    (make_malformed_json, "line 2"),
    (make_directory, "folder"),
    (make_loop, "back to itself"),
    (make_missing, "not there"),
    (make_junk, ""),
    (make_broken_pdf, ""),
    (make_fifo, "no ordinary file"),
    (make_short, "no text worth"),
]


class TestABadFile:
    @pytest.mark.parametrize(("make", "word"), BAD, ids=[make.__name__ for make, _ in BAD])
    def test_fails_with_its_reason_and_stops_no_other(self, vault, good, tmp_path, make, word):
        bad, fine = vault.ingest([make(tmp_path), good])
        assert bad.state is ItemState.FAILED
        assert word in bad.reason.lower()
        assert bad.hint
        assert fine.state is ItemState.DONE
        assert len(contents(vault)) == 1

    def test_stays_where_it_is_and_can_be_tried_again(self, vault, tmp_path):
        (item,) = vault.ingest(make_malformed_json(tmp_path))
        kept = vault.path / item.path
        assert kept.is_file()
        kept.write_text('{"note": "The harbour bridge is closed on Mondays."}', encoding="utf-8")
        assert vault.inbox.retry(item.id).state is ItemState.WAITING
        assert vault.inbox.run() == 1
        assert vault.inbox.get(item.id).state is ItemState.DONE
        assert not kept.exists()

    def test_without_permission_says_so(self, vault, good, monkeypatch):
        def refuse(path, *args, **kwargs):
            raise PermissionError(13, "Permission denied")

        with monkeypatch.context() as patched:  # not by chmod: root may read everything
            patched.setattr("pathlib.Path.open", refuse)
            (item,) = vault.inbox.add([good])
        assert (item.state, item.retryable) == (ItemState.FAILED, True)
        assert "permission" in item.reason.lower()

    def test_on_a_full_disk_waits_with_the_reason(self, vault, good, monkeypatch):
        def full(source, target):
            target.write_bytes(b"half")
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("shutil.copyfile", full)
        (item,) = vault.ingest(good)
        assert (item.state, item.retryable) == (ItemState.FAILED, True)
        assert "disk is full" in item.reason.lower()
        assert list(vault.inbox.folder_of("default").iterdir()) == []

    def test_can_be_ignored_and_taken_up_again(self, vault, tmp_path):
        (item,) = vault.ingest(make_empty(tmp_path))
        assert vault.inbox.ignore(item.id).state is ItemState.IGNORED
        assert vault.inbox.retry(item.id).state is ItemState.WAITING


class TestOddButGood:
    def test_a_name_that_is_not_unicode(self, vault, tmp_path):
        raw = os.fsencode(tmp_path) + b"/caf\xe9.txt"
        with open(raw, "wb") as stream:
            stream.write(PROSE.encode())
        (item,) = vault.ingest(os.fsdecode(raw))
        assert item.state is ItemState.DONE
        assert item.name == "caf\ufffd.txt"

    def test_json_with_a_byte_order_mark(self, vault, tmp_path):
        path = tmp_path / "notepad.json"
        path.write_bytes(b"\xef\xbb\xbf" + b'[{"name": "Aiko", "note": "is allergic to shellfish"}]')
        (item,) = vault.ingest(path)
        assert item.state is ItemState.DONE

    def test_half_an_emoji_in_json(self, vault, tmp_path):
        path = tmp_path / "emoji.json"
        path.write_text('[{"text": "cut in half \\ud83d here, sadly"}]', encoding="utf-8")
        (item,) = vault.ingest(path)
        assert item.state is ItemState.DONE
        assert "\ufffd" in contents(vault)[0]

    def test_a_stray_byte_names_its_place(self, vault, tmp_path):
        path = tmp_path / "latin.md"
        path.write_bytes(b"The caf\xe9 by the harbour opens at eight.")
        (item,) = vault.ingest(path)
        assert item.state is ItemState.DONE
        assert "7" in item.reason
        assert "caf\u00e9" in contents(vault)[0]

    def test_a_ragged_csv(self, vault, tmp_path):
        path = tmp_path / "ragged.csv"
        path.write_text("name,town\nAiko,Linz\nLena\nTomas,Graz,extra\n", encoding="utf-8")
        (item,) = vault.ingest(path)
        assert item.state is ItemState.DONE
        assert all(name in " ".join(contents(vault)) for name in ("Aiko", "Lena", "Tomas", "extra"))

    def test_a_very_long_name(self, vault, tmp_path):
        path = tmp_path / ("n" * 250 + ".txt")
        path.write_text(PROSE, encoding="utf-8")
        (item,) = vault.ingest(path)
        assert item.state is ItemState.DONE


class TestTooLarge:
    @pytest.fixture
    def large(self, tmp_path, vault):
        vault.change_setting("ingest.max_text_mb", 1)
        path = tmp_path / "large.txt"
        with path.open("w", encoding="utf-8") as stream:
            for n in range(22000):
                stream.write(f"Line {n} tells of the harbour and of the bridge.\n")
        return path

    def test_waits_for_an_answer_where_it_lies(self, vault, large):
        (item,) = vault.ingest(large)
        assert item.state is ItemState.TOO_LARGE
        assert item.path == str(large)
        assert contents(vault) == []

    @pytest.mark.timeout(300)
    def test_the_first_part_can_be_read(self, vault, large, monkeypatch):
        monkeypatch.setattr(
            "reverie.reason.builtin.Builtin.describe",
            lambda self, texts, cancelled=None: [Description("A summary.")] * len(texts),
        )
        (item,) = vault.ingest(large)
        vault.inbox.retry(item.id, Override.FIRST_PART)
        vault.inbox.run()
        item = vault.inbox.get(item.id)
        assert item.state is ItemState.DONE
        text = " ".join(contents(vault))
        assert len(item.memories) > 100
        assert "Line 21999" not in text
        assert large.is_file()

    @pytest.fixture
    def slices(self, monkeypatch):
        """Reads in slices of 100 KB, in this process; gives the characters of each."""
        from reverie.ingest import isolated, pipeline
        from reverie.ingest.extractors import files

        monkeypatch.setattr(files, "SLICE", 100_000)
        monkeypatch.setattr(isolated, "SMALL", 10**9)
        seen = []
        real = pipeline.chunk

        def counting(parts, words):
            seen.append(sum(len(part.text) for part in parts))
            return real(parts, words)

        monkeypatch.setattr(pipeline, "chunk", counting)
        monkeypatch.setattr(
            "reverie.reason.builtin.Builtin.describe",
            lambda self, texts, cancelled=None: [Description("A summary.")] * len(texts),
        )
        return seen

    def test_anyway_reads_all_of_a_text_slice_by_slice_as_one_act(self, vault, large, slices):
        (item,) = vault.ingest(large)
        vault.inbox.retry(item.id, Override.ANYWAY)
        vault.inbox.run()
        item = vault.inbox.get(item.id)
        assert item.state is ItemState.DONE
        assert len(slices) > 10
        assert max(slices) <= 100_000
        texts = [memory.content for memory in vault.memories.get_many(item.memories)]
        told = [line for text in texts for line in text.splitlines() if line]
        assert sorted(told) == sorted(large.read_text(encoding="utf-8").splitlines())
        (changeset,) = vault.history.list()
        vault.undo(changeset.id)
        assert contents(vault) == []

    def test_stopped_between_two_slices_nothing_stays_and_it_waits(self, vault, large, slices):
        (item,) = vault.ingest(large)
        vault.inbox.retry(item.id, Override.ANYWAY)
        with pytest.raises(Cancelled):
            vault.inbox.run(cancelled=lambda: len(slices) > 8)
        assert vault.inbox.get(item.id).state is ItemState.WAITING
        assert vault.history.list() == []
        assert contents(vault) == []
        slices.clear()
        vault.inbox.run(cancelled=lambda: False)
        assert vault.inbox.get(item.id).state is ItemState.DONE

    def test_a_300_mb_file_is_refused_at_once_and_not_copied(self, vault, tmp_path):
        path = tmp_path / "huge.txt"
        with path.open("wb") as stream:
            stream.truncate(300 * 1024 * 1024)
        started = time.monotonic()
        (item,) = vault.ingest(path)
        assert item.state is ItemState.TOO_LARGE
        assert time.monotonic() - started < 5
        assert not any(vault.inbox.folder_of("default").glob("*"))


class TestPasting:
    def test_makes_a_file_of_the_text(self, vault):
        item = vault.inbox.paste("Priya wants weekly summaries in plain text, never HTML.")
        assert item.state is ItemState.WAITING
        assert vault.inbox.run() == 1
        assert contents(vault) == ["Priya wants weekly summaries in plain text, never HTML."]

    @pytest.mark.parametrize("text", ["", "  \n"])
    def test_nothing_is_refused(self, vault, text):
        with pytest.raises(UserError, match="no text"):
            vault.inbox.paste(text)


class TestFolders:
    def put(self, folder, name, text=PROSE):
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / name
        path.write_text(text, encoding="utf-8")
        os.utime(path, (1, 1))
        return path

    def test_a_file_put_into_the_inbox_is_taken_up_and_moved(self, vault):
        path = self.put(vault.inbox.folder_of("default"), "dropped.txt")
        assert vault.inbox.run() == 1
        assert not path.exists()
        assert (path.parent / "processed" / "dropped.txt").is_file()
        self.put(path.parent, "dropped.txt", "A later file of the same name, with other text.")
        assert vault.inbox.run() == 1
        assert len(contents(vault)) == 2

    def test_a_file_still_being_written_is_left_alone(self, vault):
        folder = vault.inbox.folder_of("default")
        folder.mkdir(parents=True)
        (folder / "fresh.txt").write_text(PROSE, encoding="utf-8")
        assert vault.inbox.look() == 0

    def test_hidden_files_and_half_copies_are_no_items(self, vault):
        self.put(vault.inbox.folder_of("default"), ".notes.txt.part")
        assert vault.inbox.run() == 0

    def test_a_watched_folder_is_copied_from_never_moved(self, vault, tmp_path):
        outside = self.put(tmp_path / "watched", "outside.txt")
        vault.inbox.watch(tmp_path / "watched")
        assert vault.inbox.run() == 1
        assert vault.inbox.run() == 0
        assert outside.is_file()
        assert len(contents(vault)) == 1
        vault.inbox.unwatch(tmp_path / "watched")
        self.put(tmp_path / "watched", "later.txt", "Something else entirely, written later.")
        assert vault.inbox.run() == 0

    def test_a_folder_that_is_not_there_can_not_be_watched(self, vault, tmp_path):
        with pytest.raises(UserError, match="no folder"):
            vault.inbox.watch(tmp_path / "nowhere")

    def test_the_worker_finds_new_files_by_itself(self, vault):
        vault.change_setting("ingest.watch_interval_s", 0.5)
        vault.inbox.start()
        self.put(vault.inbox.folder_of("default"), "found.txt")
        until = time.monotonic() + 30
        while not contents(vault) and time.monotonic() < until:
            time.sleep(0.1)
        assert len(contents(vault)) == 1


class TestStopping:
    def test_keeps_whole_items_and_says_how_many(self, vault, tmp_path):
        paths = []
        for n in range(4):
            path = tmp_path / f"{n}.txt"
            path.write_text(f"File number {n} tells of the harbour.", encoding="utf-8")
            paths.append(path)

        def stop():
            return len(vault.memories.ids()) >= 2

        with pytest.raises(Cancelled) as caught:
            vault.ingest(paths, cancelled=stop)
        assert caught.value.finished == 2
        states = sorted(item.state for item in vault.inbox.items())
        assert states == ["done", "done", "waiting", "waiting"]
        assert vault.inbox.run() == 2
        assert len(contents(vault)) == 4


def test_without_an_embedder_a_file_is_read_all_the_same(tmp_path, good, monkeypatch):
    def fail():
        raise UserError("The embedding model is missing")

    monkeypatch.setattr("reverie.vault._load_embedder", fail)
    with Vault.open(tmp_path / "v2") as vault:
        (item,) = vault.ingest(good)
        assert item.state is ItemState.DONE
        assert vault.search("ferry")


def test_an_unknown_item_is_told(vault):
    with pytest.raises(NotFound):
        vault.inbox.retry("nothing")


@pytest.mark.parametrize("kb", ["../../outside", "a/b", "/absolute", "..", "", "a\0b"])
def test_a_base_that_can_not_be_leaves_no_file_anywhere(vault, good, kb, tmp_path):
    before = set(tmp_path.rglob("*.txt"))
    with pytest.raises(UserError, match="knowledge base"):
        vault.ingest(good, kb=kb)
    with pytest.raises(UserError, match="knowledge base"):
        vault.inbox.paste(PROSE, kb=kb)
    assert set(tmp_path.rglob("*.txt")) == before


def test_a_name_with_a_nul_is_a_failed_item(vault, good):
    bad, fine = vault.ingest(["/no\0name.txt", good])
    assert (bad.state, fine.state) == (ItemState.FAILED, ItemState.DONE)
