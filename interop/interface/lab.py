"""A running `quoin lab`, as those who test its interface see it: addresses, clients, tokens."""

import json
import os
import re
import subprocess
import threading
import urllib.request
from base64 import b64encode
from pathlib import Path

PATIENCE = 60


class Lab:
    """Starts the lab and ends it; `sender` and `receiver` are its customers."""

    def __init__(self, program: Path, folder: Path):
        for attempt in range(3):
            # It looks for free ports, which somebody else may take in between.
            told = self.start(program, folder / str(attempt))
            if set(self.customers) == {"sender", "receiver"}:
                return
            self.stop()
        raise RuntimeError(f"the lab did not come up:\n{told}")

    def start(self, program: Path, folder: Path) -> str:
        """Starts it, and returns what it says."""
        command = [str(program), "lab", "--folder", str(folder)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        watchdog = threading.Timer(PATIENCE, self.process.kill)
        watchdog.start()
        told = ""
        for line in self.process.stdout:
            told += line
            if "to read and to try" in line:
                break
        watchdog.cancel()
        self.customers = {
            role: Customer(url, client, secret)
            for role, url, client, secret in re.findall(
                r"the (\w+)'s API: (\S+)\n.*?-u (\S+?):(\S+)", told, re.DOTALL
            )
        }
        # What it says from now on is of no interest, and must not fill the pipe.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        return told

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Customer:
    """A client of one of the services."""

    def __init__(self, url: str, client: str, secret: str):
        self.url, self.client, self.secret = url, client, secret

    def token(self) -> str:
        basic = b64encode(f"{self.client}:{self.secret}".encode()).decode()
        request = urllib.request.Request(
            f"{self.url}/connect/token",
            b"grant_type=client_credentials&scope=ap",
            {"Authorization": f"Basic {basic}"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["access_token"]


def program() -> Path:
    """The program as cargo built it."""
    here = Path(__file__).resolve().parents[2]
    return Path(os.environ.get("CARGO_TARGET_DIR", here / "target")) / "debug" / "quoin"
