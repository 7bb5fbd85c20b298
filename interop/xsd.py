"""Structure verdicts compared with libxml2 (`xmllint`) and with the Python package `xmlschema`.

Usage: xsd.py PROGRAMS SHARED [--all]. PROGRAMS is cargo's folder with the built programs, SHARED the
folder of official artefacts. Checks documents of the corpora and seeded mutants of them with all
three; prints every difference with the clause that we name, and ends with status 1 where one is
not explained. Without --all it takes a sample that ends within two minutes.
"""

import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from lxml import etree

from xsd.known import explain
from xsd.mutants import mutate
from xsd.peers import Libxml, Xmlschema
from xsd.sets import load_sets

SEED = 20261121
# Bytes of a document that is mutated, at most.
MUTATED_BYTES = 60_000
# How many documents and mutants the daily run takes, and how many of them the slow peer sees.
DAILY = {"documents": 500, "mutants": 300, "slow": 120}
WHOLE = {"documents": 10_000, "mutants": 1_000, "slow": 700}
# Sets whose mutants the slow peer sees in the daily run: its schemas must load quickly.
QUICK = ("cii-d16b", "fatturapa", "ebinterface-6", "ksef-fa", "sbdh", "svefaktura", "factur-x")


def documents(shared, sets, limit, chance):
    """Well-formed XML documents of the corpora whose document element one of the sets has."""
    found = []
    for line in (shared / "corpora/MANIFEST.tsv").read_text().splitlines()[1:]:
        fields = line.split("\t")
        path, declared = shared / "corpora" / fields[0], fields[8]
        if path.suffix.lower() not in (".xml", ".xsd") or path.suffix == ".xsd":
            continue
        try:
            tree = etree.parse(str(path), etree.XMLParser(resolve_entities=False, huge_tree=True))
        except (etree.XMLSyntaxError, OSError):
            continue
        if tree.docinfo.doctype or tree.docinfo.internalDTD is not None:
            continue
        name = etree.QName(tree.getroot())
        root = (name.namespace or "", name.localname)
        fit = [one for one in sets if root in one.roots]
        if fit:
            found.append((fit, root, path, declared))
    chance.shuffle(found)
    return found[:limit]


def choose(programs, shared, found):
    """Gives each document the first set that finds it valid, or the first: several share a root."""
    tries = sorted(((one, at) for at, it in enumerate(found) for one in it[0]), key=lambda it: it[0].id)
    verdicts = ours(programs, shared, [(one, found[at][2]) for one, at in tries])
    valid = {}
    unread = set()
    for (one, at), answer in zip(tries, verdicts, strict=True):
        if answer["valid"]:
            valid.setdefault(at, set()).add(one.id)
        if "parse" in answer:
            unread.add(at)
    chosen = []
    for at, (fit, root, path, declared) in enumerate(found):
        if at in unread:
            continue
        best = next((one for one in fit if one.id in valid.get(at, ())), fit[0])
        chosen.append((best, root, path, declared))
    print(f"{len(unread)} documents are in an encoding that is not read, or not well-formed for us", flush=True)
    return chosen


def ours(programs, shared, jobs):
    """Our verdicts, in the order of the jobs, which are grouped by set."""
    lines, wanted = [], []
    last = None
    for at, (one, path) in enumerate(jobs):
        if one is not last:
            folders = ";".join(str(shared / it) for it in one.folders)
            entries = ";".join(str(shared / it) for it in one.entries)
            lines.append(f"schema\t{folders}\t{entries}")
            wanted.append(None)
            last = one
        lines.append(f"check\t{path}")
        wanted.append(at)
    program = programs / "examples/xsd"
    done = subprocess.run([program], input="\n".join(lines) + "\n", text=True, capture_output=True, check=True)
    verdicts = {}
    for at, line in zip(wanted, done.stdout.splitlines(), strict=True):
        answer = json.loads(line)
        if at is None:
            if not answer["ok"]:
                raise SystemExit(f"our schema does not load: {answer}")
        else:
            verdicts[at] = answer
    return [verdicts[at] for at in range(len(jobs))]


