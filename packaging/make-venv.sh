#!/bin/sh
# Makes a virtual environment with the newest suitable Python: make-venv.sh FOLDER
# A certain one is taken with PYTHON=/path/to/python3.12.
set -eu

suits() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

found=""
for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
    if suits "$candidate"; then
        found=$candidate
        break
    fi
done

if [ -z "$found" ]; then
    echo "Reverie needs Python 3.11 or newer, and ${PYTHON:-python3} is not (found: $(${PYTHON:-python3} --version 2>&1 | head -n 1)). Install one, or name it: make run PYTHON=/path/to/python3.12" >&2
    exit 1
fi

if ! "$found" -c 'import ensurepip, venv' >/dev/null 2>&1; then
    version=$("$found" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    echo "$found can't make virtual environments. On Debian and Ubuntu: sudo apt install python$version-venv" >&2
    exit 1
fi

# One that was left half made can't be built upon.
"$found" -m venv --clear "$1"
