"""The AS4 room alone, as the example `as4_peer`, against independent implementations."""

import contextlib
import subprocess

from peers import peppol_py, pypi_as4, santuario

from .world import OURS, PATIENCE, THEIRS, THIRD, World

SERVED, NOT_SERVICED = "9915:helger", "9915:notserviced"
SOAP = "http://www.w3.org/2003/05/soap-envelope"
EB = "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/"


class Room:
    def __init__(self, world: World):
        self.world, self.network = world, world.network
        self.peer = str(world.programs / "examples" / "as4_peer")
        self.pki = str(world.network.folder)

    def close(self):
        pass

    @contextlib.contextmanager
    def serving(self):
        """Our example receives; answers its address, its log, and the folder that it writes to."""
        out = self.world.work / "received"
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
        invoice = str(self.world.invoice_file)
        command = [self.peer, "send", self.pki, OURS, to, url, invoice, recipient]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def as4_sends(self, url, recipient, change=lambda body: body):
        message = pypi_as4.Message(self.network, THEIRS, OURS, self.world.invoice, recipient)
        return message.post(url, change)

    # ---- the `as4` package

    def case_as4_sends_and_verifies_our_receipt(self):
        with self.serving() as (url, log, out):
            assert self.as4_sends(url, SERVED) == []
            assert log.readline().startswith("received "), "we did not take it"
            self.world.same_document((out / "0.xml").read_bytes())

    def case_as4_reads_our_not_serviced(self):
        with self.serving() as (url, *_):
            errors = self.as4_sends(url, NOT_SERVICED)
        assert errors == [("EBMS:0004", "PEPPOL:NOT_SERVICED")], errors

    def case_as4_reads_our_refusal_of_a_changed_attachment(self):
        def change(body):
            place = body.rindex(b"\r\n\r\n") + 40
            return body[:place] + bytes([body[place] ^ 1]) + body[place + 1 :]

        with self.serving() as (url, *_):
            errors = self.as4_sends(url, SERVED, change)
        assert [code for code, _ in errors] == ["EBMS:0102"], errors

    def case_as4_reads_our_refusal_of_a_changed_header(self):
        def change(body):
            assert b">9915:helger<" in body
            return body.replace(b">9915:helger<", b">9915:hacker<")

        with self.serving() as (url, *_):
            errors = self.as4_sends(url, SERVED, change)
        assert [code for code, _ in errors] == ["EBMS:0101"], errors

    def case_we_send_to_as4_and_verify_its_receipt(self):
        with contextlib.closing(pypi_as4.Server(self.network, THEIRS)) as server:
            assert self.we_send(server.url, SERVED) == f"receipt by {THEIRS}"
            ((_, payload),) = server.received
            self.world.same_document(payload)

    def case_we_read_not_serviced_of_as4(self):
        with contextlib.closing(pypi_as4.Server(self.network, THEIRS)) as server:
            answer = self.we_send(server.url, NOT_SERVICED)
            assert answer.startswith("error EBMS:0004"), answer
            assert "PEPPOL:NOT_SERVICED" in answer, answer
            assert server.received == []

    def case_as4_refuses_what_is_for_another_seat(self):
        with contextlib.closing(pypi_as4.Server(self.network, THEIRS)) as server:
            answer = self.we_send(server.url, SERVED, to=THIRD)
            assert answer.startswith("error EBMS:"), answer
            assert server.received == []

    # ---- peppol-py

    def case_peppol_py_sends(self):
        with self.serving() as (url, log, out):
            invoice = self.world.invoice
            answer = peppol_py.send(self.network, THEIRS, OURS, url, invoice, SERVED)
            assert answer is None, answer
            assert log.readline().startswith("received "), "we did not take it"
            self.world.same_document((out / "0.xml").read_bytes())

    def case_peppol_py_reads_our_not_serviced(self):
        with self.serving() as (url, *_):
            invoice = self.world.invoice
            answer = peppol_py.send(self.network, THEIRS, OURS, url, invoice, NOT_SERVICED)
        assert answer and "PEPPOL:NOT_SERVICED" in answer, answer

    # ---- Apache Santuario

    def case_santuario_opens_our_message(self):
        with contextlib.closing(pypi_as4.Server(self.network, THEIRS)) as server:
            self.we_send(server.url, SERVED)
            ((content_type, body),) = server.requests
        judge = santuario.Judge(self.network, self.world.work)
        said, payload = judge.open(content_type, body, THEIRS, OURS)
        assert said == "verified 3 references\n", said
        self.world.same_document(payload)
        changed = body.replace(b">9915:helger<", b">9915:hacker<")
        said, payload = judge.open(content_type, changed, THEIRS, OURS)
        assert payload is None and "does not verify" in said, said
        said, payload = judge.open(content_type, body, THEIRS, THIRD)
        assert payload is None and "does not verify" in said, said

    # ---- xmlsec1

    def case_xmlsec1_verifies_our_receipt_and_our_error(self):
        with self.serving() as (url, _, out):
            for recipient in (SERVED, NOT_SERVICED):
                self.as4_sends(url, recipient)
            receipt, error = [(out / f"{number}.signal").read_bytes() for number in (0, 1)]
        assert b"<eb:Receipt>" in receipt and b"<eb:Error " in error
        names = (f"{EB}:Messaging", f"{SOAP}:Body")
        for signal in (receipt, error):
            assert self.world.xmlsec1(signal, OURS, names), "xmlsec1 does not verify it"
            assert not self.world.xmlsec1(signal, THIRD, names), "any key verifies it"
            changed = signal.replace(b"<eb:MessageId>", b"<eb:MessageId>x", 1)
            assert not self.world.xmlsec1(changed, OURS, names), "a change is not noticed"
