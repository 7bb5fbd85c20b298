"""This project's own service, `quoin serve`, with a configuration made for the suite."""

import base64
import json
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from .pki import Network
from .sml import ZONE

CLIENT, SECRET = "interop", "a-secret-of-the-interoperability-suite"
PATIENCE = 30


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Service:
    """A running `quoin serve` for one seat."""

    def __init__(self, program, network: Network, folder: Path, seat, participants):
        self.program, self.network, self.folder = program, network, folder
        self.seat, self.participants = seat, participants
        ports = [free_port() for _ in range(3)]
        self.api = f"http://127.0.0.1:{ports[0]}"
        self.as4, self.smp = (f"https://127.0.0.1:{port}" for port in ports[1:])
        self.as4 += "/as4"
        self.ports = ports
        self.process = None

    def start(self, dns: str, as4: str | None = None, roles=("api", "worker", "as4", "smp")):
        """`as4` is published instead of the own address: the SMP of another access point."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / "quoin.toml"
        file.write_text(self.configuration(dns, as4 or self.as4, roles))
        log = (self.folder / "log").open("w")
        command = [self.program, "serve", "--config", str(file)]
        self.process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        self.wait_until_open(self.api if "api" in roles else self.smp)

    def configuration(self, dns, as4, roles) -> str:
        file = lambda name: json.dumps(str(self.network.certificate_file(name)))
        key = lambda name: json.dumps(str(self.network.key_file(name)))
        tls = f"certificate_file = {file('tls')}\nkey_file = {key('tls')}\n"
        lines = [
            f"data_dir = {json.dumps(str(self.folder / 'data'))}",
            f"roles = {json.dumps(list(roles))}",
            f'[listen.api]\naddress = "127.0.0.1:{self.ports[0]}"',
            f'[listen.as4]\naddress = "127.0.0.1:{self.ports[1]}"\n{tls}',
            f'[listen.smp]\naddress = "127.0.0.1:{self.ports[2]}"\n{tls}',
            f'[api]\npublic_url = "{self.api}"',
            f"[access_point]\ncertificate_file = {file(self.seat)}\nkey_file = {key(self.seat)}",
            f'as4_domain = "{self.seat.lower()}.interop.test"\npublic_url = "{as4}"',
            f"[smp]\ncertificate_file = {file(self.seat + '-smp')}",
            f"key_file = {key(self.seat + '-smp')}\npublic_url = \"{self.smp}\"",
            f"[trust]\nap_anchors = [{file('root')}]\nap_intermediates = [{file('ca')}]",
            f"smp_anchors = [{file('root')}]\nsmp_intermediates = [{file('smp-ca')}]",
            # The certificates of the suite name no place to ask.
            "crl = false\nocsp = false\nrevocation = \"soft-fail\"",
            f"[tls]\nextra_ca_files = [{file('tls-ca')}]",
            f'[network]\nsml_zone = "{ZONE}"\ndns_servers = ["{dns}"]\nallow_any_port = true',
            '[[organisation]]\nid = "suite"\nname = "Interoperability suite"',
            f'[[organisation.clients]]\nid = "{CLIENT}"\nsecret = "{SECRET}"\nrole = "ApManager"',
        ]
        for participant in self.participants:
            lines.append(
                f'[[organisation.parties]]\nidentifiers = ["{participant}"]\nname = "A party"\n'
                'country = "NL"\ncapabilities = { invoices = "on" }'
            )
        return "\n".join(lines) + "\n"

    def wait_until_open(self, url):
        address = urllib.parse.urlsplit(url)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self.process.poll() is not None:
                break
            try:
                socket.create_connection((address.hostname, address.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"{self.seat} did not start:\n{self.log()}")

    def log(self) -> str:
        return (self.folder / "log").read_text()

    # ---- its interface

    def call(self, path, body=None, headers=(), method=None):
        url = self.api + path
        request = urllib.request.Request(url, data=body, headers=dict(headers), method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as response:
                return response.headers, response.read()
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {error.code} {error.read().decode()}") from error

    def token(self):
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        body = b"grant_type=client_credentials&scope=ap"
        headers = {"Authorization": f"Basic {basic}"}
        _, answer = self.call("/connect/token", body, headers)
        return {"Authorization": "Bearer " + json.loads(answer)["access_token"]}

    def send(self, party, invoice) -> str:
        headers = {**self.token(), "Content-Type": "application/xml"}
        _, answer = self.call(f"/api/v1/{party}/salesInvoice/send", invoice, headers)
        return json.loads(answer)["id"]

    def final_status(self, party, document, passing):
        """The status of a sales invoice and its timeline, once it is not in `passing` any more."""
        until = time.monotonic() + PATIENCE
        path = f"/api/v1/{party}/salesInvoice/{document}/status"
        token = self.token()
        while True:
            headers, answer = self.call(path, headers=token)
            status = headers["X-Service-Status"]
            if status not in passing or time.monotonic() > until:
                return status, json.loads(answer)
            time.sleep(0.1)

    def received(self, party) -> list[bytes]:
        """The purchase invoices of a party."""
        token = self.token()
        _, answer = self.call(f"/api/v1/{party}/purchaseInvoice", headers=token)
        items = json.loads(answer)["items"]
        path = f"/api/v1/{party}/purchaseInvoice"
        return [self.call(f"{path}/{i['id']}/download", headers=token)[1] for i in items]

    def register(self, party, document_type, process, certificate):
        """Registers a document type by the management of the SMP, as SMP tools do."""
        scheme, value = document_type.split("::", 1)
        body = f"""<ServiceMetadata xmlns="http://busdox.org/serviceMetadata/publishing/1.0/"
 xmlns:ids="http://busdox.org/transport/identifiers/1.0/"
 xmlns:wsa="http://www.w3.org/2005/08/addressing"><ServiceInformation>
<ids:ParticipantIdentifier scheme="iso6523-actorid-upis">{party}</ids:ParticipantIdentifier>
<ids:DocumentIdentifier scheme="{scheme}">{value}</ids:DocumentIdentifier>
<ProcessList><Process>
<ids:ProcessIdentifier scheme="cenbii-procid-ubl">{process}</ids:ProcessIdentifier>
<ServiceEndpointList><Endpoint transportProfile="peppol-transport-as4-v2_0">
<wsa:EndpointReference><wsa:Address>{self.as4}</wsa:Address></wsa:EndpointReference>
<RequireBusinessLevelSignature>false</RequireBusinessLevelSignature>
<Certificate>{certificate}</Certificate><ServiceDescription>suite</ServiceDescription>
<TechnicalContactUrl>mailto:suite@interop.test</TechnicalContactUrl>
</Endpoint></ServiceEndpointList></Process></ProcessList></ServiceInformation></ServiceMetadata>"""
        path = f"/smp/{urllib.parse.quote('iso6523-actorid-upis::' + party, safe='')}/services/"
        path += urllib.parse.quote(document_type, safe="")
        self.call(path, body.encode(), self.token(), "PUT")

    def metadata(self, path) -> bytes:
        """An answer of its SMP."""
        url = self.smp + path
        tls = self.network.client_tls()
        with urllib.request.urlopen(url, timeout=20, context=tls) as response:
            return response.read()

    def stop(self):
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
