"""The certificates and keys that `pki.sh` made."""

import ssl
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key

SENDER = "9915:test"
DOCUMENT_TYPE = (
    "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:cen.eu:en16931:2017"
    "#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1"
)
PROCESS = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"


@dataclass(frozen=True)
class Network:
    folder: Path

    def certificate_file(self, name: str) -> Path:
        return self.folder / f"{name}.crt"

    def key_file(self, name: str) -> Path:
        return self.folder / f"{name}.key"

    def certificate_pem(self, name: str) -> bytes:
        return self.certificate_file(name).read_bytes()

    def certificate(self, name: str) -> x509.Certificate:
        return x509.load_pem_x509_certificate(self.certificate_pem(name))

    def key(self, name: str):
        return load_pem_private_key(self.key_file(name).read_bytes(), None)

    def client_tls(self) -> ssl.SSLContext:
        """For calls to web servers of this network."""
        return ssl.create_default_context(cafile=self.certificate_file("tls-ca"))

    def server_tls(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate_file("tls"), self.key_file("tls"))
        return context
