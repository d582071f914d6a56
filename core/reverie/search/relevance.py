"""An absolute relevance in 0..1, beside the score that ranks: the same for every query and store size."""

import numpy as np
from numpy.typing import NDArray

_PARAPHRASE = 0.85  # cosine, of MiniLM
_WORDS_ALONE = 0.8  # the most that words can give without meaning

Floats = NDArray[np.float32]


def calibrated(cosine: Floats, floor: float) -> Floats:
    """Cosines as relevance: 0 at the model's floor (or where it is NaN), rising to 1 at 0.85, a paraphrase for MiniLM."""
    cosine = np.nan_to_num(cosine, nan=-1.0)
    if floor >= _PARAPHRASE:  # a person may ask for more than that
        return np.asarray(cosine >= floor, np.float32)
    return np.asarray(np.clip((cosine - floor) / (_PARAPHRASE - floor), 0, 1), np.float32)


def relevance(cosine: Floats, coverage: Floats, floor: float) -> Floats:
    """Either side alone can carry, both together are surer (noisy or).

    coverage: the share of the question's information that the text holds; words that stand nowhere in the store are
    part of the question too.
    """
    both_miss = (1 - calibrated(cosine, floor)) * (1 - _WORDS_ALONE * coverage * coverage)
    return (1 - both_miss).astype(np.float32)
