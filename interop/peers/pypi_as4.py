"""The `as4` package as an access point: it has no HTTP of its own, so that is added here."""

import http.server
import threading
import urllib.request

from as4 import errors
from as4.core.common import AS4LocalPrivateKey
from as4.peppol import (
    build_peppol_message,
    create_peppol_external_party,
    create_peppol_internal_party,
    parse_peppol_message,
    parse_peppol_receipt,
    peppol_security_policy,
)

from .pki import DOCUMENT_TYPE, PROCESS, SENDER, Network


def own(network: Network, seat: str):
    key = AS4LocalPrivateKey(network.key(seat))
    return create_peppol_internal_party(seat, network.certificate(seat), key)


def send(network, seat, to, url, invoice, recipient, change=lambda body: body):
    """Sends one document; answers the verified errors, or an empty list for a verified receipt."""
    remote = create_peppol_external_party(to, network.certificate(to))
    message = build_peppol_message(
        payload=invoice,
        local_party=own(network, seat),
        remote_party=remote,
        sender=SENDER,
        recipient=recipient,
        document_type_identifier_scheme="busdox-docid-qns",
        document_type_identifier_value=DOCUMENT_TYPE,
        process_identifier=PROCESS,
        sender_country_id="AT",
    )
    body, boundary = message.get_request_data()
    headers = dict(message.get_http_headers(boundary))
    request = urllib.request.Request(url, data=change(body), headers=headers)
    with urllib.request.urlopen(request, timeout=20) as response:
        signal = response.read()
    # Parsing verifies the signature of the signal against the receiver's certificate.
    receipt = parse_peppol_receipt(signal, remote.credentials.certificate)
    if receipt.errors:
        details = [error.error_detail.value if error.error_detail else "" for error in receipt.errors]
        return [(e.error_code, detail) for e, detail in zip(receipt.errors, details)]
    receipt.verify_non_repudiation(message.signed_references)
    return []


class Server:
    """Receives messages until it is closed; `received` holds message id and payload of each."""

    def __init__(self, network: Network, seat: str):
        party = own(network, seat)
        ca = network.certificate("ca")
        policy = peppol_security_policy(network.certificate("root"), intermediates=[ca])
        self.received = []
        received = self.received

        def accept(participant):
            if participant.endswith("notserviced"):
                raise errors.ParticipantNotServicedError(participant)

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                exchange = parse_peppol_message(
                    request_headers=dict(self.headers),
                    request_body=body,
                    local_party=party,
                    security_policy=policy,
                    accept_participant=accept,
                )
                headers, signal = exchange.build_signal()
                if exchange.successful:
                    (payload,) = exchange.message.decrypted_data.values()
                    received.append((exchange.message_id, payload))
                self.send_response(200)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(signal)))
                self.end_headers()
                self.wfile.write(signal)

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/as4"

    def close(self):
        self.http.shutdown()
        self.http.server_close()
