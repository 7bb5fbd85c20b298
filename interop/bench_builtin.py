"""The built-in rules beside SaxonC, warm, on the same document, in one run.

Usage: bench_builtin.py PROGRAM CORPORA INVOICE [RATIO]

PROGRAM is the bench `judge` of crates/rules built with --release, INVOICE an invoice of BIS
Billing of about 20 kB. SaxonC reads the document and judges it with the official stylesheets of
EN 16931 and of Peppol, compiled before; the built-in engine reads it, checks its structure and
judges it with the built-in sets in force on the day of those stylesheets. Of many rounds the 20th
percentile counts, of Saxon in processor time, of ours in time that passes: a busy machine favours
Saxon. Ends with status 1 where the built-in engine is not RATIO (30) times faster.
"""

import json
import subprocess
import sys
from pathlib import Path

from bench_saxon import ROUNDS, theirs
from saxon.corpus import PHIVE, SETS
from saxon.engine import Saxon

DAY = "2026-06-01"
STYLESHEETS = (SETS[0][0], f"{PHIVE}/2026.5/PEPPOL-EN16931-UBL.sch")


def ours(program, invoice):
    command = [program, DAY, str(ROUNDS * 10), str(invoice)]
    done = subprocess.run(command, text=True, capture_output=True, check=True)
    return json.loads(done.stdout)


def main():
    program, root, invoice = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    wanted = float(sys.argv[4]) if len(sys.argv) > 4 else 30
    text, saxon = invoice.read_bytes(), Saxon()
    print(f"{invoice.name}, {len(text)} bytes; milliseconds, read and judged")
    total = 0.0
    for schema in STYLESHEETS:
        their = theirs(saxon, saxon.compile(root / schema), text)
        total += their
        print(f"Saxon     {Path(schema).stem[:40]:40} {their:8.3f}")
    answer = ours(program, invoice)
    our = answer["micros"] / 1000
    ratio = total / our
    print(f"Saxon     {'both':40} {total:8.3f}")
    print(f"built-in  {'structure, ' + ', '.join(answer['ruleSets'])}")
    print(f"built-in  {'all':40} {our:8.3f}   {ratio:.1f} times faster")
    return 0 if ratio >= wanted else 1


if __name__ == "__main__":
    sys.exit(main())
