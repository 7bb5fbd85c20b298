"""The matrix of conversions: every source syntax to every target, over all documents below folders.

    python3 interop/convert/matrix.py QUOIN PAGE FOLDER...

QUOIN is the program, PAGE the Markdown page that is written. Documents are sorted by their document
element. Each is converted with `quoin convert FOLDER --losses`, and read again here, by a parser
that shares nothing with the product: a leaf (an attribute, or the text of an element) whose value
stands nowhere in the target must have a row in the list of losses under its path. What has none is
counted as lost in silence, told with an example, and makes the run fail.

UBL and CII have the same codes. Other targets have their own (TD01 for 380), parts of identifiers in
elements of their own, and elements for what is a code elsewhere: there the number is told beside the
others and is no failure. That no term is lost in silence in them is tested by reading them again in
`crates/rules/tests/it`.
"""

import collections
import decimal
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from lxml import etree

XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
UBL = "urn:oasis:names:specification:ubl:schema:xsd:"
# Targets with the codes of EN 16931.
SAME_CODES = ("ubl", "cii", "cii-d22b", "xrechnung-cii") + tuple(
    f"factur-x-{profile}" for profile in ("minimum", "basic-wl", "basic", "en16931", "extended"))
# How a date is written, which version of a syntax it is: no content, and made anew.
FORM = {
    "format", "UBLVersionID", "FormatoTrasmissione", "versione", "ProgressivoInvio",
    "KodFormularza", "kodSystemowy", "wersjaSchemy", "WariantFormularza",
}
# What a schema demands where there is nothing to say, and the name that CII asks of a project.
FILLERS = {"NA", "Project reference", "0000000", "XXXXXXX"}
# BT-8: the code of UBL (UNCL 2005) and that of CII (UNCL 2475).
TAX_POINT = {"5": "3", "29": "35", "72": "432"}
# Codes that tell which of two terms a group is, where the other syntax has an element for each:
# BT-90 and BT-29; who transmits.
ROLES = [
    re.compile(r"PartyIdentification\[\d+\]/[a-z]+:ID\[1\]/@schemeID$"),
    re.compile(r"DatiTrasmissione\[1\]/IdTrasmittente\[1\]/Id(Paese|Codice)\[1\]$"),
]
# Words for what is an element, or where one stands, elsewhere, each where it stands only: BT-17, BT-18
# and BT-122 of CII, what a line within a line is for; a party of ebInterface that has no number; words
# of SETU and DICO.
WORDS = [
    (re.compile(r"AdditionalReferencedDocument\[\d+\]/[a-z]+:TypeCode\[1\]$"), {"50", "130", "916"}),
    (re.compile(r"AssociatedDocumentLineDocument\[1\]/[a-z]+:LineStatusReasonCode\[1\]$"),
     {"GROUP", "DETAIL", "INFORMATION"}),
    (re.compile(r"VATIdentificationNumber\[1\]$"), {"0", "ATU00000000"}),
    (re.compile(r"Percent(Quantity)?\[\d+\]/@uom$"), {"BTW", "VAT-percentage", "percentage"}),
    (re.compile(r"StaffingOrganization\[\d+\]/@typeOfOrganization$"), {"Supplier", "Customer"}),
    (re.compile(r"EmbeddedData\[\d+\]/@encoding$"), {"base64"}),
    (re.compile(r"BankAccountType\[\d+\]$"), {"IBAN"}),
    (re.compile(r"PrimaryAddress\[\d+\]/Description\[1\]$"), {"PhysicalAddress"}),
    (re.compile(r"TotalAmountInvoiceChargeAllowance\[1\]$"), {"0"}),
]
# Parts of a name, which are one text elsewhere.
PARTS = re.compile(r"/PersonName\[1\]/[A-Za-z]+\[1\]$|/Contact\[\d+\]/Description\[1\]$")
# SETU says supplier and customer twice where they are paid and pay themselves.
TWICE = re.compile(r"/Parties\[1\]/(RemitTo|BillTo)Party\[\d+\]/")
# SETU: the total of a group of lines.
GROUP = re.compile(r"/Line\[\d+\]/Charges\[1\]/TotalCharge\[1\]/Total\[1\]$")


