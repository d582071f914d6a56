"""The int8 form of a BERT-shaped sentence encoder, written node by node for ONNX Runtime.

Why not ``quantize_dynamic``: it takes the range of the activations from each batch, so that a text's vector depends on
its neighbours (cosine down to 0.97 between alone and in company). Here the ranges are fixed beforehand:

- weights: 7 bits (-63 to 63), a scale for each output channel. Processors with AVX2 but no VNNI add pairs of
  products in 16 bits, which 8-bit weights overflow (255 * 127 * 2 > 32767);
- activations: 8 bits, one scale and zero point for each tensor, from calibration texts;
- a few channels of a transformer are much wider than the rest; each input is divided by a factor a channel and the
  weights are multiplied by it, somewhere between the two (SmoothQuant, Xiao et al., arXiv 2211.10438);
- word table: 8 bits with a scale for each row;
- GELU by its tanh form (the vectorised kernel), residual sums as ``Sum``: ONNX Runtime would join ``Add`` and
  LayerNormalization into one kernel that takes about five times as long as the two.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Array = NDArray[np.float64]
FUSED = "com.microsoft"
LINEARS = ("query", "dense", "up", "down")  # the inputs that are quantised; key and value share query's
# 0 leaves the channels as they are, 1 makes the activations equally wide. The best of a dozen tried by the cosine to
# fp32 on 160 turns and questions of LoCoMo (not by recall).
SMOOTHING = {"query": 0.7, "dense": 0.7, "up": 0.7, "down": 0.85}
HEADROOM = 1.1  # texts to come may reach a little further than those of the calibration
WEIGHT_LIMIT = 63
ACTIVATION_LEVELS = 255


@dataclass
class Graph:
    """Nodes and constants in the order they are made; each node has one output, named after it."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)

    def node(self, kind: str, inputs: Sequence[str], *, domain: str = "", **attributes: object) -> str:
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, domain=domain, **attributes))
        return name

    def constant(self, value: NDArray[np.generic]) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def floats(self, value: object) -> str:
        return self.constant(np.asarray(value, dtype=np.float32))


@dataclass(frozen=True)
class Encoder:
    """weights: by name, matrices as (in, out). inputs: (layer, linear) to the calibration's activations (tokens, in)."""

    weights: Mapping[str, Array]
    inputs: Mapping[tuple[int, str], Array]
    layers: int
    heads: int
    epsilon: float

    def linear(self, layer: int, *names: str) -> tuple[Array, Array]:
        """Weight and bias of one linear layer, or of several side by side."""
        pairs = [
            (self.weights[f"layers.{layer}.{n}.weight"], self.weights[f"layers.{layer}.{n}.bias"])
            for n in names
        ]
        return np.concatenate([pair[0] for pair in pairs], 1), np.concatenate([pair[1] for pair in pairs])


def build(encoder: Encoder) -> onnx.ModelProto:
    graph = Graph()
    mask = graph.node("Cast", ["attention_mask"], to=TensorProto.INT32)
    states = _embeddings(graph, encoder)
    for layer in range(encoder.layers):
        states = _layer(graph, encoder, layer, states, mask)
    graph.nodes[-1].output[0] = "last_hidden_state"
    return _model(graph, encoder)


def _embeddings(graph: Graph, encoder: Encoder) -> str:
    table = encoder.weights["word.weight"]
    scales = np.abs(table).max(1, keepdims=True) / 127
    rows = graph.node("Gather", [graph.constant(np.round(table / scales).astype(np.int8)), "input_ids"])
    words = graph.node(
        "Mul",
        [
            graph.node("Cast", [rows], to=TensorProto.FLOAT),
            graph.node("Gather", [graph.floats(scales), "input_ids"]),
        ],
    )
    zero, one = graph.constant(np.array([0])), graph.constant(np.array([1]))
    length = graph.node("Gather", [graph.node("Shape", ["input_ids"]), one])
    # Every text is of the first kind ("sentence A"), so that its row is part of each place.
    places = graph.floats(encoder.weights["position.weight"] + encoder.weights["kind.weight"][0])
    summed = graph.node("Add", [words, graph.node("Slice", [places, zero, length, zero])])
    return _norm(graph, encoder, summed, "norm")


