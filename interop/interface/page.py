"""The page at /docs in a real browser: reading, searching, and trying operations on a running lab.

Usage: page.py [FOLDER], where pictures are kept if a folder is given. Ends with status 1 if a case
fails, and without a case if there is no browser.
"""

import json
import sys
import tempfile
import traceback
import urllib.request
from pathlib import Path

from browser import Browser, missing
from lab import Lab, program

SENDER, RECEIVER = "0106:12345678", "0106:87654321"


class Page:
    def __init__(self, browser: Browser, lab: Lab):
        self.browser, self.customer = browser, lab.customers["sender"]
        self.docs = f"{self.customer.url}/docs"

    def go(self, place: str):
        self.browser.open("about:blank")
        self.browser.open(f"{self.docs}#{place}")
        self.browser.until(lambda: self.browser.text("#found"))

    def sign_in(self):
        self.browser.click("#account summary")
        self.browser.type("[name=client]", self.customer.client)
        self.browser.type("[name=secret]", self.customer.secret)
        self.browser.click("#credentials button")
        self.browser.until(lambda: self.browser.text("#token-state") == "ready")

    def send(self) -> str:
        self.browser.click("#attempt > button")
        return self.browser.until(lambda: self.browser.text("#answer h4"))

    def body(self) -> dict:
        return json.loads(self.browser.text("#answer pre:last-of-type"))

    # ---- reading

    def case_every_operation_is_listed(self):
        self.go("")
        with urllib.request.urlopen(f"{self.customer.url}/openapi.json", timeout=30) as answer:
            paths = json.load(answer)["paths"]
        count = sum(len(methods) for methods in paths.values())
        assert count > 70
        assert self.browser.text("#found") == f"{count} of {count} operations"
        listed = self.browser.run("return document.querySelectorAll('nav li a').length")
        assert listed == count, (listed, count)

    def case_a_search_finds_words_paths_and_codes(self):
        self.go("")
        for words, wanted in [
            ("salesinvoice send", "postSalesInvoiceSend"),
            ("api409.status", "postPurchaseInvoiceResponse"),
            ("enroll", "putEnroll"),
        ]:
            self.browser.type("#search", words)
            links = "return [...document.querySelectorAll('nav li a')].map((a) => a.hash.slice(1))"
            found = self.browser.run(links)
            assert wanted in found and len(found) < 20, (words, found)
        self.browser.type("#search", "nothing like this")
        assert self.browser.text("#found").startswith("0 of")

    def case_an_operation_tells_parameters_bodies_and_refusals(self):
        self.go("postSalesInvoiceSend")
        content = self.browser.text("#content")
        for part in ["partyId", "X-Service-DocumentId", "API409", "API400.PartyId", "500"]:
            assert part in content, part
        example = self.browser.run("return document.querySelector('#content details pre').textContent")
        assert "<Invoice" in example
        self.browser.click("#content details summary a[href^='#type/']")
        self.browser.until(lambda: self.browser.text("#content h2") == "InvoiceXml")

    # ---- trying

    def case_without_a_token_the_answer_teaches(self):
        self.go("getMe")
        assert self.send().startswith("401")
        problem = self.body()
        assert problem["code"] == "API401"
        with_html = urllib.request.Request(problem["helpLink"], headers={"Accept": "text/html"})
        with urllib.request.urlopen(with_html, timeout=30) as page:
            assert b"<h2>API401: No access token</h2>" in page.read()

    def case_a_client_gets_a_token_and_calls(self):
        self.go("getMe")
        self.sign_in()
        assert self.send().startswith("200")
        assert self.body()["clientId"] == self.customer.client
        command = self.browser.text("#command")
        assert command.startswith("curl -X GET") and "$TOKEN" in command
        assert self.customer.secret not in command

    def case_an_invoice_is_sent_from_the_example(self):
        self.go("postSalesInvoiceSend")
        self.sign_in()
        assert self.send().startswith("200"), self.browser.text("#answer")
        document = self.body()["id"]
        self.go("getSalesInvoiceStatus")
        self.browser.type("[name=documentId]", document)
        self.sign_in()
        self.browser.until(lambda: self.send().startswith("200") and "Delivered" in str(self.body()))

    def case_a_json_body_is_sent_from_the_example(self):
        self.go("postSalesInvoiceQueryRecipientParty")
        self.sign_in()
        self.browser.type("[name=body]", json.dumps([RECEIVER]))
        assert self.send().startswith("200"), self.browser.text("#answer")
        assert self.body()["channel"] == "peppol"

    def case_a_form_is_sent(self):
        self.go("postToken")
        self.browser.type("[name=body]", json.dumps({
            "grant_type": "client_credentials",
            "client_id": self.customer.client,
            "client_secret": self.customer.secret,
        }))
        assert self.send().startswith("200"), self.browser.text("#answer")
        assert self.body()["token_type"] == "Bearer"

    def case_wrong_json_of_a_form_is_told_and_nothing_is_sent(self):
        self.go("postToken")
        for wrong in ('{ "grant_type": ', '["a"]'):
            self.browser.type("[name=body]", wrong)
            self.browser.click("#attempt > button")
            told = self.browser.until(lambda: self.browser.text("#answer p"))
            assert "is no JSON with the fields of the form" in told, told
            assert not self.browser.run("return document.querySelectorAll('#answer h4').length")
            assert self.browser.text("#command").startswith("# The body is no JSON")

    def case_a_wrong_secret_is_told_and_the_right_one_helps(self):
        self.go("getMe")
        self.browser.click("#account summary")
        self.browser.type("[name=client]", self.customer.client)
        self.browser.type("[name=secret]", "wrong")
        self.browser.click("#credentials button")
        self.browser.until(lambda: "is wrong" in self.browser.text("#token-state"))
        self.browser.type("[name=secret]", self.customer.secret)
        self.browser.click("#credentials button")
        self.browser.until(lambda: self.browser.text("#token-state") == "ready")

    def case_a_form_for_the_shell_can_be_run(self):
        self.go("postSalesInvoiceSend")
        self.browser.run(
            "const m = document.querySelector('[name=media]'); m.value = 'multipart/form-data';"
            "m.dispatchEvent(new Event('change', { bubbles: true }));"
            "document.querySelector('#attempt').dispatchEvent(new Event('input'))"
        )
        command = self.browser.text("#command")
        assert "-F 'file=@body;type=application/xml'" in command, command
        assert "[object Object]" not in command and "-F 'meta" not in command, command

    def case_a_file_can_be_saved(self):
        self.go("postDocumentRender")
        self.sign_in()
        self.browser.type("[name=as]", "pdf")
        assert self.send().startswith("200"), self.browser.text("#answer")
        link = self.browser.until(lambda: self.browser.text("#answer a"))
        assert link.startswith("Save ") and link.endswith("application/pdf"), link

    def case_a_stream_is_shown_as_it_comes(self):
        self.go("getEventsStream")
        self.sign_in()
        assert self.send().startswith("200"), self.browser.text("#answer")
        self.browser.until(lambda: self.browser.text("#answer pre:last-of-type").strip("…"))

    # ---- what it must not do

    def case_an_address_that_names_nothing_shows_the_overview(self):
        self.go("%")
        assert "Quoin" in self.browser.text("#content h2")

    def case_narrow_windows_need_no_scrolling_sideways(self):
        self.go("")
        cdp = self.browser.session + "/goog/cdp/execute"
        narrow = {"width": 360, "height": 700, "deviceScaleFactor": 1, "mobile": True}
        self.browser.call("POST", cdp, {"cmd": "Emulation.setDeviceMetricsOverride", "params": narrow})
        wide = (
            "return [...document.querySelectorAll('body *')].filter((e) => !e.closest('pre, table'))"
            ".filter((e) => e.getBoundingClientRect().right > 361)"
            ".map((e) => `${e.tagName} ${e.textContent.slice(0, 60)}`).slice(0, 3)"
        )
        for place in ["getMe", "postSalesInvoiceSend", "getGenericMessageLevelStatus"]:
            self.browser.run(f"location.hash = '{place}'")
            self.browser.until(lambda: self.browser.text("#content h2"))
            found = self.browser.run(wide)
            assert not found, (place, found)

    def case_nothing_comes_from_elsewhere(self):
        self.go("getMe")
        loaded = self.browser.run("return performance.getEntries().map((entry) => entry.name)")
        foreign = [name for name in loaded if "://" in name and not name.startswith(self.customer.url)]
        assert not foreign, foreign
        with urllib.request.urlopen(self.docs, timeout=30) as answer:
            policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy, policy
        ran = self.browser.run(
            "const s = document.createElement('script'); s.textContent = 'window.ran = true';"
            "document.body.append(s); return window.ran === true"
        )
        assert not ran, "an inline script ran"

    def case_a_page_of_a_code_is_for_people(self):
        self.browser.open(f"{self.docs}/errors/API409")
        assert self.browser.text("h2").startswith("API409:")
        self.browser.click("a[href='../../docs']")
        self.browser.until(lambda: self.browser.text("#found"))


def main(pictures: Path | None) -> int:
    if absent := missing():
        print(f"skipped: the page in a browser: {' and '.join(absent)} not installed")
        return 0
    failed = 0
    with tempfile.TemporaryDirectory() as folder, Lab(program(), Path(folder) / "lab") as lab:
        for name in [name for name in vars(Page) if name.startswith("case_")]:
            title = name.removeprefix("case_").replace("_", " ")
            with Browser() as browser:
                try:
                    getattr(Page(browser, lab), name)()
                    errors = [line for line in browser.log() if " 40" not in line and "inline" not in line]
                    assert not errors, errors
                    print(f"ok      {title}", flush=True)
                except Exception:
                    failed += 1
                    print(f"FAILED  {title}\n{traceback.format_exc()}", flush=True)
                if pictures:
                    browser.picture(pictures / f"{name.removeprefix('case_')}.png")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
