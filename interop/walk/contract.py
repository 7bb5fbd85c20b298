"""Whether every sentence of the contract has a row in contract.tsv, and every row tests that exist.

The contract lies beside the checkout (or where QUOIN_SHARED says); without it the rows alone are held
against the tests. `--print` shows the sentences that have no row, to be given one.
"""

import os
import re
import sys
from pathlib import Path

import sentences

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TEST = re.compile(r"#\[(?:tokio::)?test[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:async )?fn (\w+)")
# What a row may say instead of a test.
EXCUSES = re.compile(r"(context|not said|not built: .+)$")


def tests() -> set[str]:
    """The names of all tests of the workspace."""
    return {
        name
        for path in (ROOT / "crates").rglob("*.rs")
        if "target" not in path.parts
        for name in TEST.findall(path.read_text(encoding="utf-8"))
    }


def rows():
    """Yields (section, digest, tests, excuse) of each row."""
    for line in (HERE / "contract.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        section, digest, _, what = line.split("\t")
        named, _, excuse = what.partition("- ")
        yield section, digest, named.split(), excuse


def main() -> int:
    known, wrong, listed = tests(), [], {}
    for section, digest, named, excuse in rows():
        if digest in listed:
            wrong.append(f"{section} {digest}: two rows")
        listed[digest] = section
        wrong += [f"{section} {digest}: there is no test {name}" for name in named if name not in known]
        if excuse and not EXCUSES.match(excuse):
            wrong.append(f"{section} {digest}: {excuse!r} is neither a test nor a reason")
        if not named and not excuse:
            wrong.append(f"{section} {digest}: no test and no reason")
    shared = Path(os.environ.get("QUOIN_SHARED", ROOT.parent / "shared"))
    contract = shared / "spec" / "interface-specification.md"
    if contract.exists():
        said = sentences.of(contract)
        lost = [row for row in said if row[1] not in listed]
        wrong += [f"{section} {digest}: no row for: {text}" for section, digest, text in lost]
        gone = set(listed) - {digest for _, digest, _ in said}
        wrong += [f"{listed[digest]} {digest}: the contract has no such sentence" for digest in gone]
        print(f"contract: {len(said)} sentences, {len(listed)} rows")
    else:
        print(f"skipped: the sentences of the contract: there is none at {contract}")
        print(f"contract: {len(listed)} rows")
    open_rows = sum(excuse.startswith("not built") for _, _, _, excuse in rows())
    print(f"contract: {open_rows} rows of which something is not built")
    for line in wrong:
        print(f"WRONG {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
