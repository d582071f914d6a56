"""An absolute relevance in 0..1, beside the score that ranks: the same for every query and store size."""

import math
from collections.abc import Sequence

_PARAPHRASE = 0.85  # cosine, of MiniLM


def calibrated(cosine: float, floor: float) -> float:
    """A cosine as relevance: 0 at the model's floor, rising to 1 at 0.85 (a paraphrase for MiniLM)."""
    if floor >= _PARAPHRASE:  # a person may ask for more than that
        return 1.0 if cosine >= floor else 0.0
    return min(1.0, max(0.0, (cosine - floor) / (_PARAPHRASE - floor)))


def coverage(frequencies: Sequence[int], total: int, matched: Sequence[bool]) -> float:
    """The share of the query's information that a text holds, 0..1: words weigh by their rarity (IDF)."""
    weights = [math.log(1 + (total - n + 0.5) / (n + 0.5)) for n in frequencies]
    whole = sum(weights)
    if not whole:
        return 0.0
    return sum(weight for weight, hit in zip(weights, matched, strict=True) if hit) / whole


def combined(cosine_part: float, coverage_part: float) -> float:
    """Either side alone can carry; both together are surer (noisy or, words weighed a little less)."""
    return 1 - (1 - cosine_part) * (1 - 0.8 * coverage_part * coverage_part)
