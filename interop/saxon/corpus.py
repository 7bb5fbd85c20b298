"""Which official rule sets judge which documents of the visible corpora."""

import random
import shutil
from pathlib import Path

from lxml import etree

from . import mutants

VEFA = "{http://difi.no/xsd/vefa/validator/1.0}"
UBL = ("Invoice-2}Invoice", "CreditNote-2}CreditNote")
CII = ("CrossIndustryInvoice:100}CrossIndustryInvoice",)
PHIVE = "peppol-bis-billing/phive-rules/rule-source/openpeppol"
POACC = "peppol-poacc/phive-rules/rule-source/openpeppol/2026.5"
LOGISTICS = "logistics/logistics-bis/target/schematron"
NLCIUS = "nlcius-si-ubl/phive-rules/rule-source"
RESPONSE = ("ApplicationResponse-2}ApplicationResponse",)
ORDER = ("Order-2}Order",)

# Rule file, ends of the names of document elements, topics whose documents are taken (none: all).
SETS = [
    ("en16931/eInvoicing-EN16931/ubl/schematron/preprocessed/"
     "EN16931-UBL-validation-preprocessed.sch", UBL, ()),
    ("en16931/eInvoicing-EN16931/ubl/schematron/EN16931-UBL-validation.sch", UBL, ("en16931",)),
    ("en16931/eInvoicing-EN16931/cii/schematron/preprocessed/"
     "EN16931-CII-validation-preprocessed.sch", CII, ()),
    (f"{PHIVE}/2026.5/PEPPOL-EN16931-UBL.sch", UBL, ()),
    (f"{PHIVE}/2026.5/PEPPOL-EN16931-UBL-SB.sch", UBL, ("peppol-selfbilling", "pint")),
    (f"{PHIVE}/2025.11/CEN-EN16931-UBL.sch", UBL, ("peppol-bis-billing",)),
    ("peppol-bis-billing/github-2025-Q2/rules/sch/PEPPOL-EN16931-CII.sch", CII, ()),
    ("xrechnung/phive-rules/rule-source/3.0.2/ubl/XRechnung-UBL-validation.sch", UBL, ()),
    ("xrechnung/phive-rules/rule-source/3.0.2/cii/XRechnung-CII-validation.sch", CII, ()),
    (f"{NLCIUS}/simplerinvoicing/2.0.3.13/si-ubl-2.0.3.13.sch", UBL,
     ("nlcius-si-ubl", "peppol-bis-billing", "setu", "nl-basisorder-ohnl")),
    (f"{NLCIUS}/simplerinvoicing/2.0.3.13/si-ubl-2.0-ext-gaccount-1.0.13.sch", UBL,
     ("nlcius-si-ubl",)),
    (f"{NLCIUS}/nlcius/1.0.3.13/nlcius-cii-1.0.3.13.sch", CII, ("nlcius-si-ubl", "en16931")),
    ("nlcius-si-ubl/peppolautoriteit-validation/schematron/si-ubl-1.2.sch", UBL,
     ("nlcius-si-ubl",)),
    ("setu/xml-specifications/setu/validator/NLCIUS-v1.0.3-rules.sch", UBL, ("setu",)),
    *[(f"facturx-zugferd/phive-rules/rule-source/2.5.2/FACTUR-X_{profile}.sch", CII,
       ("facturx-zugferd", "cii", "tax-data-tdd"))
      for profile in ("MINIMUM", "BASIC-WL", "BASIC", "EN16931", "EXTENDED")],
    *[(f"pint/{folder}/schematron/{name}.sch", UBL, ("pint",)) for folder, name in (
        ("pint-base/trn-creditnote", "PINT-UBL-validation-preprocessed"),
        ("pint-eu/trn-creditnote", "PINT-EN16931-aligned-rules"),
        *[(f"pint-{country}/{what}", "PINT-jurisdiction-aligned-rules") for country, what in (
            ("eu", "trn-creditnote"), ("jp", "trn-invoice"), ("jp-ntr", "trn-invoice"),
            ("my", "trn-creditnote"), ("ae", "trn-creditnote"), ("aunz", "trn-creditnote"),
            ("sg", "trn-creditnote"), ("om", "trn-creditnote"), ("om-sb", "trn-creditnote"))])],
    *[(f"{POACC}/PEPPOLBIS-T{number}.sch", (root,), ("peppol-poacc", "mls-mlr")) for number, root in (
        ("01", "Order-2}Order"), ("16", "DespatchAdvice-2}DespatchAdvice"),
        ("19", "Catalogue-2}Catalogue"), ("58", RESPONSE[0]), ("71", RESPONSE[0]),
        ("76", "OrderResponse-2}OrderResponse"), ("77", "Catalogue-2}Catalogue"),
        ("110", "OrderResponse-2}OrderResponse"), ("111", RESPONSE[0]),
        ("114", "OrderChange-2}OrderChange"), ("115", "OrderCancellation-2}OrderCancellation"),
        ("116", "OrderResponse-2}OrderResponse"))],
    *[(f"{LOGISTICS}/PEPPOLBIS-T{number}.sch", (root,), ("logistics",)) for number, root in (
        ("120", "DespatchAdvice-2}DespatchAdvice"), ("122", "WeightStatement-2}WeightStatement"),
        ("123", "TransportExecutionPlanRequest-2}TransportExecutionPlanRequest"),
        ("124", "TransportExecutionPlan-2}TransportExecutionPlan"), ("125", "Waybill-2}Waybill"),
        ("126", "TransportationStatusRequest-2}TransportationStatusRequest"),
        ("127", "TransportationStatus-2}TransportationStatus"),
        ("128", "ReceiptAdvice-2}ReceiptAdvice"), ("129", RESPONSE[0]))],
    ("mls-mlr/peppol-mls/schematron/peppol-mls-1.0.1.sch", RESPONSE, ("mls-mlr",)),
    ("reporting-tsr-eusr/phive-rules/rule-source/reporting/tsr/1.0.5/"
     "peppol-transaction-statistics-reporting-1.0.5.sch", ("TransactionStatisticsReport",), ()),
    ("reporting-tsr-eusr/phive-rules/rule-source/reporting/eusr/1.1.5/"
     "peppol-end-user-statistics-reporting-1.1.5.sch", ("EndUserStatisticsReport",), ()),
    ("tax-data-tdd/ae-1.0.4/trn-tdd/schematron/peppol-ae-tdd.sch", ("TaxData",), ()),
    ("tax-data-tdd/om-1.0.1/trn-tdd/schematron/peppol-om-tdd.sch", ("TaxData",), ()),
    ("tax-data-tdd/phive-rules/rule-source/tdd/vida/1.0.0/Peppol-ViDA-TDD.sch", ("TaxData",), ()),
    ("tax-data-tdd/phive-rules/rule-source/tdd/sk/1.0.0/Peppol-Slovak Republic-TDD.sch",
     ("TaxData",), ()),
    ("peppol-bis-anz-sg/phive-rules/rule-source/sg-peppol/2024.12/SG-Billing3-UBL.sch", UBL,
     ("peppol-bis-anz-sg",)),
    ("peppol-bis-anz-sg/phive-rules/rule-source/sg-peppol/ob-1.0/SGBIS-TOB.sch", ORDER,
     ("peppol-bis-anz-sg", "peppol-poacc")),
    ("peppol-bis-anz-sg/phive-rules/rule-source/aunz-peppol/1.0.12/AUNZ-PEPPOL-validation.sch", UBL,
     ("peppol-bis-anz-sg", "peppol-bis-billing")),
    ("peppol-bis-anz-sg/phive-rules/rule-source/aunz-peppol/1.0.12/AUNZ-UBL-validation.sch", UBL,
     ("peppol-bis-anz-sg",)),
    ("nl-basisorder-ohnl/basisorder-rijk/basisorder-rijk-peppol-bis-3.sch", ORDER,
     ("nl-basisorder-ohnl", "peppol-poacc")),
    ("nl-basisorder-ohnl/efactuur-pdf-nl/ubl/1.9/sch/Order.sch", ORDER, ("nl-basisorder-ohnl",)),
    ("nl-basisorder-ohnl/efactuur-pdf-nl/ubl/1.9/sch/Invoice.sch", UBL, ("nl-basisorder-ohnl",)),
    *[(f"setu/efactuur-pdf-nl/setu/{folder}/{name}.sch", (root,), ("setu",))
      for folder in ("2.0/sch", "1.8.1/VAL") for name, root in (
          ("TimeCard", "}TimeCard"), ("StaffingOrder", "}StaffingOrder"),
          ("HumanResource", "}HumanResource"), ("Invoice", "oagis}Invoice"))],
    *[(f"peppol-bis2-legacy/peppol-bis/peppolbis-trdm{number}/Schematron/{name}.sch", roots,
       ("peppol-bis2-legacy",)) for number, name, roots in (
        ("010-2.0-invoice", "OPENPEPPOL/OPENPEPPOL-UBL-T10", UBL[:1]),
        ("010-2.0-invoice", "BII RULES/BIIRULES-UBL-T10", UBL[:1]),
        ("014-2.0-creditnote", "OPENPEPPOL/OPENPEPPOL-UBL-T14", UBL[1:]),
        ("014-2.0-creditnote", "BII RULES/BIIRULES-UBL-T14", UBL[1:]),
        ("001-2.0-order", "OPENPEPPOL/OPENPEPPOL-UBL-T01", ORDER),
        ("110-1.0-order-agreement", "OPENPEPPOL/OPENPEPPOL-UBL-T110",
         ("OrderResponse-2}OrderResponse", "OrderResponseSimple-2}OrderResponseSimple")))],
]


