"""`quoin testbed` against an access point that shares no line with this project: what it sends is
understood, what it forges is refused, and its verdicts are those of a stranger's code.
"""

import json
import shutil
import subprocess

from peers import pypi_as4

from .world import OURS, THEIRS, THIRD, World

PATIENCE = 120
# What the package does as the profile asks.
HELD = (
    "H-01", "H-05", "H-06", "H-07", "H-08", "C-05a", "C-05b", "C-08", "C-11", "C-12", "P-01", "A-01a",
    "A-11a", "A-11b", "A-18a", "B-06b", "B-06c", "B-07a", "B-07b", "B-07c", "B-07d", "B-07e", "B-08",
    "B-10", "B-12a", "B-12d", "D-10",
)
# What it takes although the profile forbids it: another agreement, a country in small letters.
TAKEN = ("A-07", "D-08")


class Testbed:
    def __init__(self, world: World):
        self.world, self.network = world, world.network
        self.theirs = pypi_as4.Server(self.network, THEIRS, tls=True)
        self.folder = world.work / "testbed"
        identities = self.folder / "identities"
        identities.mkdir(parents=True)
        for name, seat in (("ap", OURS), ("ap-other", THIRD), ("tls", "tls"), ("tls-foreign", "tls")):
            shutil.copy(self.network.certificate_file(seat), identities / f"{name}.pem")
            shutil.copy(self.network.key_file(seat), identities / f"{name}.key")

    def close(self):
        self.theirs.close()

    def setup(self) -> str:
        file = lambda name: json.dumps(str(self.network.certificate_file(name)))
        return f"""
[subject]
as4 = "{self.theirs.url}"
certificate_file = {file(THEIRS)}
receiver = "0106:87654321"
[counterpart]
identities = "identities"
[network]
extra_ca_files = [{file("tls-ca")}]
private = true
[trust]
ap_anchors = [{file("root")}]
ap_intermediates = [{file("ca")}]
smp_anchors = [{file("root")}]
smp_intermediates = [{file("smp-ca")}]
crl = false
ocsp = false
revocation = "soft-fail"
[limits]
parallel = 4
"""

    def run(self, *only: str) -> dict:
        (self.folder / "testbed.toml").write_text(self.setup())
        program = [str(self.world.programs / "quoin"), "testbed", "--setup", "testbed.toml", "--json"]
        if only:
            program += ["--only", ",".join(only)]
        done = subprocess.run(
            program, cwd=self.folder, capture_output=True, timeout=PATIENCE, text=True
        )
        assert done.returncode in (0, 1), done.stderr
        return {case["id"]: case for case in json.loads(done.stdout)["cases"]}

    def case_testbed_finds_what_an_independent_access_point_takes_and_should_not(self):
        found = self.run(*TAKEN)
        for case in TAKEN:
            assert found[case]["result"] == "fail", found[case]
            assert found[case]["found"].startswith("receipt "), found[case]

    def case_testbed_finds_what_an_independent_access_point_does_right(self):
        found = self.run(*HELD)
        assert set(found) == set(HELD), sorted(found)
        wrong = [case for case in found.values() if case["result"] != "pass"]
        assert not wrong, json.dumps(wrong, indent=1)
