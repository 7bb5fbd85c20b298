"""A headless Chromium, driven over the WebDriver protocol by chromedriver; both of Debian."""

import json
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

PATIENCE = 30
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--window-size=1280,1000",
]


def missing() -> list[str]:
    """The programs that are needed and not there."""
    return [name for name in ("chromium", "chromedriver") if not shutil.which(name)]


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


class Browser:
    """One window; what it logs can be asked for."""

    def __init__(self):
        port = free_port()
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.url = f"http://127.0.0.1:{port}"
        self.session = ""
        try:
            self.until(lambda: self.call("GET", "/status")["ready"])
            options = {
                "browserName": "chrome",
                "goog:chromeOptions": {"args": [*ARGUMENTS, f"--user-data-dir={self.profile.name}"]},
                "goog:loggingPrefs": {"browser": "ALL"},
            }
            made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": options}})
            self.session = f"/session/{made['sessionId']}"
        except Exception:
            self.close()
            raise

    def close(self):
        try:
            if self.session:
                self.call("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait(PATIENCE)
            self.profile.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, method: str, path: str, body: dict | None = None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode()[:500]}") from error

    def until(self, question, patience: float = PATIENCE):
        """What a question answers, as soon as it is true."""
        end = time.monotonic() + patience
        while True:
            try:
                if found := question():
                    return found
            except (OSError, RuntimeError):
                pass
            if time.monotonic() > end:
                raise AssertionError(f"not in {patience} s; the log: {self.log()}")
            time.sleep(0.1)

    def open(self, address: str):
        self.call("POST", f"{self.session}/url", {"url": address})

    def run(self, script: str, *arguments):
        """What a script in the page returns."""
        body = {"script": script, "args": list(arguments)}
        return self.call("POST", f"{self.session}/execute/sync", body)

    def text(self, selector: str) -> str:
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def find(self, selector: str) -> str:
        body = {"using": "css selector", "value": selector}
        return self.call("POST", f"{self.session}/element", body)[ELEMENT]

    def type(self, selector: str, text: str):
        """Types into a field, in place of what it holds."""
        place = f"{self.session}/element/{self.find(selector)}"
        self.call("POST", f"{place}/clear", {})
        self.call("POST", f"{place}/value", {"text": text})

    def click(self, selector: str):
        self.call("POST", f"{self.session}/element/{self.find(selector)}/click", {})

    def log(self) -> list[str]:
        entries = self.call("POST", f"{self.session}/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries]

    def picture(self, path):
        """Keeps what the window shows as PNG."""
        import base64

        path.write_bytes(base64.b64decode(self.call("GET", f"{self.session}/screenshot")))
