"""The interface against its own description: schemathesis makes requests from the OpenAPI document
that a running service serves, good ones and bad ones, and looks at each answer.

Usage: contract.py [SEED]. The requests follow from the seed, so that a run can be repeated; it takes
about two minutes, more where the machine is busy. Ends with status 1 if an answer is a server error, has a status or a header or a body that the document does not
describe, carries a problem code that its operation does not name, if a request that the document
forbids is accepted, or one that it allows is refused as malformed.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from lab import Lab, program

# Endless by its nature: it sends events until the reader leaves.
ENDLESS = "/api/v1/events/stream"
# Seconds for all of it, at most.
LIMIT = 800


def main(seed: int) -> int:
    here = Path(__file__).resolve().parent
    with tempfile.TemporaryDirectory() as folder, Lab(program(), Path(folder) / "lab") as lab:
        customer = lab.customers["sender"]
        command = [
            str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(here / "schemathesis.toml"),
            "run", f"{customer.url}/openapi.json",
            "--header", f"Authorization: Bearer {customer.token()}",
            "--exclude-path", ENDLESS,
            "--seed", str(seed),
            "--request-timeout", "45",
            "--workers", "1",
        ]
        environment = os.environ | {"SCHEMATHESIS_HOOKS": "codes", "PYTHONPATH": str(here)}
        return subprocess.run(command, env=environment, cwd=folder, timeout=LIMIT).returncode


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20261122))