def _layer(graph: Graph, encoder: Encoder, layer: int, states: str, mask: str) -> str:
    context = _attention(graph, encoder, layer, states, mask)
    attended = _linear(graph, encoder, layer, "dense", context, folded=True)
    states = _norm(graph, encoder, graph.node("Sum", [states, attended]), f"layers.{layer}.norm")
    inner = _linear(graph, encoder, layer, "up", states)
    changed = _linear(graph, encoder, layer, "down", graph.node("FastGelu", [inner], domain=FUSED))
    return _norm(graph, encoder, graph.node("Sum", [states, changed]), f"layers.{layer}.norm2")


def _attention(graph: Graph, encoder: Encoder, layer: int, states: str, mask: str) -> str:
    weight, bias = encoder.linear(layer, "query", "key", "value")
    # What attention gives out is linear in the values, channel by channel: the next layer's factors go in here.
    values = slice(2 * weight.shape[0], None)
    factors = _factors(encoder, layer, "dense", encoder.linear(layer, "dense")[0])
    weight[:, values] /= factors
    bias[values] /= factors
    own = _factors(encoder, layer, "query", weight)
    quantised, scale, zero = _quantised(graph, states, encoder.inputs[layer, "query"], own)
    integers, scales, zeros = _weights(graph, weight * own[:, None])
    return graph.node(
        "QAttention",
        [quantised, integers, graph.floats(bias), scale, scales, mask, zero, zeros],
        domain=FUSED,
        num_heads=encoder.heads,
    )


def _linear(
    graph: Graph, encoder: Encoder, layer: int, name: str, states: str, *, folded: bool = False
) -> str:
    """folded: the states come divided by the factors already."""
    weight, bias = encoder.linear(layer, name)
    own = _factors(encoder, layer, name, weight)
    quantised, scale, zero = _quantised(graph, states, encoder.inputs[layer, name], own, folded=folded)
    integers, scales, zeros = _weights(graph, weight * own[:, None])
    inputs = [quantised, integers, scale, scales, zero, zeros, graph.floats(bias)]
    return graph.node("MatMulIntegerToFloat", inputs, domain=FUSED)


def _factors(encoder: Encoder, layer: int, name: str, weight: Array) -> Array:
    share = SMOOTHING[name]
    wide = np.abs(encoder.inputs[layer, name]).max(0) + 1e-5
    factors = wide**share / (np.abs(weight).max(1) + 1e-5) ** (1 - share)
    return np.asarray(factors / np.exp(np.log(factors).mean()))


def _quantised(
    graph: Graph, states: str, seen: Array, factors: Array, *, folded: bool = False
) -> tuple[str, str, str]:
    """The states as unsigned bytes, with the names of their scale and zero point."""
    reduced = seen / factors
    low, high = min(float(reduced.min()), 0.0) * HEADROOM, max(float(reduced.max()), 0.0) * HEADROOM
    step = (high - low) / ACTIVATION_LEVELS
    scale, zero = graph.floats(step), graph.constant(np.array(round(-low / step), dtype=np.uint8))
    if not folded:
        states = graph.node("Mul", [states, graph.floats(1 / factors)])
    return graph.node("QuantizeLinear", [states, scale, zero]), scale, zero


def _weights(graph: Graph, weight: Array) -> tuple[str, str, str]:
    scales = np.abs(weight).max(0) / WEIGHT_LIMIT
    integers = np.round(weight / scales).astype(np.int8)
    return (
        graph.constant(integers),
        graph.floats(scales),
        graph.constant(np.zeros(weight.shape[1], dtype=np.int8)),
    )


def _norm(graph: Graph, encoder: Encoder, states: str, name: str) -> str:
    gain, shift = (
        graph.floats(encoder.weights[f"{name}.weight"]),
        graph.floats(encoder.weights[f"{name}.bias"]),
    )
    return graph.node("LayerNormalization", [states, gain, shift], axis=-1, epsilon=encoder.epsilon)


def _model(graph: Graph, encoder: Encoder) -> onnx.ModelProto:
    def texts(name: str, kind: int, *more: int) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, kind, ["texts", "tokens", *more])

    inputs = [texts("input_ids", TensorProto.INT64), texts("attention_mask", TensorProto.INT64)]
    width = encoder.weights["word.weight"].shape[1]
    outputs = [texts("last_hidden_state", TensorProto.FLOAT, width)]
    body = helper.make_graph(graph.nodes, "all-MiniLM-L6-v2", inputs, outputs, graph.constants)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)]
    return helper.make_model(body, opset_imports=opsets, ir_version=8, producer_name="reverie")
