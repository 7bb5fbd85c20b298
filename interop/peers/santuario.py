"""Apache Santuario as a judge of messages: `Santuario.java` on the jar of the distribution."""

import email
import subprocess
from pathlib import Path

from .pki import Network

JARS = ":".join(f"/usr/share/java/{name}.jar" for name in
                ("xmlsec", "slf4j-api", "slf4j-nop", "commons-codec", "woodstox-core", "stax2-api"))
PROGRAM = Path(__file__).with_name("Santuario.java")
PATIENCE = 60


class Judge:
    def __init__(self, network: Network, folder: Path):
        self.network, self.folder = network, folder
        classes = str(folder / "classes")
        command = ["javac", "-cp", JARS, "-d", classes, str(PROGRAM)]
        subprocess.run(command, check=True, timeout=PATIENCE)
        self.java = ["java", "-cp", f"{JARS}:{classes}", "Santuario"]

    def open(self, content_type: str, body: bytes, receiver: str, signer: str):
        """What it says about a message, and the payload where the message holds."""
        head = f"Content-Type: {content_type}\r\n\r\n".encode()
        soap, attachment = email.message_from_bytes(head + body).get_payload()
        files = [self.folder / name for name in ("envelope.xml", "attachment.bin")]
        for file, part in zip(files, (soap, attachment)):
            file.write_bytes(self.binary(body, part))
        out = self.folder / "payload.xml"
        out.unlink(missing_ok=True)
        keys = [self.network.key_file(receiver), self.network.certificate_file(signer)]
        command = self.java + [str(path) for path in (*files, *keys, out)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        return done.stdout + done.stderr, out.read_bytes() if out.exists() else None

    @staticmethod
    def binary(body: bytes, part) -> bytes:
        """The octets of a part: the email package is made for text and changes line ends."""
        name = part["Content-ID"].encode()
        start = body.index(b"\r\n\r\n", body.index(b"Content-ID: " + name)) + 4
        boundary = body[: body.index(b"\r\n")]
        return body[start : body.index(b"\r\n" + boundary, start)]
