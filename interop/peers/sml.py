"""A name server that knows where the SMPs of some participants are (U-NAPTR, Peppol SML)."""

import base64
import hashlib
import socket
import struct
import threading

ZONE = "participant.sml.interop.test"
# Independent clients have the zone of the test network built in, and ask for nothing else.
TEST_ZONE = "participant.sml.test.tech.peppol.org"
NAPTR, NO_ERROR, NO_SUCH_NAME = 35, 0, 3
ANSWER_FLAGS = 0x8400  # a response, authoritative
TTL = 60


def label(participant: str) -> str:
    digest = hashlib.sha256(participant.lower().encode()).digest()
    return base64.b32encode(digest).decode().rstrip("=").lower()


class Server:
    """Answers over UDP until it is closed."""

    def __init__(self, smp_of_participant: dict[str, str]):
        self.smps = {label(participant): url for participant, url in smp_of_participant.items()}
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                question, client = self.socket.recvfrom(4096)
            except OSError:
                return
            self.socket.sendto(self.answer(question), client)

    def answer(self, question: bytes) -> bytes:
        end = question.index(0, 12) + 5
        kind = struct.unpack("!H", question[end - 4 : end - 2])[0]
        first = question[13 : 13 + question[12]].decode().lower()
        name = self.dotted(question).lower()
        known = any(name.endswith(zone.encode()) for zone in (ZONE, TEST_ZONE))
        url = self.smps.get(first) if known else None
        code = NO_ERROR if url else NO_SUCH_NAME
        records = [self.record(url)] if url and kind == NAPTR else []
        counts = struct.pack("!HHHH", 1, len(records), 0, 0)
        flags = struct.pack("!H", ANSWER_FLAGS | code)
        return question[:2] + flags + counts + question[12:end] + b"".join(records)

    @staticmethod
    def dotted(question: bytes) -> bytes:
        labels, at = [], 12
        while question[at]:
            labels.append(question[at + 1 : at + 1 + question[at]])
            at += 1 + question[at]
        return b".".join(labels)

    @staticmethod
    def record(url: str) -> bytes:
        def text(value):
            return bytes([len(value)]) + value.encode()

        data = struct.pack("!HH", 100, 10) + text("U") + text("Meta:SMP")
        data += text(f"!.*!{url}!") + b"\0"
        # The name is that of the question, at offset 12.
        return struct.pack("!HHHIH", 0xC00C, NAPTR, 1, TTL, len(data)) + data

    def close(self):
        self.socket.close()
