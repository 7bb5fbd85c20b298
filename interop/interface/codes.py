"""Checks of our own for schemathesis: what the codes of problems say."""

import schemathesis
from schemathesis.generation import GenerationMode
from schemathesis.generation.meta import TestPhase

# Addresses and methods that are none are nobody's.
NOBODYS = ("API404.Path", "API405")
# The codes of a request that is malformed. The other refusals are about what is on record, or about
# rules that the types of the description cannot tell, such as the check digits of a register
# or the parts of a form, or that a document is there at all.
MALFORMED = ("API400", "API400.DocumentId", "API400.Query", "API400.Json")
# The one parameter whose values another operation lists.
LISTED = "optionId is "
# What two parameters are to each other, types cannot tell.
RELATED = "which is before it: expected a period"


def problem(response):
    kind = response.headers.get("content-type", [""])[0]
    return response.json() if kind.startswith("application/problem+json") else None


@schemathesis.check
def problem_code_is_described(_, response, case):
    found = problem(response)
    if found is None or found["code"] in NOBODYS:
        return
    described = case.operation.definition.raw["responses"].get(str(response.status_code), {})
    content = described.get("content", {}).get("application/problem+json", {})
    assert found["code"] in content.get("examples", {}), (
        f"{found['code']} is not described: {found['detail']}"
    )
    assert found["status"] == response.status_code
    assert found["helpLink"] == found["type"]
    assert found["requestId"] == response.headers["x-request-id"][0]


@schemathesis.check
def what_fits_the_description_is_not_malformed(_, response, case):
    found = problem(response)
    if found is None or found["code"] not in MALFORMED or found["detail"].startswith(LISTED):
        return
    if found["detail"].endswith(RELATED):
        return
    # A chain of requests takes values from answers, wherever they fit.
    if case.meta is None or case.meta.phase.name == TestPhase.STATEFUL:
        return
    parts = case.meta.components.values()
    fits = all(part.mode == GenerationMode.POSITIVE for part in parts)
    assert not fits, f"{found['code']}: {found['detail']}"
