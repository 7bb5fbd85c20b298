"""Conversion, compared by a reader that shares nothing with the product.

    python3 interop/convert/terms.py TABLE QUOIN FOLDER...

TABLE is the mapping of EN 16931 to UBL and CII (a row a term: `id`, `ubl_invoice`,
`ubl_creditnote`, `cii_d16b`), QUOIN the program. Every UBL and CII invoice below the folders is
converted to the other syntax with `quoin convert --losses`. Each term is read by its path in the
table, before and after; where the values differ, the list of losses must name the term.
"""

import collections
import copy
import csv
import decimal
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

URN = "urn:oasis:names:specification:ubl:schema:xsd:"
UN = "urn:un:unece:uncefact:data:standard:"
NAMESPACES = {
    "cbc": URN + "CommonBasicComponents-2",
    "cac": URN + "CommonAggregateComponents-2",
    "rsm": UN + "CrossIndustryInvoice:100",
    "ram": UN + "ReusableAggregateBusinessInformationEntity:100",
    "udt": UN + "UnqualifiedDataType:100",
    "qdt": UN + "QualifiedDataType:100",
}
COLUMNS = {
    "Invoice": "ubl_invoice",
    "CreditNote": "ubl_creditnote",
    "CrossIndustryInvoice": "cii_d16b",
}
DAYS = {"BT-2", "BT-7", "BT-9", "BT-26", "BT-72", "BT-73", "BT-74", "BT-134", "BT-135"}
# One of the syntaxes says them in each of several groups.
REPEATED = {"BT-7", "BT-8", "BT-9", "BT-81", "BT-82", "BT-83", "BT-87", "BT-88", "BT-89", "BT-91"}
# They are read by hand below, or are the target's own.
BY_HAND = {"BT-21", "BT-22", "BT-23", "BT-24", "BT-29", "BT-29-1", "BT-60", "BT-60-1", "BT-90",
           "BT-110", "BT-111", "BT-122", "BT-149", "BT-150"}
# Each has a second place in CII.
SECOND = {"BT-46": ("GlobalID", "ID"), "BT-46-1": ("GlobalID", "ID"), "BT-71": ("GlobalID", "ID"),
          "BT-71-1": ("GlobalID", "ID"), "BT-84": ("IBANID", "ProprietaryID"),
          "BT-41": ("PersonName", "DepartmentName"), "BT-56": ("PersonName", "DepartmentName")}
TAX_POINT = {"5": "3", "29": "35", "72": "432"}


def tag(name):
    prefix, local = name.split(":")
    return "{%s}%s" % (NAMESPACES[prefix], local)


def steps(path):
    return re.findall(r"/((?:[^/\[]|\[[^\]]*\])+)", path)


def inside(elements, path):
    """The elements at a plain path below elements."""
    for step in path.split("/"):
        elements = [child for one in elements for child in one if child.tag == tag(step)]
    return elements


def meets(element, condition):
    path, negated, wanted = re.fullmatch(r'(.+?)(!?)="([^"]*)"', condition).groups()
    *groups, last = path.split("/")
    places = inside([element], "/".join(groups)) if groups else [element]
    if last.startswith("@"):
        found = [place.get(last[1:]) for place in places]
    else:
        found = [(one.text or "").strip() for one in inside(places, last)]
    found = [{"1": "true", "0": "false"}.get(value, value) for value in found if value]
    return any((value != wanted) if negated else (value == wanted) for value in found)


def at(root, path):
    """What stands at a path of the table."""
    elements = [root]
    for step in steps(path)[1:]:
        if step.startswith("@"):
            return [one.get(step[1:]) for one in elements if one.get(step[1:])]
        name, condition = re.fullmatch(r"([^\[]+)(?:\[(.*)\])?", step).groups()
        elements = inside(elements, name)
        if condition:
            elements = [one for one in elements if meets(one, condition)]
    return [(one.text or "").strip() for one in elements]


