"""Compares the Schematron engine with Saxon on official rule sets and documents.

Usage: schematron.py PROGRAM CORPORA [--full] [--mutants N] [--seed N] [--seconds N] [--only TEXT]

PROGRAM is the built example `schematron` of crates/xml, CORPORA the folder of official artefacts.
Without --full the pairs of rule set and document are sampled so that the run ends within --seconds.
Compared are rule, flag, path and message of every finding, with multiplicity, and whether an error
ends the run. Ends with status 1 where the engines differ.

Two defects of Saxon are kept out of the comparison: see `mutants.amount` and `main`.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from saxon.corpus import Corpus
from saxon.engine import Saxon

NOW = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--mutants", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=19757)
    parser.add_argument("--seconds", type=float, default=150)
    parser.add_argument("--only", default="")
    parser.add_argument("--show", type=int, default=40)
    return parser.parse_args()


def ours(program: Path, root: Path, schema: Path, documents):
    """What our engine finds: by document a counter and the codes of errors."""
    job = {"folder": str(root), "main": str(schema.relative_to(root)), "now": NOW,
           "documents": [str(file) for file in documents]}
    done = subprocess.run([program], input=json.dumps(job) + "\n", text=True, capture_output=True)
    if done.returncode:
        raise SystemExit(f"{schema}: our engine ended with {done.returncode}\n{done.stderr[-2000:]}")
    answers = {}
    for line in map(json.loads, done.stdout.splitlines()):
        if "load" in line:
            return line["load"]
        if "document" in line:
            found = Counter(tuple(entry) for entry in line.get("fired", []))
            answers[line["document"]] = (found, line.get("errors", []), line.get("unread"))
    return answers


class Comparison:
    def __init__(self, show):
        self.pairs, self.same, self.stopped, self.unread = 0, 0, 0, 0
        self.differences, self.show = [], show

    def add(self, schema, file, theirs, error, mine, errors):
        self.pairs += 1
        if error is not None or errors:
            self.stopped += 1
            if error is not None and errors:
                self.same += 1
            else:
                self.differ(schema, file, f"Saxon: {error}, ours: {errors[:2]}")
        elif theirs == mine:
            self.same += 1
        else:
            only = lambda a, b: [entry[:3] + (entry[3][:60],) for entry in (a - b)][:3]
            text = f"only Saxon: {only(theirs, mine)}, only ours: {only(mine, theirs)}"
            self.differ(schema, file, text)

    def differ(self, schema, file, text):
        self.differences.append(f"{schema.name} | {file.name} | {text}")
        if len(self.differences) <= self.show:
            print(f"DIFFERENT {self.differences[-1]}", flush=True)


def main():
    options = arguments()
    folder_of_work = tempfile.TemporaryDirectory(prefix="schematron-")
    work = Path(folder_of_work.name)
    corpus = Corpus(options.corpora, work)
    corpus.mutate(options.mutants, options.seed, work)
    saxon, result = Saxon(), Comparison(options.show)
    pairs = [pair for pair in corpus.pairs() if options.only in str(pair[1]) and pair[2]]
    total = sum(len(documents) for _, _, documents in pairs)
    print(f"{len(pairs)} rule sets, {len(corpus.documents)} documents, {total} pairs", flush=True)
    started, rng, failed = time.time(), random.Random(options.seed), 0
    for number, (folder, schema, documents) in enumerate(pairs):
        if not options.full:
            # An even share of the time that is left, at some milliseconds for each document.
            left = options.seconds - (time.time() - started)
            share = max(8, int(max(left, 0) / (len(pairs) - number) / 0.008))
            documents = rng.sample(documents, min(len(documents), share))
        answers = ours(options.program, folder, schema, documents)
        if isinstance(answers, str):
            failed += 1
            print(f"NOT LOADED {schema}: {answers}", flush=True)
            continue
        stylesheet = saxon.compile(schema)
        for file in documents:
            mine, errors, unread = answers[str(file)]
            if unread:
                result.unread += 1
                continue
            text = file.read_bytes()
            theirs, error = saxon.judge(stylesheet, saxon.parse_bytes(text))
            if (error is not None) != bool(errors):
                # Saxon learns over documents which variables are worth evaluating before they are
                # used, and then meets errors in those that are not: a fresh one decides.
                fresh = saxon.compile(schema)
                theirs, error = saxon.judge(fresh, saxon.parse_bytes(text))
            result.add(schema, file, theirs, error, mine, errors)
    seconds = time.time() - started
    print(f"{result.same} of {result.pairs} pairs the same ({result.stopped} stopped by an error, "
          f"{result.unread} not read), {len(result.differences)} different, {failed} rule sets not "
          f"loaded, {seconds:.0f} s")
    return 1 if result.differences or failed or not result.pairs else 0


if __name__ == "__main__":
    sys.exit(main())
