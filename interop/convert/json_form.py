"""The JSON form, judged by its published schema and by what comes back.

    python3 interop/convert/json_form.py TABLE SCHEMA QUOIN FOLDER...

TABLE is the mapping of EN 16931 (see `terms.py`), SCHEMA `docs/reference/invoice.schema.json`, QUOIN
the program. Every UBL and CII invoice below the folders becomes JSON, which the schema judges by the
Python package `jsonschema`, and then what it was; the terms before and after are read by the table,
and where they differ one of the two lists of losses must name the term.
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import csv
import xml.etree.ElementTree as ET

import jsonschema

import terms


def convert(quoin, file, target, out):
    """The code of the program and the list of losses."""
    losses = out.with_suffix(".losses")
    call = [quoin, "convert", file, "--to", target, "--output", out, "--losses", losses]
    code = subprocess.run(call, stderr=subprocess.DEVNULL, check=False).returncode
    if code:
        return code, []
    rows = [json.loads(line) for line in losses.read_text(encoding="utf-8").splitlines()]
    return code, rows


def named(losses):
    """Notes are named by the table as those of XML."""
    return [{**one, "sourcePath": one["sourcePath"].replace("/notes/", "/Note/")} for one in losses]


def main(table, schema, quoin, *folders):
    with open(table, encoding="utf-8") as file:
        table = list(csv.DictReader(file, delimiter="\t"))
    schema = json.loads(pathlib.Path(schema).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    judge = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
    count, found = collections.Counter(), 0
    work = pathlib.Path(tempfile.mkdtemp())
    every = (pathlib.Path(folder).rglob("*.[xX][mM][lL]") for folder in folders)
    for file in sorted(file for below in every for file in below):
        try:
            root = ET.parse(file).getroot()
        except ET.ParseError:
            continue
        kind = root.tag.split("}")[-1]
        if kind not in terms.COLUMNS or not root.tag.startswith(
            ("{" + terms.URN, "{" + terms.UN)
        ):
            continue
        own = "cii" if kind == "CrossIndustryInvoice" else "ubl"
        middle, end = work / "out.json", work / "out.xml"
        code, losses = convert(quoin, file, "json", middle)
        count[own, {0: "converted", 1: "refused"}.get(code, "failed")] += 1
        if code:
            continue
        made = json.loads(middle.read_text(encoding="utf-8"))
        errors = [one.json_path + ": " + one.message[:80] for one in judge.iter_errors(made)]
        count[own, "not valid by the schema" if errors else "valid by the schema"] += 1
        for error in errors:
            count[own, "schema: " + error] += 1
        code, more = convert(quoin, middle, own, end)
        count[own, {0: "back", 1: "refused on the way back"}.get(code, "failed")] += 1
        if code:
            continue
        before, after = (terms.terms(one, table) for one in (root, ET.parse(end).getroot()))
        for term, left, right in terms.differences(before, after, named(losses + more)):
            found += 1
            print(f"{file}: {term}: {left} became {right}")
    for (own, what), number in sorted(count.items()):
        print(f"{own}: {number} {what}")
    print(f"{found} differences that no list names")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