def same(term, value):
    """A value in a form that does not depend on the syntax."""
    value = " ".join(value.split())
    if term in DAYS:
        return value.replace("-", "")[:8]
    if re.fullmatch(r"[-+]?\d*\.?\d+", value):
        return str(decimal.Decimal(value).normalize() + 0)
    return value


def identifiers(root, found, is_cii):
    """BT-29, BT-60 and BT-90, which UBL has in one place."""
    head = "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTrade"
    for term, ubl, cii in (
        ("BT-29", "cac:AccountingSupplierParty/cac:Party", head + "Agreement/ram:SellerTradeParty"),
        ("BT-60", "cac:PayeeParty", head + "Settlement/ram:PayeeTradeParty"),
    ):
        if is_cii:
            ids = inside([root], cii + "/ram:ID") + inside([root], cii + "/ram:GlobalID")
        else:
            ids = inside([root], ubl + "/cac:PartyIdentification/cbc:ID")
            creditors = [one for one in ids if (one.get("schemeID") or "").upper() == "SEPA"]
            ids = [one for one in ids if one not in creditors]
            found["BT-90"] += [one.text or "" for one in creditors]
        found[term] += [one.text or "" for one in ids]
        found[term + "-1"] += [one.get("schemeID") or "" for one in ids]
    if is_cii:
        found["BT-90"] += [
            one.text or "" for one in inside([root], head + "Settlement/ram:CreditorReferenceID")
        ]


def totals(root, found, is_cii):
    """BT-110 and BT-111, by their currency."""
    head = "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/"
    if is_cii:
        names = head + "ram:InvoiceCurrencyCode", head + "ram:TaxCurrencyCode"
        group = head + "ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram:TaxTotalAmount"
    else:
        names = "cbc:DocumentCurrencyCode", "cbc:TaxCurrencyCode"
        group = "cac:TaxTotal/cbc:TaxAmount"
    own, other = ["".join(one.text or "" for one in inside([root], name)) for name in names]
    for amount in inside([root], group):
        currency = amount.get("currencyID")
        term = "BT-110" if currency == own else "BT-111" if currency == other else None
        if term:
            found[term].append(amount.text or "")


def notes(root, found, is_cii):
    """BG-1, whose subject code stands in the text in UBL."""
    if not is_cii:
        texts = [one.text or "" for one in inside([root], "cbc:Note")]
    else:
        texts = []
        for one in inside([root], "rsm:ExchangedDocument/ram:IncludedNote"):
            part = lambda name: "".join(part.text or "" for part in inside([one], name))
            code = part("ram:SubjectCode")
            texts.append(("#%s#" % code if code else "") + part("ram:Content"))
    found["BG-1"] += ["".join(text.split()) for text in texts]


def documents_and_bases(root, found, kind):
    """BT-122, which is what is neither BT-17 nor BT-18; BT-149 of the net, else the gross price."""
    if kind != "CrossIndustryInvoice":
        others = ("130", "50") if kind == "CreditNote" else ("130",)
        group, code, name = "cac:AdditionalDocumentReference", "cbc:DocumentTypeCode", "cbc:ID"
        bases = inside([root], {"Invoice": "cac:InvoiceLine", "CreditNote": "cac:CreditNoteLine"}
                       [kind] + "/cac:Price/cbc:BaseQuantity")
    else:
        others, code, name = ("50", "130"), "ram:TypeCode", "ram:IssuerAssignedID"
        head = "rsm:SupplyChainTradeTransaction/ram:"
        group = head + "ApplicableHeaderTradeAgreement/ram:AdditionalReferencedDocument"
        bases, lines = [], head + "IncludedSupplyChainTradeLineItem/ram:SpecifiedLineTradeAgreement"
        for line in inside([root], lines):
            prices = ("ram:NetPriceProductTradePrice", "ram:GrossPriceProductTradePrice")
            both = [one for price in prices for one in inside([line], price + "/ram:BasisQuantity")]
            bases += [one for one in both if (one.text or "").strip()][:1]
    for document in inside([root], group):
        if not any((one.text or "").strip() in others for one in inside([document], code)):
            found["BT-122"] += [one.text or "" for one in inside([document], name)]
    found["BT-149"] += [one.text or "" for one in bases]
    found["BT-150"] += [one.get("unitCode") or "" for one in bases]


