"""The `peppol-py` package as a sender, and as a client that finds a receiver through DNS and SMP. It
judges no certificate of a test network, so the whole of its own command is done here step by step."""

import datetime
from pathlib import Path
from unittest import mock

import dns.resolver
from lxml import etree
from peppol_py import as4_sender, sender, smp
from peppol_py.exception import SendPeppolError

from .pki import SENDER, Network

XMLSEC = str(Path(__file__).parent.parent / "xmlsec13")


def find(sml: str, participant: str, document_type: str) -> tuple[str, str, bytes]:
    """Transport profile, address and certificate of a receiver, found through the name server `sml`
    (address:port), the service group and the metadata that the group refers to."""
    address, port = sml.split(":")
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers, resolver.port = [address], int(port)
    with mock.patch.object(dns.resolver, "Resolver", lambda: resolver):
        found = smp.get_service_info_for_participant_from_smp
        return found(participant, document_type, True, 20, "peppol-py")


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
