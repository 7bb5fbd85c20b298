"""Messages between this project and independent implementations, each of which checks the other.

Usage: suite.py PEER PKI WORK INVOICE, where PEER is the built example `as4_peer`, PKI the folder that
`pki.sh` filled, WORK an empty folder and INVOICE a UBL invoice. Ends with status 1 if a case fails.
"""

import contextlib
import subprocess
import sys
import traceback
from pathlib import Path

from lxml import etree
from peers import peppol_py, pypi_as4
from peers.pki import Network

PATIENCE = 30
OURS, THEIRS, THIRD = "POP000001", "POP000002", "POP000003"
SERVED, NOT_SERVICED = "9915:helger", "9915:notserviced"
SOAP = "http://www.w3.org/2003/05/soap-envelope"
EB = "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/"


class Suite:
    def __init__(self, peer, pki, work, invoice):
        self.peer, self.work = peer, Path(work)
        self.network = Network(Path(pki))
        self.pki, self.invoice_file = pki, invoice
        self.invoice = Path(invoice).read_bytes()

    # ---- this project's side

    @contextlib.contextmanager
    def serving(self):
        """Our example receives; answers its address and the folder of what it writes."""
        out = self.work / "received"
        out.mkdir(exist_ok=True)
        command = [self.peer, "serve", self.pki, OURS, str(out)]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        try:
            port = process.stdout.readline().split()[1]
            yield f"http://127.0.0.1:{port}/as4", process.stdout, out
        finally:
            process.stdin.close()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()

    def we_send(self, url, recipient, to=THEIRS):
        command = [self.peer, "send", self.pki, OURS, to, url, self.invoice_file, recipient]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    # ---- cases: the `as4` package

    def as4_sends_and_verifies_our_receipt(self):
        with self.serving() as (url, log, out):
            assert pypi_as4.send(self.network, THEIRS, OURS, url, self.invoice, SERVED) == []
            assert log.readline().startswith("received "), "we did not take it"
            self.same_invoice((out / "0.xml").read_bytes())

    def as4_reads_our_not_serviced(self):
        with self.serving() as (url, *_):
            errors = pypi_as4.send(self.network, THEIRS, OURS, url, self.invoice, NOT_SERVICED)
        assert errors == [("EBMS:0004", "PEPPOL:NOT_SERVICED")], errors

    def as4_reads_our_refusal_of_a_changed_attachment(self):
        def change(body):
            middle = body.rindex(b"\r\n\r\n") + 40
            return body[:middle] + bytes([body[middle] ^ 1]) + body[middle + 1 :]

        with self.serving() as (url, *_):
            errors = pypi_as4.send(
                self.network, THEIRS, OURS, url, self.invoice, SERVED, change
            )
        assert [code for code, _ in errors] == ["EBMS:0102"], errors

    def as4_reads_our_refusal_of_a_changed_header(self):
        with self.serving() as (url, *_):
            errors = pypi_as4.send(
                self.network, THEIRS, OURS, url, self.invoice, SERVED,
                lambda body: body.replace(b">9915:helger<", b">9915:hacker<"),
            )
        assert [code for code, _ in errors] == ["EBMS:0101"], errors

    def we_send_to_as4_and_verify_its_receipt(self):
        with contextlib.closing(pypi_as4.Server(self.network, THEIRS)) as server:
            assert self.we_send(server.url, SERVED) == f"receipt by {THEIRS}"
            ((_, payload),) = server.received
            self.same_invoice(payload)

    def we_read_not_serviced_of_as4(self):
        with contextlib.closing(pypi_as4.Server(self.network, THEIRS)) as server:
            answer = self.we_send(server.url, NOT_SERVICED)
            assert answer.startswith("error EBMS:0004"), answer
            assert "PEPPOL:NOT_SERVICED" in answer, answer
            assert server.received == []

    def as4_refuses_what_is_for_another_seat(self):
        with contextlib.closing(pypi_as4.Server(self.network, THEIRS)) as server:
            answer = self.we_send(server.url, SERVED, to=THIRD)
            assert answer.startswith(("error EBMS:", "unknown HTTP")), answer
            assert server.received == []

    # ---- cases: peppol-py

    def peppol_py_sends(self):
        with self.serving() as (url, log, out):
            answer = peppol_py.send(self.network, THEIRS, OURS, url, self.invoice, SERVED)
            assert answer is None, answer
            assert log.readline().startswith("received "), "we did not take it"
            self.same_invoice((out / "0.xml").read_bytes())

    def peppol_py_reads_our_not_serviced(self):
        with self.serving() as (url, *_):
            answer = peppol_py.send(self.network, THEIRS, OURS, url, self.invoice, NOT_SERVICED)
        assert answer and "PEPPOL:NOT_SERVICED" in answer, answer

    # ---- cases: xmlsec1

    def xmlsec1_verifies_our_receipt_and_our_errors(self):
        with self.serving() as (url, _, out):
            for recipient in (SERVED, NOT_SERVICED):
                pypi_as4.send(self.network, THEIRS, OURS, url, self.invoice, recipient)
            receipt, error = [(out / f"{number}.signal").read_bytes() for number in (0, 1)]
        assert b":Receipt>" in receipt and b":Error " in error
        for signal in (receipt, error):
            assert self.xmlsec1(signal), "xmlsec1 does not verify it"
            changed = signal.replace(b"mustUnderstand=\"true\"", b"mustUnderstand=\"1\"", 1)
            assert changed != signal and not self.xmlsec1(changed), "a change is not noticed"

    # ---- what cases share

    def xmlsec1(self, signal):
        file = self.work / "signal.xml"
        file.write_bytes(signal)
        certificate = str(self.network.folder / f"{OURS}.crt")
        command = ["xmlsec1", "--verify", "--pubkey-cert-pem", certificate]
        for name in (f"{EB}:Messaging", f"{SOAP}:Body"):
            command += ["--id-attr:Id", name]
        done = subprocess.run([*command, str(file)], capture_output=True, timeout=PATIENCE)
        return done.returncode == 0

    def same_invoice(self, envelope):
        """The business document came through unchanged, up to its namespace declarations."""
        received = etree.fromstring(envelope)[-1]
        forms = [etree.tostring(e, method="c14n2", strip_text=True)
                 for e in (received, etree.fromstring(self.invoice))]
        assert forms[0] == forms[1], "the invoice was changed on its way"

    def run(self):
        cases = [name for name in vars(Suite) if name.startswith(("as4_", "we_", "peppol_", "xmlsec1_"))]
        cases.remove("we_send")
        failed = 0
        for name in cases:
            try:
                getattr(self, name)()
                print(f"ok      {name}", flush=True)
            except Exception:
                failed += 1
                print(f"FAILED  {name}\n{traceback.format_exc()}", flush=True)
        print(f"{len(cases) - failed} of {len(cases)} cases passed")
        return failed == 0


if __name__ == "__main__":
    sys.exit(0 if Suite(*sys.argv[1:]).run() else 1)
