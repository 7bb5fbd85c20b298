"""What all cases start from: certificates, an invoice, and how the outcome is compared."""

import subprocess
from pathlib import Path

from lxml import etree

from peers.pki import Network

PATIENCE = 30
OURS, THEIRS, THIRD = "POP000001", "POP000002", "POP000003"


class World:
    def __init__(self, programs: Path, pki: Path, work: Path, invoice: Path):
        self.programs, self.work, self.invoice_file = programs, work, invoice
        self.network = Network(pki)
        self.invoice = invoice.read_bytes()

    def same_document(self, received: bytes, sent: bytes | None = None):
        """The business document came through unchanged, up to unused namespace declarations."""
        root = etree.fromstring(received)
        if etree.QName(root).localname == "StandardBusinessDocument":
            root = root[-1]
        expected = etree.fromstring(sent or self.invoice)
        forms = [etree.tostring(e, method="c14n", exclusive=True) for e in (root, expected)]
        assert forms[0].strip() == forms[1].strip(), "the invoice was changed on its way"

    def xmlsec1(self, xml: bytes, signer: str, id_attributes=()) -> bool:
        """Whether xmlsec1 verifies the signature in a document with the key of `signer`."""
        file = self.work / "signed.xml"
        file.write_bytes(xml)
        certificate = str(self.network.certificate_file(signer))
        command = ["xmlsec1", "--verify", "--pubkey-cert-pem", certificate]
        for name in id_attributes:
            command += ["--id-attr:Id", name]
        done = subprocess.run([*command, str(file)], capture_output=True, timeout=PATIENCE)
        return done.returncode == 0
