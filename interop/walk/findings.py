"""What was found by walking through the service, walked again: each row is a finding with what a user
does and what has to come out, against a running `quoin lab`. Bounded: one request each, ten seconds.

What needs a clock that jumps, a peer that misbehaves or a process that is killed is in the tests of the
workspace; contract.tsv and the names of those tests say which.
"""

import gzip
import http.client
import json
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "interface"))
from lab import Lab, program  # noqa: E402

PATIENCE = 40
SENDER, RECEIVER, NOBODY = "0106:12345678", "0106:87654321", "0106:40440404"
BIS = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0"
ROWS = []


def finding(name):
    """Makes a function a row."""
    return lambda check: ROWS.append((name, check)) or check


class Api:
    """A customer's client."""

    def __init__(self, customer, invoice: str):
        self.url, self.bearer, self.invoice = customer.url, customer.token(), invoice

    def call(self, method, path, body=None, **headers):
        """Answers status, headers and body (JSON where it is)."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        sent.setdefault("Authorization", f"Bearer {self.bearer}")
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
            sent.setdefault("Content-Type", "application/json")
        data = body.encode() if isinstance(body, str) else body
        request = urllib.request.Request(self.url + path, data, sent, method=method)
        try:
            answer = urllib.request.urlopen(request, timeout=PATIENCE)
        except urllib.error.HTTPError as refused:
            answer = refused
        with answer:
            raw, status, told = answer.read(), answer.status, answer.headers
        try:
            return status, told, json.loads(raw)
        except ValueError:
            return status, told, raw.decode(errors="replace")

    def send(self, document=None, query="", **headers):
        headers.setdefault("Content_Type", "application/xml")
        document = self.invoice if document is None else document
        path = f"/api/v1/{SENDER}/salesInvoice/send{query}"
        return self.call("POST", path, document, **headers)

    def validate(self, document):
        path = "/api/v1/generic/validate"
        return self.call("POST", path, document, Content_Type="application/xml")[2]

    def dry_run(self, document, query=""):
        path = f"/api/v1/{SENDER}/salesInvoice/sendDryRun{query}"
        return self.call("POST", path, document, Content_Type="application/xml")[2]

    def ends(self, document, query=""):
        """Sends a document; answers its last status and the text of its timeline."""
        status, _, body = self.send(document, query)
        assert status == 200, body
        path = f"/api/v1/{SENDER}/salesInvoice/{body['id']}/status"
        for _ in range(PATIENCE * 5):
            lines = self.call("GET", path)[2]
            # A status of the other provider may stand behind it.
            ended = [name for name in names(lines) if name in ("Delivered", "Rejected", "Failed")]
            if ended:
                break
            time.sleep(0.2)
        return ended[0] if ended else names(lines)[-1], " ".join(line["description"] for line in lines)


def names(lines):
    return [line["name"] for line in lines]


def expect(seen, wanted):
    assert seen == wanted, f"expected {wanted!r}, found {seen!r}"


def holds(part, whole):
    assert part in str(whole), f"expected {part!r} in {whole!r}"


# The interface.


@finding("interface P1-1: a foreign document id is refused, and not ignored")
def _(api):
    status, _, body = api.send(X_EConnect_DocumentId=str(uuid.uuid4()))
    expect((status, body["code"]), (400, "API400.DocumentId"))


@finding("interface 7: the same document id twice is a conflict")
def _(api):
    chosen = str(uuid.uuid4())
    expect([api.send(X_Service_DocumentId=chosen)[0] for _ in range(2)], [200, 409])


@finding("interface D3: an invoice that is not UTF-8 is delivered")
def _(api):
    text = api.invoice.replace('encoding="UTF-8"', 'encoding="ISO-8859-1"', 1)
    text = text.replace("</cbc:Note>", " é</cbc:Note>", 1)
    assert "ISO-8859-1" in text
    expect(api.ends(text.encode("latin-1"))[0], "Delivered")


@finding("interface D8: a preferred type is a preference")
def _(api):
    kind = f"busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##{BIS}:x::2.1"
    query = urllib.parse.urlencode({"identifier": RECEIVER, "preferredDocumentTypeId": kind})
    found = api.call("GET", f"/api/v1/queryRecipientParty?{query}")[2]
    expect((found["isRegistered"], found["channel"]), (True, "peppol"))


@finding("interface D9: an https hook on Send* is a channel, and not accepted as nothing")
def _(api):
    hook = {"id": "w", "action": "https://erp.example.org/x", "topics": ["Send*"]}
    status, _, _ = api.call("PUT", f"/api/v1/{SENDER}/hook", hook)
    expect(status, 200)
    run = api.dry_run(api.invoice, "?channel=w")
    api.call("DELETE", f"/api/v1/{SENDER}/hook/w")
    expect((run["route"]["protocol"], run["route"]["channel"]), ("Https", "w"))


@finding("interface P2-5: channel=peppol has no fallback")
def _(api):
    hook = {"id": "late", "action": "mailto:a@example.org", "topics": ["Send*Fallback"]}
    expect(api.call("PUT", f"/api/v1/{SENDER}/hook", hook)[0], 200)
    lost = api.invoice.replace(RECEIVER.split(":")[1], NOBODY.split(":")[1])
    run = api.dry_run(lost, "?channel=peppol")
    api.call("DELETE", f"/api/v1/{SENDER}/hook/late")
    expect(run["verdict"], "unroutable")


@finding("interface P2-6: a ping publishes no output")
def _(api):
    hook = {
        "id": "p", "action": "https://127.0.0.1:1/", "topics": ["ClearInvoiceBatched"],
        "output": [{"when": "*", "topic": "InvoiceCleared"}],
    }
    expect(api.call("PUT", f"/api/v1/{SENDER}/hook", hook)[0], 200)
    expect(api.call("GET", f"/api/v1/{SENDER}/hook/ping")[0], 200)
    time.sleep(1)
    topics = {event["topic"] for event in api.call("GET", "/api/v1/events?limit=500")[2]["items"]}
    api.call("DELETE", f"/api/v1/{SENDER}/hook/p")
    assert "InvoiceCleared" not in topics, topics


@finding("interface P2-7: one id for a hook of each party and of the environment")
def _(api):
    hook = {"id": "1", "action": "https://erp.example.org/x", "topics": ["Invoice*"]}
    for place in ("/api/v1/hook", f"/api/v1/{SENDER}/hook"):
        expect(api.call("PUT", place, hook)[0], 200)
    for place in ("/api/v1/hook/1", f"/api/v1/{SENDER}/hook/1"):
        expect(api.call("DELETE", place)[0], 204)


@finding("interface P3: bodies of gzip are taken, other codings are 415")
def _(api):
    expect(api.send(gzip.compress(api.invoice.encode()), Content_Encoding="gzip")[0], 200)
    expect(api.send(b"x", Content_Encoding="br")[0], 415)


@finding("interface P3: output.when is a status, a class or *")
def _(api):
    hook = {
        "id": "o", "action": "https://erp.example.org/x", "topics": ["Invoice*"],
        "output": [{"when": "abc", "topic": "InvoiceCleared"}],
    }
    status, _, body = api.call("PUT", "/api/v1/hook", hook)
    expect((status, body["code"]), (400, "API400.Hook"))


@finding("interface P3: what is wrong with the body of a look-up is told")
def _(api):
    path = f"/api/v1/{SENDER}/salesInvoice/queryRecipientParty"
    status, _, body = api.call("POST", path, json.dumps(RECEIVER), Content_Type="application/json")
    expect(status, 400)
    holds("an array of 1 to 50 identifiers", body["detail"])


@finding("interface P3: a capability that publishes nothing says so")
def _(api):
    config = api.call("GET", f"/api/v1/peppol/config/party/{SENDER}")[2]
    holds("not published", config["capabilities"]["invoice_bisv2"]["description"])


@finding("interface P2-10: generated clients can set capabilities")
def _(api):
    schemas = api.call("GET", "/openapi.json")[2]["components"]["schemas"]
    assert "invoices" in schemas["CapabilityStates"]["properties"]


@finding("interface 7: a business card without names or country")
def _(api):
    card = {"businessCard": {"names": "", "address": ""}}
    status, _, body = api.call("PUT", f"/api/v1/peppol/config/party/{SENDER}", card)
    expect(status, 400)
    holds("Both name(s) and country code are required", body["detail"])


@finding("interface 7: an exponent in an amount")
def _(api):
    name, said = api.ends(api.invoice.replace("<cbc:PayableAmount currencyID=\"EUR\">", "<cbc:PayableAmount currencyID=\"EUR\">1E", 1))
    expect(name, "Rejected")
    holds("Invalid payload", said)


@finding("interface P2-1: a rejected document keeps its number")
def _(api):
    run = api.dry_run(api.invoice.replace("<cbc:IssueDate>", "<cbc:IssueDate>x", 1))
    assert run["verdict"] != "deliverable" and run["number"], run


@finding("interface S1: a verification names an identifier that the party does not have")
def _(api):
    body = {"verification": {"notes": "n", "identifiers": ["0106:55555555"]}}
    status, _, body = api.call("PUT", f"/api/v1/peppol/config/party/{SENDER}", body)
    expect(status, 400)
    holds("verification.identifiers names 0106:55555555", body["detail"])


@finding("interface S2: an organisation has no business card")
def _(api):
    card = {"businessCard": {"names": "A", "address": "S, NL", "state": "off"}}
    status, _, body = api.call("PUT", "/api/v1/peppol/config", card)
    expect(status, 400)
    holds("businessCard.names belongs to a party", body["detail"])


@finding("interface S3: a misspelt member with null")
def _(api):
    status, _, body = api.call("PUT", f"/api/v1/peppol/config/party/{SENDER}", {"businesscard": None})
    expect(status, 400)
    holds("did you mean businessCard?", body["detail"])


# Borders.


@finding("BO-1: an unknown CustomizationID is no document type")
def _(api):
    expect(api.dry_run(api.invoice.replace(BIS, "urn:example:mine:1"))["verdict"] == "deliverable", False)


@finding("BO-4: a tail on the identifier takes no rules away")
def _(api):
    tail = BIS + "#conformant#urn:www.difi.no:ehf:x"
    wrong = api.invoice.replace(BIS, tail).replace(">380<", ">999<", 1)
    expect(api.validate(wrong)["isValid"], False)


@finding("BO-7: a jurisdiction of PINT that is none is not valid")
def _(api):
    pint = api.invoice.replace(BIS, "urn:peppol:pint:billing-1@zz-1")
    expect(api.dry_run(pint)["verdict"] == "deliverable", False)


@finding("BO-10: filters that can never do what they say")
def _(api):
    hook = {
        "id": "f", "action": "https://erp.example.org/x", "topics": ["*"],
        "filter": 'recepient != "0106:87654321"',
    }
    status, _, body = api.call("PUT", "/api/v1/hook", hook)
    expect(status, 400)
    holds("did you mean recipient?", body["detail"])


@finding("PE-1: a date before 2000 switches no rule off")
def _(api):
    start, rest = api.invoice.split("<cbc:IssueDate>", 1)
    old = f"{start}<cbc:IssueDate>1999-01-01{rest[10:]}".replace(">380<", ">999<", 1)
    expect(api.validate(old)["isValid"], False)


@finding("PE-19: no (.) in findings about code lists")
def _(api):
    said = json.dumps(api.validate(api.invoice.replace(">EUR</cbc:Doc", ">ZZZ</cbc:Doc", 1)))
    holds("BR-CL-04", said)
    assert "(.)" not in said


# Operators and strangers.


@finding("interface 8: more than 24 MB is a 500 before the application")
def _(api):
    # The answer comes before the body: what is announced is enough.
    place = urllib.parse.urlsplit(api.url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=PATIENCE)
    connection.putrequest("POST", f"/api/v1/{SENDER}/salesInvoice/send")
    connection.putheader("Content-Length", str(24 * 1024 * 1024 + 1))
    connection.endheaders()
    answer = connection.getresponse()
    expect((answer.status, json.load(answer)["code"]), (500, "API500.TooLarge"))
    connection.close()


@finding("interface: HEAD pings nobody")
def _(api):
    hook = {"id": "head", "action": "https://127.0.0.1:1/", "topics": ["OrderSent"]}
    expect(api.call("PUT", f"/api/v1/{SENDER}/hook", hook)[0], 200)

    def calls():
        return len(api.call("GET", f"/api/v1/{SENDER}/hook/head/deliveries")[2]["items"])

    before = calls()
    status = api.call("HEAD", f"/api/v1/{SENDER}/hook/ping")[0]
    after = calls()
    api.call("DELETE", f"/api/v1/{SENDER}/hook/head")
    expect((status, after), (200, before))


@finding("interface: null is what is not given")
def _(api):
    hook = {"id": "n", "action": "https://erp.example.org/x", "topics": ["Invoice*"], "isActive": None}
    status, _, made = api.call("PUT", "/api/v1/hook", hook)
    api.call("DELETE", "/api/v1/hook/n")
    expect((status, made.get("isActive")), (200, True))


@finding("interface: a document in another type is of that type, or none")
def _(api):
    order = "urn:oasis:names:specification:ubl:schema:xsd:Order-2::Order"
    to = urllib.parse.quote(f"busdox-docid-qns::{order}##urn:fdc:peppol.eu:poacc:trns:order:3::2.1")
    path = f"/api/v1/document/convert?to={to}"
    status, _, body = api.call("POST", path, api.invoice, Content_Type="application/xml")
    expect((status, body["code"]), (400, "API400.Conversion"))


@finding("interface: the scheme of an action has no case, and its address has a host")
def _(api):
    hook = {"id": "s", "action": "HTTPS://erp.example.org/x", "topics": ["Invoice*"]}
    status, _, made = api.call("PUT", "/api/v1/hook", hook)
    api.call("DELETE", "/api/v1/hook/s")
    expect((status, made.get("action")), (200, "https://erp.example.org/x"))
    hook["action"] = "https:///x"
    expect(api.call("PUT", "/api/v1/hook", hook)[0], 400)


@finding("interface 5: nothing without a good token")
def _(api):
    expect(api.call("GET", "/api/v1/me", Authorization="Bearer x")[0], 401)


@finding("interface 4.7: the status of an answer is told below its own document")
def _(api):
    below = f"/api/v1/{SENDER}/purchaseInvoice/garbage/response/{uuid.uuid4()}/status"
    status, _, problem = api.call("GET", below)
    expect((status, problem.get("code")), (400, "API400.DocumentId"))


@finding("doors: an answer before the body was read says that its connection ends")
def _(api):
    address = urllib.parse.urlsplit(api.url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=10)
    connection.putrequest("POST", "/nobody/is/here")
    connection.putheader("Content-Length", "6000")
    connection.endheaders()
    time.sleep(0.05)
    connection.send(b"x" * 6000)
    expect(connection.getresponse().getheader("Connection"), "close")
    connection.close()


@finding("interface: an invoice is delivered")
def _(api):
    expect(api.ends(api.invoice)[0], "Delivered")


@finding("interface: an unknown parameter of the list of all documents is told with all that are known")
def _(api):
    status, _, problem = api.call("GET", f"/api/v1/{SENDER}/generic?unknown=1")
    expect((status, problem.get("code")), (400, "API400.Query"))
    for name in ("direction", "family", "status", "counterparty"):
        holds(f"`{name}`", problem["message"])


def main() -> int:
    failed = 0
    with tempfile.TemporaryDirectory() as folder, Lab(program(), Path(folder)) as lab:
        invoice = next(Path(folder).rglob("invoice.xml")).read_text(encoding="utf-8")
        api = Api(lab.customers["sender"], invoice)
        for name, check in ROWS:
            try:
                check(api)
                print(f"  holds  {name}")
            except Exception as wrong:  # noqa: BLE001 - every row is told
                failed += 1
                print(f"  BROKEN {name}\n         {wrong!r}")
    print(f"findings: {len(ROWS)} walked, {failed} broken")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