def kind(root):
    """The source syntax of a document element, as the page names it."""
    name = etree.QName(root)
    space, local = name.namespace or "", name.localname
    if space.startswith(UBL) and local in ("Invoice", "CreditNote"):
        return f"UBL {local}"
    if local == "CrossIndustryInvoice":
        return "CII"
    if local == "FatturaElettronica":
        return "FatturaPA"
    if local == "FatturaElettronicaSemplificata":
        return "FatturaPA, simplified"
    if space.startswith("http://www.ebinterface.at/") and local == "Invoice":
        return "ebInterface"
    if "sfti" in space and local == "Invoice":
        return "Svefaktura"
    if local == "Invoice" and space == "http://www.openapplications.org/oagis":
        return "SETU 1"
    if local == "Invoice" and space.startswith(("http://www.ketenstandaard.nl/",
                                                "http://www.gs1.nl/factuur/insbou/")):
        return "DICO"
    if local == "Invoice" and not space and root.find("InvoiceNumber") is not None:
        return "DICO"
    if local == "Faktura" and space.startswith("http://crd.gov.pl/wzor/"):
        forms = {"2025/06/25/13775/": "FA(3)", "2023/06/29/12648/": "FA(2)"}
        return forms.get(space.removeprefix("http://crd.gov.pl/wzor/"))
    if local == "cXML" and root.find(".//InvoiceDetailRequest") is not None:
        return "cXML"
    return None


def leaves(root):
    """Every leaf with its path, as the list of losses writes it."""
    def walk(element, path):
        for name, value in element.attrib.items():
            if name.startswith(XSI) or not value.strip():
                continue
            space = etree.QName(name)
            if space.localname not in FORM:
                yield f"{path}/@{space.localname}", value
        text = "".join([element.text or ""] + [child.tail or "" for child in element])
        own = etree.QName(element).localname
        if text.strip() and own not in FORM:
            yield path, text
        seen = collections.Counter()
        for child in element:
            if not isinstance(child.tag, str):
                continue
            name = qualified(child)
            seen[name] += 1
            yield from walk(child, f"{path}/{name}[{seen[name]}]")
    yield from walk(root, f"/{qualified(root)}[1]")


def qualified(element):
    local = etree.QName(element).localname
    return f"{element.prefix}:{local}" if element.prefix else local


def bare(path):
    """A path without prefixes."""
    return re.sub(r"/(@?)[^/:\[\]]+:", r"/\1", path)


def plain(value):
    """A value without what a syntax may write otherwise: white space, dashes of a day, the sign and
    the noughts of a number."""
    value = re.sub(r"^#[A-Z]{3}# ?", "", " ".join(value.split()))
    if value == "VA":
        return "VAT"
    if re.fullmatch(r"\d{4}-\d\d-\d\d([Z+T-].*)?", value):
        return value[:10].replace("-", "").lstrip("0")
    if re.fullmatch(r"[-+]?\d*\.?\d+", value):
        number = value.lstrip("+-")
        if "." in number:
            number = number.rstrip("0").rstrip(".")
        return number.lstrip("0") or "0"
    return value


