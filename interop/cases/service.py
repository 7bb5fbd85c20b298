"""The whole service: `quoin serve` with its store, worker, look-up and SMP, against independent
implementations of the other access point.

The other access point is the `as4` package behind TLS. Its SMP is a second `quoin serve` that only
publishes; the SML is a name server of the suite.
"""

import os
import re
from urllib.parse import quote

from cryptography.x509 import load_pem_x509_certificate
from peppol_py.exception import SendPeppolError

from peers import peppol_py, pypi_as4, sml
from peers.pki import DOCUMENT_TYPE
from peers.service import Service

from .world import OURS, THEIRS, THIRD, World

OUR_PARTY, THEIR_PARTY = "0106:12345678", "0106:87654321"
REFUSED_PARTY, UNREGISTERED = "9915:notserviced", "0106:40440404"
# Its name leads to our SMP, which does not know it.
THIRD_PARTY = "0106:00000404"
PINT_PATTERN = (
    "peppol-doctype-wildcard::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice"
    "##urn:peppol:pint:billing-1*::2.1"
)
PINT_PROCESS = "urn:peppol:bis:billing"
PASSING = ("Pending", "Validated", "Routed")


class WholeService:
    def __init__(self, world: World):
        self.world, self.network = world, world.network
        program = str(world.programs / "quoin")
        # The client of peppol-py believes what this names.
        os.environ["REQUESTS_CA_BUNDLE"] = str(self.network.certificate_file("tls-ca"))
        self.theirs = pypi_as4.Server(self.network, THEIRS, tls=True)
        self.ours = Service(program, self.network, world.work / "ours", OURS, [OUR_PARTY])
        their_parties = [THEIR_PARTY, REFUSED_PARTY]
        self.their_smp = Service(program, self.network, world.work / "smp", THEIRS, their_parties)
        ours = dict.fromkeys((OUR_PARTY, THIRD_PARTY), self.ours.smp)
        smps = {**ours, **dict.fromkeys(their_parties, self.their_smp.smp)}
        self.sml = sml.Server(smps)
        try:
            self.their_smp.start(self.sml.address, as4=self.theirs.url, roles=("smp",))
            self.ours.start(self.sml.address)
        except Exception:
            self.close()
            raise

    def close(self):
        self.ours.stop()
        self.their_smp.stop()
        self.theirs.close()
        self.sml.close()

    def invoice_to(self, party: str) -> bytes:
        """The invoice with another electronic address of the buyer."""
        scheme, value = party.split(":")
        buyer = b'EndpointID schemeID="0106">87654321<'
        assert buyer in self.world.invoice
        other = f'EndpointID schemeID="{scheme}">{value}<'
        return self.world.invoice.replace(buyer, other.encode())

    def send(self, party: str):
        invoice = self.invoice_to(party)
        document = self.ours.send(OUR_PARTY, invoice)
        status, timeline = self.ours.final_status(OUR_PARTY, document, PASSING)
        return invoice, status, str(timeline)

    # ---- sending

    def case_our_service_finds_as4_and_delivers(self):
        before = len(self.theirs.received)
        invoice, status, timeline = self.send(THEIR_PARTY)
        assert status == "Delivered", timeline
        ((_, payload),) = self.theirs.received[before:]
        self.world.same_document(payload, invoice)

    def case_our_service_reports_not_serviced_of_as4(self):
        before = len(self.theirs.received)
        _, status, timeline = self.send(REFUSED_PARTY)
        assert status in ("Rejected", "Failed"), (status, timeline)
        assert "NOT_SERVICED" in timeline or "not service" in timeline, timeline
        assert len(self.theirs.received) == before

    def case_our_service_reports_an_unregistered_recipient(self):
        _, status, timeline = self.send(UNREGISTERED)
        assert status in ("Rejected", "Failed"), (status, timeline)

    # ---- receiving

    def case_as4_delivers_to_our_service_once(self):
        before = len(self.ours.received(OUR_PARTY))
        invoice = self.world.invoice
        message = pypi_as4.Message(self.network, THEIRS, OURS, invoice, OUR_PARTY)
        # The same message again: it gets its receipt again, and is not delivered again.
        for _ in range(2):
            assert message.post(self.ours.as4) == []
        (document,) = self.ours.received(OUR_PARTY)[before:]
        self.world.same_document(document, invoice)

    def case_as4_reads_that_our_service_does_not_service(self):
        for party in (UNREGISTERED, THEIR_PARTY):
            message = pypi_as4.Message(self.network, THEIRS, OURS, self.world.invoice, party)
            errors = message.post(self.ours.as4)
            assert errors == [("EBMS:0004", "PEPPOL:NOT_SERVICED")], errors

    def case_peppol_py_delivers_to_our_service(self):
        before = len(self.ours.received(OUR_PARTY))
        invoice = self.world.invoice
        answer = peppol_py.send(self.network, THEIRS, OURS, self.ours.as4, invoice, OUR_PARTY)
        assert answer is None, answer
        (document,) = self.ours.received(OUR_PARTY)[before:]
        self.world.same_document(document, invoice)

    def case_peppol_py_finds_our_service_and_delivers(self):
        before = len(self.ours.received(OUR_PARTY))
        profile, url, certificate = self.find(f"busdox-docid-qns::{DOCUMENT_TYPE}")
        assert (profile, url) == ("peppol-transport-as4-v2_0", self.ours.as4)
        assert self.same_certificate(certificate)
        # Its envelope is named by number and second: the number keeps it apart from the case before.
        number = re.search(b"<cbc:ID>([^<]+)<", self.world.invoice)
        invoice = self.world.invoice.replace(number[0], b"<cbc:ID>%s-FOUND<" % number[1], 1)
        answer = peppol_py.send(self.network, THEIRS, OURS, url, invoice, OUR_PARTY)
        assert answer is None, answer
        (document,) = self.ours.received(OUR_PARTY)[before:]
        self.world.same_document(document, invoice)

    def case_peppol_py_finds_what_is_registered_by_a_wildcard(self):
        # It compares literally, and its envelope knows the scheme of document types without patterns
        # only: it finds the registration, and cannot send a PINT document.
        self.ours.register(OUR_PARTY, PINT_PATTERN, PINT_PROCESS, certificate=self.our_base64())
        profile, url, certificate = self.find(PINT_PATTERN)
        assert (profile, url) == ("peppol-transport-as4-v2_0", self.ours.as4)
        assert self.same_certificate(certificate)
        path = quote(f"iso6523-actorid-upis::{OUR_PARTY}", safe="")
        path = f"/{path}/services/{quote(PINT_PATTERN, safe='')}"
        for form in ("", "/bdxr-smp-1", "/bdxr-smp-2"):
            metadata = self.ours.metadata(form + path)
            assert self.world.xmlsec1(metadata, f"{OURS}-smp"), f"xmlsec1 does not verify {form}"
            changed = metadata.replace(b"billing-1*", b"billing-2*")
            assert changed != metadata and not self.world.xmlsec1(changed, f"{OURS}-smp"), form

    def case_peppol_py_does_not_find_what_is_not_registered(self):
        for party in (UNREGISTERED, THIRD_PARTY):
            try:
                peppol_py.find(self.sml.address, party, DOCUMENT_TYPE)
            except SendPeppolError:
                continue
            raise AssertionError(f"{party} was found")

    def find(self, document_type):
        return peppol_py.find(self.sml.address, OUR_PARTY, document_type)

    def our_base64(self) -> str:
        lines = self.network.certificate_pem(OURS).decode().splitlines()
        return "".join(line for line in lines if not line.startswith("-"))

    def same_certificate(self, pem: bytes) -> bool:
        return load_pem_x509_certificate(pem) == self.network.certificate(OURS)

    # ---- the SMP

    def case_xmlsec1_verifies_our_metadata(self):
        path = f"/iso6523-actorid-upis::{OUR_PARTY}/services/busdox-docid-qns::"
        path = (path + DOCUMENT_TYPE).replace("#", "%23").replace(":", "%3A")
        signer = f"{OURS}-smp"
        # The form of Peppol, and those of OASIS: 2.0 names canonical XML 1.1.
        for form in ("", "/bdxr-smp-1", "/bdxr-smp-2"):
            metadata = self.ours.metadata(form + path)
            assert self.world.xmlsec1(metadata, signer), f"xmlsec1 does not verify {form}"
            assert not self.world.xmlsec1(metadata, f"{THIRD}-smp"), f"any key verifies {form}"
            changed = metadata.replace(self.ours.as4.encode(), b"https://elsewhere.test/as4")
            assert changed != metadata and not self.world.xmlsec1(changed, signer)

    def case_xmlsec1_verifies_our_group_of_bdxr_2(self):
        group = self.ours.metadata(f"/bdxr-smp-2/iso6523-actorid-upis%3A%3A{OUR_PARTY}")
        assert self.world.xmlsec1(group, f"{OURS}-smp"), group
        changed = group.replace(OUR_PARTY.encode(), b"0106:00000009")
        assert changed != group and not self.world.xmlsec1(changed, f"{OURS}-smp")
