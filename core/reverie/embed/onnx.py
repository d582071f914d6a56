"""Sentence embeddings by ONNX Runtime: mean pooling over the tokens, unit length.

Pooling and limits are those of sentence-transformers' all-MiniLM-L6-v2 (mean of the last hidden states
under the attention mask, 256 tokens with the frame tokens, L2 norm).
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from reverie.embed.base import Vectors
from reverie.errors import UserError
from reverie.i18n import _

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

MAX_TOKENS = 256
# What the tokenizer reads of one text. 256 tokens of prose are about 1,200 characters; the rest would be
# tokenised for nothing (0.3 s a megabyte), and 64 a token leaves room for base64 and long addresses.
MAX_CHARACTERS = 64 * MAX_TOKENS
# A batch is closed at either bound. Padded tokens, not texts, decide what a run costs in memory: a process that embeds
# peaks at 160 MB with 1024 at once, at 190 MB with 2048, which is no faster.
MAX_BATCH_TEXTS = 32
MAX_BATCH_TOKENS = 1024
# Up to here a run needs so little memory that it need not wait for its turn: a query is never
# held up by the batches of an import.
LIGHT_TOKENS = 512

_MODEL_FILE = "model.onnx"
_TOKENIZER_FILE = "tokenizer.json"
_SUMS_FILE = "SHA256SUMS"

TokenIds: TypeAlias = list[int]


class OnnxEmbedder:
    """An ``Embedder`` over a folder with ``model.onnx`` and ``tokenizer.json``.

    The model's inputs are ``input_ids``, ``attention_mask`` and, if it has one, ``token_type_ids``, all
    int64 of shape (texts, tokens); its first output is the hidden states, float32 (texts, tokens, dimensions).

    The shipped model's activations have fixed ranges, so that a text has one vector, whatever it shares a batch with
    (a model of dynamic quantisation takes them from the batch: cosine down to 0.97 to the same text alone).
    """

    def __init__(self, folder: Path, model: str, threads: int = 2) -> None:
        sums = _sums(folder)
        digest = _checked_digest(folder / _MODEL_FILE, sums)
        _checked_digest(folder / _TOKENIZER_FILE, sums)
        self._tokenizer = _load_tokenizer(folder / _TOKENIZER_FILE)
        self._session = _load_session(folder / _MODEL_FILE, max(1, threads))
        self._inputs = frozenset(node.name for node in self._session.get_inputs())
        self._heavy = Lock()
        self._dimensions = _dimensions(self._session, self._inputs, folder / _MODEL_FILE)
        self._name = f"{model}@{digest[:8]}"

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.empty((len(texts), self._dimensions), dtype=np.float32)
        tokens = [self._tokenizer.encode(_readable(text)).ids for text in texts]
        for rows in _batches([len(ids) for ids in tokens]):
            vectors[rows] = self._embed_batch([tokens[row] for row in rows])
        return vectors

    def _embed_batch(self, batch: Sequence[TokenIds]) -> Vectors:
        ids, mask = _padded(batch)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        turn: AbstractContextManager[object] = nullcontext() if ids.size <= LIGHT_TOKENS else self._heavy
        with turn:
            states = self._session.run(None, {name: given[name] for name in self._inputs})[0]
        return _pooled(states, mask)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Row numbers, longest texts first, so that each batch holds texts of about one length and little padding."""
    batch: list[int] = []
    width = 0
    for row in sorted(range(len(lengths)), key=lambda row: -lengths[row]):
        if batch and (len(batch) == MAX_BATCH_TEXTS or width * (len(batch) + 1) > MAX_BATCH_TOKENS):
            yield batch
            batch = []
        if not batch:
            width = lengths[row]
        batch.append(row)
    if batch:
        yield batch


def _padded(batch: Sequence[TokenIds]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    ids = np.zeros((len(batch), max(map(len, batch))), dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, tokens in enumerate(batch):
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    return ids, mask


def _pooled(states: NDArray[np.float32], mask: NDArray[np.int64]) -> Vectors:
    # The mean's divisor falls out in the division by the norm.
    sums: Vectors = np.einsum("bth,bt->bh", states, mask.astype(np.float32))
    sums /= np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), np.float32(1e-12))
    return sums


def _readable(text: str) -> str:
    text = text[:MAX_CHARACTERS]
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which the tokenizer refuses with a TypeError
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _load_tokenizer(file: Path) -> "Tokenizer":
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise _no_runtime(error) from error
    try:
        # From memory: the library can't open a path that is not valid UTF-8.
        tokenizer = Tokenizer.from_buffer(file.read_bytes())
    except Exception as error:  # the library raises nothing narrower
        raise _damaged(file, str(error)) from error
    # The file of the model's authors asks for 128 tokens, padded to 128; the model was made for 256.
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def _load_session(file: Path, threads: int) -> "InferenceSession":
    try:
        import onnxruntime
    except ImportError as error:
        raise _no_runtime(error) from error
    onnxruntime.disable_telemetry_events()  # on by default in the Windows builds
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Would plan memory for each shape it meets and keep it all: an 8-bit file with 32-bit activations took a third more.
    options.enable_mem_pattern = False
    options.log_severity_level = 3  # errors; they come as exceptions as well
    try:
        return onnxruntime.InferenceSession(
            file.read_bytes(), sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # a dozen types without a common root
        raise _damaged(file, str(error)) from error


def _dimensions(session: "InferenceSession", inputs: frozenset[str], file: Path) -> int:
    known = {"input_ids", "attention_mask", "token_type_ids"}
    shape = session.get_outputs()[0].shape
    if (
        not {"input_ids", "attention_mask"} <= inputs <= known
        or len(shape) != 3
        or not isinstance(shape[2], int)
    ):
        raise _damaged(file, _("Its inputs or outputs are not those of a sentence encoder"))
    return shape[2]


def _sums(folder: Path) -> dict[str, str]:
    """File name to SHA-256 from the folder's ``SHA256SUMS`` (the format of sha256sum); empty without one."""
    try:
        lines = (folder / _SUMS_FILE).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise _damaged(folder / _SUMS_FILE, str(error)) from error
    return {
        name.lstrip("*"): digest for digest, name in (line.split(maxsplit=1) for line in lines if " " in line)
    }


def _checked_digest(file: Path, sums: dict[str, str]) -> str:
    try:
        with file.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except FileNotFoundError as error:
        raise UserError(_("The embedding model is missing"), detail=str(file), hint=_get_it_back()) from error
    except OSError as error:
        raise UserError(
            _("The embedding model can't be read"),
            detail=str(error),
            hint=_("Give yourself the right to read this file, or reinstall Reverie."),
            retryable=True,
        ) from error
    if digest != sums.get(file.name, digest):
        raise _damaged(file, _("It is not the file that SHA256SUMS names"))
    return digest


def _damaged(file: Path, reason: str) -> UserError:
    return UserError(_("The embedding model is damaged"), detail=f"{file}: {reason}", hint=_get_it_back())


def _no_runtime(error: ImportError) -> UserError:
    return UserError(
        _("The embedding runtime can't be loaded"),
        detail=str(error),
        hint=_(
            "Install it again: pip install --force-reinstall onnxruntime tokenizers. On Windows it needs the Microsoft Visual C++ Redistributable."
        ),
    )


def _get_it_back() -> str:
    return _("Reinstall Reverie; in a checkout, restore the folder with: git checkout -- resources/models")