def sources(folders):
    """The documents of each source syntax, each once."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    found, known = collections.defaultdict(list), set()
    for folder in folders:
        for file in sorted(pathlib.Path(folder).rglob("*.xml")):
            data = file.read_bytes()
            if data in known or len(data) > 4_000_000:
                continue
            known.add(data)
            try:
                root = etree.fromstring(data, parser)
            except (etree.XMLSyntaxError, ValueError):
                continue
            source = kind(root)
            if source:
                found[source].append(file)
    return found


def targets(program):
    """The formats that the program writes."""
    text = subprocess.run([program, "convert", "--help"], capture_output=True, text=True).stdout
    names = re.search(r"possible values: ([^\]]+)\]", text)
    if names:
        return [name.strip() for name in names.group(1).split(",")]
    return re.findall(r"^\s+- ([a-z0-9-]+):", text, re.M)


def cell(program, files, target, work):
    """What became of the documents of one source in one target."""
    own, out = work / "in", work / "out"
    for folder in (own, out):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    for number, file in enumerate(files):
        shutil.copyfile(file, own / f"{number:06}.xml")
    rows = work / "losses.jsonl"
    call = [program, "convert", str(own), "--to", target, "--output", str(out), "--losses", str(rows)]
    done = subprocess.run(call, capture_output=True, text=True)
    if not rows.exists():
        sys.exit(done.stderr[-2000:])
    listed, rest = collections.defaultdict(set), collections.defaultdict(set)
    count = collections.Counter()
    for line in rows.read_text().splitlines():
        row = json.loads(line)
        if row["kind"] == "missing":
            continue
        listed[row["file"]].add(bare(row["sourcePath"]))
        rest[row["file"]].add(plain(row["value"]))
        count[row["kind"]] += 1
    silent = []
    for number, file in enumerate(files):
        made = list(out.glob(f"{number:06}.*"))
        if not made:
            count["refused"] += 1
            continue
        count["converted"] += 1
        text = made[0].read_bytes()
        try:
            values = said(value for _, value in leaves(etree.fromstring(text)))
        except etree.XMLSyntaxError:
            values = said(str(value) for value in flat(json.loads(text)))
        name = f"{number:06}.xml"
        root = etree.parse(str(file)).getroot()
        for path, value in leaves(root):
            count["leaves"] += 1
            is_form = value in FILLERS or any(role.search(path) for role in ROLES)
            is_form = is_form or is_said_otherwise(path, value, values, rest[name], root)
            if plain(value) not in values and bare(path) not in listed[name] and not is_form:
                silent.append((file.name, path, value.strip()[:60]))
    count["silent"] = len(silent)
    return count, silent


def is_said_otherwise(path, value, values, rest, root):
    """Whether a value stands in the target, or in the list, in another way."""
    own = plain(value)
    if any(own in words and place.search(path) for place, words in WORDS):
        return True
    if PARTS.search(path) and any(own in text for text in values | rest):
        return True
    if TWICE.search(path) and own in rest:
        return True
    return bool(GROUP.search(path)) and is_sum(path, own, root)


def is_sum(path, value, root):
    """Whether the total of a group is the sum of its lines, counted here."""
    steps = re.findall(r"/Line\[(\d+)\]", path)
    below = "{*}Charges/{*}TotalCharge/{*}Total"
    place = root
    for step in steps:
        place = place.findall("{*}Line")[int(step) - 1]
    lines = [line for line in place.iter("{*}Line") if line is not place]
    parts = [decimal.Decimal(line.findtext(below, "0").strip()) for line in lines
             if line.find("{*}Line") is None]
    return bool(parts) and plain(str(sum(parts))) == value


def said(texts):
    """What a target says: its values, and the codes that stand before a note or for another one."""
    values = set()
    for text in texts:
        value = plain(text)
        values |= {value, TAX_POINT.get(value, value)}
        values |= {one for one, other in TAX_POINT.items() if other == value}
        values |= set(re.findall(r"^\s*#([A-Z]{3})#", text))
    return values


def flat(value):
    """Every text and number of a JSON document."""
    if isinstance(value, dict):
        value = value.values()
    if isinstance(value, (str, int, float, bool)) or value is None:
        return [value]
    return [leaf for inner in value for leaf in flat(inner)]


def page(found, rows):
    yield "# Conversion"
    yield ""
    yield "What becomes of invoices in another syntax, over the documents of the official collections."
    yield "Written by `interop/convert/matrix.py`, which reads each document before and after with a"
    yield "parser of its own: a value that stands nowhere in the target must be in the list of losses."
    yield ""
    yield "A leaf is an attribute or a text. *Lost*, *changed*, *merged* and *as text* count the rows"
    yield "about leaves of the source; *derived* what the target says and the source does not. *Silent*"
    yield "is what is not in the target and not in the list: it must be 0. *In other words* is that number for"
    yield "targets with codes of their own: what stands there as another code, as a part, or as an element, which"
    yield "a comparison of values cannot tell; no term is lost in silence in them either, as the tests show that"
    yield "read them again."
    yield ""
    head = ("source", "target", "documents", "converted", "refused", "leaves", "lost", "changed",
            "merged", "as text", "derived", "silent", "in other words")
    yield f"| {' | '.join(head)} |"
    yield f"|---|---|{'--:|' * (len(head) - 2)}"
    for (source, target), count in rows.items():
        numbers = [len(found[source])] + [count[name] for name in (
            "converted", "refused", "leaves", "lost", "changed", "merged", "carried-as-text",
            "derived")]
        numbers += [count["silent"], 0] if target in SAME_CODES else [0, count["silent"]]
        yield f"| {source} | {target} | {' | '.join(f'{number:,}' for number in numbers)} |"


def main():
    program, where, folders = sys.argv[1], sys.argv[2], sys.argv[3:]
    found, rows, told = sources(folders), {}, []
    with tempfile.TemporaryDirectory() as work:
        for source in sorted(found):
            for target in targets(program):
                count, silent = cell(program, found[source], target, pathlib.Path(work))
                rows[source, target] = count
                if target in SAME_CODES:
                    told += [(source, target) + row for row in silent[:5]]
                print(source, target, dict(count), flush=True)
    for row in told:
        print("SILENT", *row)
    pathlib.Path(where).write_text("\n".join(page(found, rows)) + "\n")
    sys.exit(1 if told else 0)


if __name__ == "__main__":
    main()