class Corpus:
    """All documents, as (topic, name of the document element, path)."""

    def __init__(self, root: Path, work: Path):
        self.root, self.work, self.documents = root, work, []
        for file in sorted(root.rglob("*")):
            if file.suffix.lower() == ".xml" and file.is_file():
                self.add(file, work)

    def add(self, file: Path, work: Path):
        topic = file.relative_to(self.root).parts[0]
        try:
            head = next(etree.iterparse(str(file), events=("start",)))[1].tag
            if head != f"{VEFA}testSet":
                self.documents.append((topic, head, file))
                return
            for number, test in enumerate(etree.parse(str(file)).getroot().iter(f"{VEFA}test")):
                for fragment in test:
                    if isinstance(fragment.tag, str) and not fragment.tag.startswith(VEFA):
                        target = work / f"{len(self.documents)}-{file.stem}-{number}.xml"
                        fragment.tail = None
                        target.write_bytes(etree.tostring(fragment))
                        self.documents.append((topic, fragment.tag, target))
        except (etree.XMLSyntaxError, StopIteration):
            pass  # what is no XML is of no use here

    def mutate(self, count: int, seed: int, work: Path):
        """Adds mutants of valid examples of all topics, evenly."""
        rng = random.Random(seed)
        roots = sorted({root for _, ends, _ in SETS for root in ends})
        pools = {}
        for topic, head, file in self.documents:
            if work not in file.parents and any(head.endswith(root) for root in roots):
                pools.setdefault((topic, head), []).append(file)
        keys = sorted(pools)
        for number in range(count):
            topic, head = keys[number % len(keys)]
            source = rng.choice(pools[topic, head])
            target = work / f"mutant-{number}-{source.stem}.xml"
            target.write_bytes(mutants.mutant(source.read_bytes(), f"{seed}-{number}"))
            self.documents.append((topic, head, target))

    def pairs(self):
        """The folder and main file of every rule set, with its documents."""
        for schema, ends, topics in SETS:
            found = [
                file for topic, head, file in self.documents
                if any(head.endswith(end) for end in ends) and (not topics or topic in topics)
            ]
            yield *self.place(schema), found

    def place(self, schema: str):
        """The folder of a set and its main file. The code lists of Factur-X, which its rules read,
        are published in another folder than the rules: both are put together."""
        codes = (self.root / schema.replace("/rule-source/", "/schematron/")).with_suffix("")
        codes = codes.with_name(codes.name + "_codedb.xml")
        if not codes.exists():
            return self.root, self.root / schema
        folder = self.work / "facturx"
        folder.mkdir(exist_ok=True)
        shutil.copy(codes, folder)
        shutil.copy(self.root / schema, folder)
        return folder, folder / Path(schema).name
