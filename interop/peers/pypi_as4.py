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


class Message:
    """One document on its way; it may be posted more than once."""

    def __init__(self, network: Network, seat: str, to: str, invoice: bytes, recipient: str):
        self.network = network
        self.remote = create_peppol_external_party(to, network.certificate(to))
        self.message = build_peppol_message(
            payload=invoice,
            local_party=own(network, seat),
            remote_party=self.remote,
            sender=SENDER,
            recipient=recipient,
            document_type_identifier_scheme="busdox-docid-qns",
            document_type_identifier_value=DOCUMENT_TYPE,
            process_identifier=PROCESS,
            sender_country_id="AT",
        )
        self.body, boundary = self.message.get_request_data()
        self.headers = dict(self.message.get_http_headers(boundary))

    def post(self, url: str, change=lambda body: body):
        """Answers the errors of a verified signal, or an empty list for a verified receipt."""
        request = urllib.request.Request(url, data=change(self.body), headers=self.headers)
        tls = self.network.client_tls() if url.startswith("https:") else None
        with urllib.request.urlopen(request, timeout=20, context=tls) as response:
            signal = response.read()
        # Parsing verifies the signature of the signal against the receiver's certificate.
        receipt = parse_peppol_receipt(signal, self.remote.credentials.certificate)
        if receipt.errors:
            return [(e.error_code, e.error_detail and e.error_detail.value) for e in receipt.errors]
        receipt.verify_non_repudiation(self.message.signed_references)
        return []


class Server:
    """Receives messages until it is closed: `received` holds message id and payload of each that it
    accepted, `requests` content type and body of all."""

    def __init__(self, network: Network, seat: str, tls: bool = False):
        party = own(network, seat)
        ca = network.certificate("ca")
        policy = peppol_security_policy(network.certificate("root"), intermediates=[ca])
        self.received, self.requests = [], []
        received, requests = self.received, self.requests

        def accept(participant):
            if participant.endswith("notserviced"):
                raise errors.ParticipantNotServicedError(participant)

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                requests.append((self.headers["Content-Type"], body))
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
        if tls:
            context = network.server_tls()
            self.http.socket = context.wrap_socket(self.http.socket, server_side=True)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        scheme = "https" if tls else "http"
        self.url = f"{scheme}://127.0.0.1:{self.http.server_address[1]}/as4"

    def close(self):
        self.http.shutdown()
        self.http.server_close()
