"""Messages between this project and independent implementations, each of which checks the other.

Usage: suite.py PROGRAMS PKI WORK INVOICE, where PROGRAMS is cargo's folder with the built programs,
PKI the folder that `pki.sh` filled, WORK an empty folder and INVOICE a UBL invoice from 0106:12345678
to 0106:87654321. Ends with status 1 if a case fails.
"""

import sys
import traceback
from pathlib import Path

from cases.room import Room
from cases.service import WholeService
from cases.testbed import Testbed
from cases.world import World


def run(world: World) -> bool:
    passed, failed = 0, 0
    for kind in (Room, WholeService, Testbed):
        subject = kind(world)
        try:
            for name in [name for name in vars(kind) if name.startswith("case_")]:
                title = name.removeprefix("case_").replace("_", " ")
                try:
                    getattr(subject, name)()
                    passed += 1
                    print(f"ok      {title}", flush=True)
                except Exception:
                    failed += 1
                    print(f"FAILED  {title}\n{traceback.format_exc()}", flush=True)
        finally:
            subject.close()
    print(f"{passed} of {passed + failed} cases passed")
    return failed == 0


if __name__ == "__main__":
    # Some programs are started in a folder of their own.
    paths = [Path(argument).resolve() for argument in sys.argv[1:]]
    sys.exit(0 if run(World(*paths)) else 1)