def flat(root):
    """The document with the lines within lines of UBL beside the others, as CII has them."""
    named = {f"{{{NAMESPACES['cac']}}}Sub{kind}Line": f"{{{NAMESPACES['cac']}}}{kind}Line"
             for kind in ("Invoice", "CreditNote")}
    root = copy.deepcopy(root)
    for parent in list(root.iter()):
        for inner in [child for child in parent if child.tag in named]:
            parent.remove(inner)
            inner.tag = named[inner.tag]
            root.append(inner)
    return root


def terms(root, table):
    root = flat(root)
    kind = root.tag.split("}")[-1]
    column, is_cii = COLUMNS[kind], kind == "CrossIndustryInvoice"
    found = collections.defaultdict(list)
    for row in table:
        term, path = row["id"], row[column]
        if not term.startswith("BT-") or term in BY_HAND or not path:
            continue
        found[term] += at(root, path)
        if is_cii and term in SECOND:
            found[term] += at(root, path.replace(*SECOND[term]))
    identifiers(root, found, is_cii)
    totals(root, found, is_cii)
    notes(root, found, is_cii)
    documents_and_bases(root, found, kind)
    if is_cii:
        found["BT-8"] = [TAX_POINT.get(value, value) for value in found["BT-8"]]
    elif found["BT-13"] == ["NA"] and found["BT-14"]:
        found["BT-13"] = []
    found = {term: sorted(same(term, value) for value in values if value.strip())
             for term, values in found.items()}
    return {term: sorted(set(values)) if term in REPEATED else values
            for term, values in found.items() if values}


def differences(source, target, losses):
    named = {loss["term"] for loss in losses}
    if any("Note" in loss["sourcePath"] for loss in losses):
        named.add("BG-1")
    for term in sorted(set(source) | set(target)):
        is_named = term in named or term.removesuffix("-1") in named
        before, after = source.get(term), target.get(term)
        if before == after or is_named:
            continue
        left, right = collections.Counter(before), collections.Counter(after)
        values = {same(term, loss["value"]) for loss in losses if not loss["term"]}
        if right - left or set(left - right) - values:
            yield term, before, after


def main(table, quoin, *folders):
    with open(table, encoding="utf-8") as file:
        table = list(csv.DictReader(file, delimiter="\t"))
    count, found = collections.Counter(), 0
    work = pathlib.Path(tempfile.mkdtemp())
    every = (pathlib.Path(folder).rglob("*.[xX][mM][lL]") for folder in folders)
    files = sorted(file for below in every for file in below)
    for file in files:
        try:
            root = ET.parse(file).getroot()
        except ET.ParseError:
            continue
        kind = root.tag.split("}")[-1]
        if kind not in COLUMNS or not root.tag.startswith(("{" + URN, "{" + UN)):
            continue
        target = "ubl" if kind == "CrossIndustryInvoice" else "cii"
        out, losses = work / "out.xml", work / "losses.jsonl"
        call = [quoin, "convert", file, "--to", target, "--output", out, "--losses", losses]
        code = subprocess.run(call, stderr=subprocess.DEVNULL, check=False).returncode
        count[target, {0: "converted", 1: "refused"}.get(code, "failed")] += 1
        if code:
            continue
        rows = [json.loads(line) for line in losses.read_text(encoding="utf-8").splitlines()]
        count[target, "rows"] += len(rows)
        for term, before, after in differences(
            terms(root, table), terms(ET.parse(out).getroot(), table), rows
        ):
            found += 1
            print(f"{file}: {term}: {before} became {after}")
    for (target, what), number in sorted(count.items()):
        print(f"to {target}: {number} {what}")
    print(f"{found} differences that no list names")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