def make_mutants(found, count, folder, chance):
    """Seeded mutants of documents that are not too large; their descriptions say what was done."""
    small = [it for it in found if it[2].stat().st_size < MUTATED_BYTES]
    made = []
    while len(made) < count and small:
        one, root, path, _ = chance.choice(small)
        tree = etree.parse(str(path))
        what = mutate(tree, chance)
        if what is None:
            continue
        target = folder / f"mutant-{len(made)}.xml"
        tree.write(str(target), encoding="UTF-8", xml_declaration=True)
        name = etree.QName(tree.getroot())
        made.append((one, (name.namespace or "", name.localname), target, f"{path.name}: {what}"))
    return made


def compare(jobs, verdicts, peer, slow):
    """Prints the differences from one peer; answers how many are not explained."""
    chosen = [at for at in range(len(jobs)) if slow is None or at in slow]
    theirs = peer.verdicts([(jobs[at][0], jobs[at][1], jobs[at][2]) for at in chosen])
    counts = Counter()
    for at, valid in zip(chosen, theirs, strict=True):
        one, _, path, what = jobs[at]
        if valid is None:
            counts["not loaded"] += 1
            continue
        answer = verdicts[at]
        if answer["valid"] == valid:
            counts["same"] += 1
            continue
        texts = [it["text"] for it in answer.get("violations", [])][:2]
        reason = explain(peer.name, answer, what, peer.messages.get(path, ""))
        counts["explained" if reason else "NOT EXPLAINED"] += 1
        said = "valid" if answer["valid"] else f"invalid: {texts}"
        print(f"  {one.id}: {what or path.name}\n    we say {said}; {peer.name} says "
              f"{'valid' if valid else 'invalid'}; {reason or 'NOT EXPLAINED'}")
    print(f"{peer.name}: {dict(counts)}", flush=True)
    return counts["NOT EXPLAINED"]


def declared_differs(found, verdicts):
    """Documents whose verdict in the manifest is another one."""
    differing = 0
    for (one, _, path, declared), answer in zip(found, verdicts, strict=True):
        expected = {"xsd:ok": True, "xsd:FAIL": False}.get(declared)
        if expected is not None and expected != answer["valid"]:
            differing += 1
            texts = [it["text"] for it in answer.get("violations", [])][:1]
            print(f"  manifest {declared}, we say {answer['valid']} as {one.id}: {path} {texts}")
    print(f"manifest: {differing} of {len(found)} differ", flush=True)


def main(programs, shared, whole):
    chance = random.Random(SEED)
    sizes = WHOLE if whole else DAILY
    sets = load_sets(programs, shared)
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        found = choose(programs, shared, documents(shared, sets, sizes["documents"], chance))
        mutants = make_mutants(found, sizes["mutants"], folder, chance)
        jobs = [(one, root, path, "") for one, root, path, _ in found] + mutants
        order = sorted(range(len(jobs)), key=lambda at: (jobs[at][0].id, at))
        sorted_jobs = [jobs[at] for at in order]
        verdicts = ours(programs, shared, [(one, path) for one, _, path, _ in sorted_jobs])
        back = {at: verdict for at, verdict in zip(order, verdicts, strict=True)}
        declared_differs(found, [back[at] for at in range(len(found))])
        valid = sum(it["valid"] for it in verdicts)
        print(f"{len(found)} documents, {len(mutants)} mutants: {valid} valid", flush=True)
        wrong = compare(sorted_jobs, verdicts, Libxml(shared, folder), None)
        fit = [at for at, job in enumerate(sorted_jobs) if whole or job[0].id.startswith(QUICK)]
        slow = set(chance.sample(fit, min(len(fit), sizes["slow"])))
        wrong += compare(sorted_jobs, verdicts, Xmlschema(shared, folder), slow)
    return wrong == 0


if __name__ == "__main__":
    sys.exit(0 if main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), "--all" in sys.argv) else 1)
