"""Our Schematron engine and SaxonC, warm, on the same documents and rule sets, in one run.

Usage: bench_saxon.py PROGRAM CORPORA INVOICE [RATIO]

PROGRAM is the example `schematron` of crates/xml built with --release, INVOICE an invoice of about
20 kB. Both sides read the document and judge it with rules compiled before. Of many rounds the 20th
percentile counts, of Saxon in processor time, of ours in time that passes: a busy machine favours
Saxon. Ends with status 1 where EN 16931 + Peppol is not RATIO (10) times faster.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

from saxon.corpus import PHIVE, SETS
from saxon.engine import Saxon

ROUNDS = 60


def theirs(saxon, stylesheet, text):
    document = saxon.parse_bytes(text)  # once more below: only to warm up
    saxon.judge(stylesheet, document)
    plain = text.decode()
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        stylesheet.transform_to_string(xdm_node=saxon.parse(plain))
        times.append(time.process_time() - started)
    return sorted(times[ROUNDS // 5:])[ROUNDS // 6] * 1000


def ours(program, root, schema, document):
    job = {"folder": str(root), "main": schema, "documents": [str(document)], "repeat": ROUNDS * 5}
    done = subprocess.run([program], input=json.dumps(job) + "\n", text=True, capture_output=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return lines[0]["compile"] / 1000, lines[1]["micros"] / 1000


def main():
    program, root, invoice = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    wanted = float(sys.argv[4]) if len(sys.argv) > 4 else 10
    text, saxon, sums = invoice.read_bytes(), Saxon(), [0.0, 0.0]
    print(f"{invoice.name}, {len(text)} bytes; milliseconds, read and judged")
    print(f"{'rule set':32} {'Saxon':>8} {'ours':>8} {'ratio':>6} {'compile':>17}")
    for schema in (SETS[0][0], f"{PHIVE}/2026.5/PEPPOL-EN16931-UBL.sch"):
        started = time.process_time()
        stylesheet = saxon.compile(root / schema)
        their_compile = (time.process_time() - started) * 1000
        their = theirs(saxon, stylesheet, text)
        our_compile, our = ours(program, root, schema, invoice)
        name = Path(schema).stem[:32]
        print(f"{name:32} {their:8.2f} {our:8.2f} {their / our:6.1f} "
              f"{their_compile:8.0f} {our_compile:8.1f}")
        sums = [sums[0] + their, sums[1] + our]
    ratio = sums[0] / sums[1]
    print(f"{'both':32} {sums[0]:8.2f} {sums[1]:8.2f} {ratio:6.1f}")
    return 0 if ratio >= wanted else 1


if __name__ == "__main__":
    sys.exit(main())
