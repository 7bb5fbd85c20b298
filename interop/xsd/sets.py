"""The schema sets, as `xtask structure list` prints them."""

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(eq=False)
class SchemaSet:
    id: str
    folders: list
    entries: list
    roots: set


def load_sets(programs, shared):
    done = subprocess.run([programs / "xtask", "structure", "list"], env={"QUOIN_SHARED": str(shared)},
                          capture_output=True, text=True, check=True)
    sets = []
    for line in done.stdout.splitlines():
        name, folders, entries, roots = line.split("\t")
        pairs = {tuple(root.rsplit(" ", 1)) for root in roots.split(";")}
        sets.append(SchemaSet(name, folders.split(";"), [Path(it) for it in entries.split(";")], pairs))
    return sets
