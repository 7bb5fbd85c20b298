"""Conversions of others beside ours, in one run over the same documents.

    python3 interop/convert/peers.py TABLE QUOIN PEERS FOLDER...

TABLE is the mapping of EN 16931 to UBL and CII (see terms.py), QUOIN the program, PEERS a file of
lines `NAME<TAB>COMMAND`, where a command reads the document `{source}` and writes `{target}` in the
syntax `{syntax}` (`ubl` or `cii`) and ends with another code than 0 where it refuses. Each UBL and
CII invoice that QUOIN finds valid is converted to the other syntax by each of them. Told are, for
each: how many were refused, how many of the rest QUOIN no longer finds valid and how many of those
were announced (the list of losses names each rule that refuses it), how many terms differ (those
that our list of losses names apart), and the processor time of a document, the start of the program
included; of a command that does nothing it is told, too.
"""

import collections
import csv
import json
import pathlib
import resource
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

from terms import COLUMNS, UN, URN, differences, terms


def documents(quoin, folders):
    """Valid invoices, with the syntax to convert each to."""
    seen = set()
    for file in sorted(one for folder in folders for one in pathlib.Path(folder).rglob("*.xml")):
        data = file.read_bytes()
        try:
            root = ET.fromstring(data)
        except ET.ParseError:
            continue
        kind = root.tag.split("}")[-1]
        if kind not in COLUMNS or not root.tag.startswith(("{" + URN, "{" + UN)) or data in seen:
            continue
        seen.add(data)
        if is_valid(quoin, file):
            yield file, "ubl" if kind == "CrossIndustryInvoice" else "cii"


def is_valid(quoin, file):
    call = [quoin, "validate", str(file)]
    return subprocess.run(call, capture_output=True, check=False).returncode in (0, 3)


def is_announced(quoin, file, rows):
    """Whether each rule that refuses a document is named by a row of its losses."""
    call = [quoin, "validate", str(file), "--format", "json"]
    report = json.loads(subprocess.run(call, capture_output=True, check=False).stdout)
    broken = {one["rule"] for one in report["findings"] if one["flag"] == "fatal"}
    reasons = " ".join(row["reason"] for row in rows)
    return all(rule in reasons for rule in broken if not rule.startswith("QUOIN-ENDPOINT"))


def spent():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(table, quoin, peers, *folders):
    with open(table, encoding="utf-8") as file:
        table = list(csv.DictReader(file, delimiter="\t"))
    lines = pathlib.Path(peers).read_text(encoding="utf-8").splitlines()
    ours = f"{quoin} convert {{source}} --to {{syntax}} --output {{target}} --losses {{losses}}"
    peers = [("quoin", ours), *(line.split("\t") for line in lines if line), ("nothing", "true")]
    every = list(documents(quoin, folders))
    work = pathlib.Path(tempfile.mkdtemp())
    target, losses = work / "out.xml", work / "losses.jsonl"
    print("| converter | to | documents | refused | not valid | announced | documents that differ | "
          "terms that differ | CPU ms |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    unnamed = 0
    for name, command in peers:
        count, seconds = collections.Counter(), collections.Counter()
        for file, syntax in every:
            target.unlink(missing_ok=True)
            losses.unlink(missing_ok=True)
            places = {"source": file, "syntax": syntax, "target": target, "losses": losses}
            call = [part.format(**places) for part in shlex.split(command)]
            before = spent()
            code = subprocess.run(call, capture_output=True, check=False).returncode
            seconds[syntax] += spent() - before
            count[syntax, "all"] += 1
            if code or not target.exists():
                count[syntax, "refused"] += 1
                continue
            try:
                read = ET.parse(target).getroot()
                read = terms(read, table)
            except (ET.ParseError, KeyError):
                count[syntax, "refused"] += 1
                continue
            text = losses.read_text(encoding="utf-8") if losses.exists() else ""
            rows = [json.loads(line) for line in text.splitlines()]
            if not is_valid(quoin, target):
                count[syntax, "not valid"] += 1
                count[syntax, "announced"] += is_announced(quoin, target, rows)
            told = list(differences(terms(ET.parse(file).getroot(), table), read, rows))
            count[syntax, "documents"] += bool(told)
            count[syntax, "terms"] += len(told)
        for syntax in ("cii", "ubl"):
            of = lambda what: count[syntax, what]
            each = 1000 * seconds[syntax] / max(of("all"), 1)
            print(f"| {name} | {syntax} | {of('all')} | {of('refused')} | {of('not valid')} | "
                  f"{of('announced')} | {of('documents')} | {of('terms')} | {each:.1f} |", flush=True)
            if name == "quoin":
                unnamed += of("terms") + of("not valid") - of("announced")
    return 1 if unnamed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
