"""Groups of vectors that are near each other: average linkage, deterministic."""

import numpy as np


def clusters(vectors: np.ndarray, threshold: float) -> list[list[int]]:
    """Groups of two or more rows, each a sorted list of indexes; ordered by their first.

    vectors: (n, dimensions), unit rows; rows of zeros join nothing. Two groups are joined, nearest first, while
    the mean cosine between their members is at least the threshold. Time is cubic: meant for a batch of tens.
    """
    groups = [[index] for index in range(len(vectors)) if np.any(vectors[index])]
    cosines = vectors @ vectors.T if len(vectors) else np.zeros((0, 0))
    while len(groups) > 1:
        best, pair = threshold, None
        for one in range(len(groups)):
            for other in range(one + 1, len(groups)):
                mean = float(cosines[np.ix_(groups[one], groups[other])].mean())
                if mean >= best and (pair is None or mean > best):
                    best, pair = mean, (one, other)
        if pair is None:
            break
        groups[pair[0]] = sorted(groups[pair[0]] + groups.pop(pair[1]))
    return sorted(group for group in groups if len(group) > 1)
