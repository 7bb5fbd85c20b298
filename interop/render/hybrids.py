"""Writes a hybrid PDF of each profile of Factur-X and reads it back with others.

    python hybrids.py QUOIN FOLDER [MUSTANG-JAR] DOCUMENT…

- PyPI `factur-x`: that there is one XML, which profile its XMP and its XML name, its schema.
- PyPI `pikepdf`: the relationship of the attachment, its media type, the metadata, nothing active.
- Mustang, where the jar is given: the XML that it takes out is the same bytes.

The terms of the document that every profile has are compared with the source, and so are its files,
which stand beside the data where the profile has no place for them.
"""

import base64
import io
import logging
import re
import subprocess
import sys
from pathlib import Path

import facturx
import pikepdf
from lxml import etree

LEVELS = {
    "minimum": ("MINIMUM", "minimum", "factur-x.xml", "/Data"),
    "basic-wl": ("BASIC WL", "basicwl", "factur-x.xml", "/Data"),
    "basic": ("BASIC", "basic", "factur-x.xml", "/Alternative"),
    "en16931": ("EN 16931", "en16931", "factur-x.xml", "/Alternative"),
    "extended": ("EXTENDED", "extended", "factur-x.xml", "/Alternative"),
    "xrechnung": ("XRECHNUNG", None, "xrechnung.xml", "/Alternative"),
}
ACTIVE = {"/JavaScript", "/JS", "/Launch", "/OpenAction", "/AA", "/GoToE", "/RichMedia"}
# Profiles that have no place for the files of an invoice (BG-24).
FILELESS = {"minimum", "basic-wl", "basic"}
UBL = "{urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2}"
RAM = "{urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100}"


def terms(root: etree._Element) -> dict:
    """Number, currency, amount due and names of both parties, of UBL or of CII."""

    def text(path: str) -> str:
        found = root.find(path)
        return (found.text or "").strip() if found is not None else ""

    if "CrossIndustryInvoice" in root.tag:
        return {
            "number": text(f"{{*}}ExchangedDocument/{RAM}ID"),
            "currency": text(f".//{RAM}InvoiceCurrencyCode"),
            "due": float(text(f".//{RAM}DuePayableAmount")),
            "seller": text(f".//{RAM}SellerTradeParty/{RAM}Name"),
            "buyer": text(f".//{RAM}BuyerTradeParty/{RAM}Name"),
        }
    name = "{*}Party/{*}PartyLegalEntity/{*}RegistrationName"
    return {
        "number": text(f"{UBL}ID"),
        "currency": text(f"{UBL}DocumentCurrencyCode"),
        "due": float(text(f".//{UBL}PayableAmount")),
        "seller": text("{*}AccountingSupplierParty/" + name),
        "buyer": text("{*}AccountingCustomerParty/" + name),
    }


def keys(value: object, depth: int = 0, seen: set | None = None) -> set:
    """Every key of every dictionary below a value."""
    seen = set() if seen is None else seen
    if depth > 12:
        return set()
    if isinstance(value, pikepdf.Object) and value.is_indirect:
        if value.objgen in seen:
            return set()
        seen.add(value.objgen)
    if isinstance(value, (pikepdf.Dictionary, pikepdf.Stream)):
        found = set(value.keys())
        for one in value.keys():
            found |= keys(value[one], depth + 1, seen)
        return found
    if isinstance(value, pikepdf.Array):
        return set().union(*(keys(one, depth + 1, seen) for one in value))
    return set()


def files(root: etree._Element) -> dict[str, bytes]:
    """The files of an invoice, of UBL or of CII, by their names."""
    return {
        one.get("filename"): base64.b64decode(one.text or "")
        for part in ("EmbeddedDocumentBinaryObject", "AttachmentBinaryObject")
        for one in root.iter("{*}" + part)
    }


def beside(listed: dict, related: list, expected: dict[str, bytes]) -> list[str]:
    """What is wrong with the files beside the data."""
    wrong = []
    for name, content in expected.items():
        if listed[name].get_file().read_bytes() != content:
            wrong.append(f"{name} has other bytes than in the source")
    for spec in related[1:]:
        if str(spec.AFRelationship) != "/Supplement":
            wrong.append(f"{spec.UF} is {spec.AFRelationship}, no supplement")
    return wrong


