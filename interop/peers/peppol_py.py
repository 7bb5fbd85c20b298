"""The `peppol-py` package as a sender. Its own command looks the receiver up in the SML; here the
endpoint and its certificate are given."""

import datetime
from pathlib import Path

from lxml import etree
from peppol_py import as4_sender, sender
from peppol_py.exception import SendPeppolError

from .pki import SENDER, Network

XMLSEC = str(Path(__file__).parent.parent / "xmlsec13")


def send(network: Network, seat: str, to: str, url: str, invoice: bytes, recipient: str):
    """Sends one document; answers None for an accepted one, or what peppol-py says is wrong."""
    document = etree.fromstring(invoice)
    now = datetime.datetime.now(tz=datetime.timezone.utc).replace(microsecond=0).isoformat()
    kind = sender.get_document_type_from_ubl(document, document_type_version="2.1")
    process = document.findtext("./{*}ProfileID")
    content, envelope = sender.wrap_ubl_in_peppol_standard_business_document_header(
        document, now, kind, process, SENDER, "AT", recipient
    )
    certificates = [network.certificate_pem(name) for name in (seat, to)]
    body, headers = as4_sender.get_headers_and_body_for_posting_as4_document(
        content,
        envelope,
        now,
        kind,
        process,
        SENDER,
        recipient,
        to,
        XMLSEC,
        str(network.key_file(seat)),
        None,
        *certificates,
        seat,
    )
    try:
        as4_sender.post_edelivery_as4_document(url, body, headers, 20, "peppol-py")
    except SendPeppolError as error:
        return str(error)
    return None
