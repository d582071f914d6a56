"""Vaults taken out and brought back. A new format is a module here and a line in FORMATS."""

from collections.abc import Mapping

from reverie.transfer.formats import Format
from reverie.transfer.json_dump import JsonDump

FORMATS: Mapping[str, Format] = {each.name: each for each in (JsonDump(),)}
