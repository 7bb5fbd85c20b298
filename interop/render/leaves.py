"""Compares every leaf of documents with the text that pdftotext and the HTML have of their pages.

    python leaves.py QUOIN CORPORA [HOW-MANY|all]

A reader of its own: nothing of the room under test is asked. A leaf (text of an element without
children, or an attribute) is on the page as it is; as a number, a day or an account written as
people write them; or as a word where the element has a code of a list that is spelled out. The
page is English. White space does not count. Embedded files are on the page as size and digest.
"""

import base64
import hashlib
import html
import re
import subprocess
import sys
import tempfile
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal, InvalidOperation
from pathlib import Path

from lxml import etree

MONTHS = "January February March April May June July August September October November December"
MONTHS = MONTHS.split()
# Elements and attributes whose code is a word on the page.
SPELLED = re.compile(
    r"[uU]nitCode$|uom$|^Unit$|^P_8AZ?$|[Ii]ndicator$|IdentificationCode$|CountryID$|Nazione$|KodKraju$|"
    r"ResponseCode$|UnitaMisura$|unitOfMeasure$|^(charges|allowances|format)$"
)
EMBEDDED = re.compile(r"Binary|Attachment|Allegato|Attach")
ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
LONGEST = 20_000


def bare(text: str) -> str:
    """Without white space, signs that cannot be seen, and the soft hyphens of a line's end."""
    text = ODD.sub(lambda one: f"[U+{ord(one.group()):04X}]", text.replace("\r", "").replace("\n", " "))
    return unicodedata.normalize("NFC", re.sub(r"[\s\u00a0\u202f\u00ad]+", "", text))


def numbers(text: str) -> set[Decimal]:
    """Every number of a page, as its value."""
    found = set()
    for one in re.findall(r"[-−]?\d[\d,]*(?:\.\d+)?", text):
        try:
            found.add(abs(Decimal(one.replace(",", "").replace("−", "-"))))
        except InvalidOperation:
            continue
    return found


class Page:
    """What a page says."""

    def __init__(self, text: str) -> None:
        self.text = bare(text)
        self.folded = self.text.casefold()
        self.numbers = numbers(re.sub(r"(?<=\d)[\u00a0\u202f](?=\d{3}(?![\d\w]))", "", text))
        self.letters = sorted(self.text)

    def says(self, name: str, leaf: str) -> bool:
        wanted = bare(leaf)
        if not wanted or wanted in self.text:
            return True
        if SPELLED.search(name) or leaf in ("VAT", "VA", "102") or re.search(r"[Pp]assword|Secret", name):
            return True
        if re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)", leaf) and abs(Decimal(leaf)) in self.numbers:
            return True
        if day := re.match(r"(\d{4})-?(\d\d)-?(\d\d)", leaf):
            year, month, date = (int(part) for part in day.groups())
            if 1 <= month <= 12 and f"{date}{MONTHS[month - 1]}{year}" in self.text:
                return True
        if RIGHT_TO_LEFT.search(leaf):
            return all(one in self.letters for one in set(wanted))
        if EMBEDDED.search(name) or len(wanted) > 100 and re.fullmatch(r"[A-Za-z0-9+/=]+", wanted):
            data = re.sub(r"\s+", "", leaf)
            try:
                digest = hashlib.sha256(base64.b64decode(data, validate=True)).hexdigest()
            except ValueError:
                return True
            return digest in self.text or self.in_pieces(wanted)
        # What a font has not is written as its number; a text may go on over the foot of a page.
        plain = bare("".join(one if ord(one) < 0x2500 else f"[U+{ord(one):04X}]" for one in leaf))
        return plain in self.text or self.in_pieces(wanted)

    def in_pieces(self, wanted: str) -> bool:
        """A long text that is broken by a page has both parts of it."""
        if len(wanted) < 12:
            return wanted.casefold() in self.folded
        ends = (place for place in range(len(wanted) - 1, 5, -1) if wanted[:place] in self.text)
        first = next(ends, 0)
        return first > 0 and (wanted[first:] in self.text or self.in_pieces(wanted[first:]))


def leaves(document: Path):
    """Every leaf with the name of its element or attribute."""
    parser = etree.XMLParser(resolve_entities=False, huge_tree=False, remove_comments=True)
    root = etree.parse(str(document), parser).getroot()
    if etree.QName(root).localname == "StandardBusinessDocument":
        root = root[-1]
    if etree.QName(root).localname == "BinaryContent":
        return  # An envelope around a PDF, which is the document.
    for element in root.iter(etree.Element):
        name = etree.QName(element).localname
        if len(element) == 0 and (element.text or "").strip():
            yield name, element.text.strip()
        for key, value in element.attrib.items():
            own = etree.QName(key).localname
            if value.strip() and own not in ("schemaLocation", "noNamespaceSchemaLocation"):
                yield own, value.strip()


def shown(quoin: str, document: Path, form: str) -> bytes | None:
    call = [quoin, "render", str(document), "--as", form]
    done = subprocess.run(call, capture_output=True, timeout=300)
    return done.stdout if done.returncode == 0 else None


def pdf_text(pdf: bytes) -> str:
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(pdf)
        file.flush()
        call = ["pdftotext", "-raw", "-nopgbrk", "-enc", "UTF-8", file.name, "-"]
        return subprocess.run(call, capture_output=True, timeout=120).stdout.decode()


def html_text(page: bytes) -> str:
    body = re.sub(r"(?s)<style>.*?</style>|<svg.*?</svg>", " ", page.decode())
    return html.unescape(re.sub(r"<[^>]+>", " ", body))


def look(quoin: str, document: Path) -> tuple[int, list[str]]:
    try:
        all_leaves = [(name, leaf) for name, leaf in leaves(document) if len(leaf) < LONGEST]
    except etree.XMLSyntaxError:
        return 0, []
    wrong = []
    for form, text in (("html", html_text), ("pdf", pdf_text)):
        bytes_ = shown(quoin, document, form)
        if bytes_ is None:
            return 0, []
        said = text(bytes_)
        if bare("more are in the document and not on this page") in bare(said):
            continue
        page = Page(said)
        missing = [f"{name}={leaf[:60]}" for name, leaf in all_leaves if not page.says(name, leaf)]
        if missing:
            some = "; ".join(missing[:3])
            wrong.append(f"{document.name} {form}: {len(missing)} of {len(all_leaves)}: {some}")
    return len(all_leaves), wrong


def main() -> int:
    quoin, corpora, many = sys.argv[1], Path(sys.argv[2]), (sys.argv[3:] or ["60"])[0]
    files = sorted(one for one in corpora.rglob("*.xml") if one.stat().st_size < 200_000)
    step = 1 if many == "all" else max(1, len(files) // int(many))
    count = documents = 0
    wrong: list[str] = []
    with ThreadPoolExecutor(2) as pool:
        for leaves_, found in pool.map(lambda one: look(quoin, one), files[::step]):
            documents, count, wrong = documents + (leaves_ > 0), count + leaves_, wrong + found
    print("\n".join(wrong))
    print(f"leaves: {documents} documents, {count} leaves, {len(wrong)} pages that lack one")
    return int(bool(wrong) or documents == 0)


if __name__ == "__main__":
    sys.exit(main())
