#!/bin/sh
# Resolves all dependencies anew in a fresh virtual environment and writes packaging/constraints.txt.
# Run it with the oldest Python that Reverie supports (PYTHON=python3.11), so that every release that
# is pinned runs there.
set -eu
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
packaging/make-venv.sh "$scratch/venv"
python="$scratch/venv/bin/python"

"$python" -m pip install --quiet --disable-pip-version-check --upgrade pip
"$python" -m pip install --quiet --disable-pip-version-check hatchling editables ".[gui,dev,bench]"

{
    echo "# Releases that are known to work together. Made by 'make constraints'; not edited by hand."
    # Names and versions alone: no address of an index, no path of a machine.
    "$python" -m pip freeze --exclude reverie --exclude pip --exclude setuptools | grep -E '^[A-Za-z0-9._-]+==[^ @]+$'
} >"$scratch/constraints.txt"
mv "$scratch/constraints.txt" packaging/constraints.txt
chmod 644 packaging/constraints.txt
echo "$(grep -c == packaging/constraints.txt) releases pinned in packaging/constraints.txt"