def look(pdf: bytes, level: str, xml: bytes, source: dict[str, bytes]) -> list[str]:
    """What pikepdf finds wrong with the file."""
    name, _, file, relation = LEVELS[level]
    expected = source if level in FILELESS else {}
    wrong = []
    with pikepdf.open(io.BytesIO(pdf)) as read:
        listed = dict(read.attachments)
        if sorted(listed) != sorted([file, *expected]) or len(read.Root.AF) != len(listed):
            return [f"attachments {list(listed)}, not {[file, *expected]}"]
        wrong += beside(listed, list(read.Root.AF), expected)
        spec = read.Root.AF[0]
        if str(spec.UF) != file:
            wrong.append(f"the first of the files is {spec.UF}")
        if str(spec.AFRelationship) not in (relation, "/Alternative", "/Data", "/Source"):
            wrong.append(f"relationship {spec.AFRelationship}")
        if level in ("minimum", "basic-wl") and str(spec.AFRelationship) != "/Data":
            wrong.append(f"{level} is data and no alternative, found {spec.AFRelationship}")
        if str(spec.EF.F.Subtype) != "/text/xml":
            wrong.append(f"media type {spec.EF.F.Subtype}")
        if spec.EF.F.read_bytes() != xml:
            wrong.append("the stream is not what factur-x read")
        said = read.Root.Metadata.read_bytes().decode()
        for part in (f">{name}<", f">{file}<", ">INVOICE<", 'part>3<'):
            if part not in said:
                wrong.append(f"the metadata lack {part}")
        if str(read.Root.get("/Lang", "")) == "" or not read.Root.MarkInfo.Marked:
            wrong.append("no language, or not tagged")
        if active := keys(read.Root) & ACTIVE:
            wrong.append(f"active: {active}")
    return wrong


def mustang(jar: str, pdf: Path, xml: bytes) -> list[str]:
    """Whether Mustang takes the same bytes out."""
    target = pdf.with_suffix(".mustang.xml")
    target.unlink(missing_ok=True)
    call = ["java", "-jar", jar, "--no-notices", "--action", "extract"]
    call += ["--source", str(pdf), "--out", str(target)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=120)
    if not target.exists():
        return [f"Mustang takes nothing out: {(done.stdout + done.stderr)[-300:]}"]
    canonical = lambda data: etree.tostring(etree.fromstring(data), method="c14n")
    same = canonical(target.read_bytes()) == canonical(xml)
    return [] if same else ["Mustang takes other XML out"]


def check(quoin: str, folder: Path, jar: str | None, document: Path) -> tuple[int, list[str]]:
    invoice = etree.parse(document).getroot()
    source, attached = terms(invoice), files(invoice)
    count, wrong = 0, []
    for level, (_, known, _, _) in LEVELS.items():
        pdf = folder / f"{document.stem}-{level}.pdf"
        call = [quoin, "render", str(document), "--as", "factur-x", "--profile", level]
        done = subprocess.run([*call, "--output", str(pdf)], capture_output=True, text=True)
        if done.returncode == 1:
            reason = done.stderr.strip().rsplit(": ", 1)[-1]
            print(f"refused: {document.name} as {level}: {reason}")
            continue
        count += 1
        found = []
        data = pdf.read_bytes()
        # XRECHNUNG has no schema in `factur-x`; its own check of structure is that of EN 16931.
        name, xml = facturx.get_xml_from_pdf(data, check_xsd=known is not None)
        if not xml:
            wrong.append(f"{pdf.name}: factur-x finds nothing")
            continue
        root = etree.fromstring(xml)
        if known and facturx.get_level(root) != known:
            found.append(f"factur-x reads {facturx.get_level(root)}")
        if name != LEVELS[level][2]:
            found.append(f"factur-x finds {name}")
        for term, value in terms(root).items():
            if value != source[term]:
                found.append(f"{term} is {value!r}, not {source[term]!r}")
        if level not in FILELESS and files(root) != attached:
            found.append(f"the data have the files {list(files(root))}, not {list(attached)}")
        found += look(data, level, xml, attached)
        found += mustang(jar, pdf, xml) if jar else []
        wrong += [f"{pdf.name}: {one}" for one in found]
    return count, wrong


def main() -> int:
    logging.getLogger("facturx").setLevel(logging.ERROR)
    quoin, folder, *rest = sys.argv[1:]
    jar = rest.pop(0) if rest and re.search(r"\.jar$", rest[0]) else None
    Path(folder).mkdir(parents=True, exist_ok=True)
    count, wrong = 0, []
    for document in rest:
        made, found = check(quoin, Path(folder), jar, Path(document))
        count, wrong = count + made, wrong + found
    print("\n".join(wrong))
    readers = "factur-x, pikepdf" + (", Mustang" if jar else "; Mustang is not here")
    print(f"hybrids: {count} read back by {readers}; {len(wrong)} things wrong")
    return int(bool(wrong) or count == 0)


if __name__ == "__main__":
    sys.exit(main())
