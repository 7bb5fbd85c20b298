"""Drives the laboratory's KSeF with the Python package `ksef-client`, which shares no line with us.

    client.py FOLDER INVOICE.xml

FOLDER is where `cargo run -p quoin-lab --example ksef` wrote its addresses and certificates; INVOICE
is an FA(3) whose number is replaced. Every step that a client takes is taken: signing in, an online
session, a batch session in ZIP and in TAR, the refusals, pages, receipts, the query, an export in
parts, codes.
"""

import base64
import datetime
import hashlib
import io
import json
import re
import socket
import sys
import tarfile
import time
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

from ksef_client import KsefClient, KsefClientOptions
from ksef_client import models as m
from ksef_client import http as ksef_http
from ksef_client.exceptions import KsefHttpError, KsefRateLimitError
from ksef_client.services.crypto import build_encryption_data
from ksef_client.services.verification_link import VerificationLinkService
from ksef_client.services.workflows import (
    AuthCoordinator,
    BatchSessionWorkflow,
    ExportWorkflow,
    OnlineSessionWorkflow,
)
from ksef_client.services.xades import XadesKeyPair

UPO = "{http://upo.schematy.mf.gov.pl/KSeF/v4-3}"
# The client sends nothing to addresses on loopback that let in by themselves; so they have a name.
NAME = "ksef.quoin.example"
resolve = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **more: resolve(
    "127.0.0.1" if host == NAME else host, *rest, **more
)



def patient(request):
    """Keeps to the rates of the system, which are short here: waits as long as a 429 says."""

    def call(*arguments, **more):
        for _ in range(5):
            try:
                return request(*arguments, **more)
            except KsefRateLimitError as error:
                time.sleep(min(error.retry_after or 1, 61))
        return request(*arguments, **more)

    return call


ksef_http.BaseHttpClient.request = patient(ksef_http.BaseHttpClient.request)
cases = 0


def same(found, expected, what):
    global cases
    cases += 1
    if found != expected:
        sys.exit(f"WRONG {what}: found {found!r}, expected {expected!r}")


def invoice(template, number, day=None, seller=None):
    day = day or datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    text = re.sub(r"<P_2>[^<]*</P_2>", f"<P_2>{number}</P_2>", template)
    text = re.sub(r"<P_1>[^<]*</P_1>", f"<P_1>{day}</P_1>", text, count=1)
    text = re.sub(
        r"(<Podmiot1>.*?<NIP>)\d+", lambda found: found[1] + seller, text, count=1, flags=re.S
    )
    return text.encode()


def refused(call, code, what):
    try:
        call()
    except KsefHttpError as error:
        same(code in str(vars(error)) or code in str(error), True, f"{what}: {vars(error)}")
        return
    sys.exit(f"WRONG {what}: it was taken")


def waited(status, what):
    for _ in range(50):
        told = status()
        if told.status.code not in (100, 150, 170):
            return told
        time.sleep(0.2)
    sys.exit(f"WRONG {what}: it never ends")


def content(answer):
    return getattr(answer, "content", answer)


def receipt(document, number, xml):
    root = ET.fromstring(document)
    same(root.tag, f"{UPO}Potwierdzenie", "the receipt")
    of = root.find(f"{UPO}Dokument")
    same(of.findtext(f"{UPO}NumerKSeFDokumentu"), number, "the number of the receipt")
    digest = base64.b64encode(hashlib.sha256(xml).digest()).decode()
    same(of.findtext(f"{UPO}SkrotDokumentu"), digest, "the digest of the receipt")


def archive(files, tar=False):
    out = io.BytesIO()
    if tar:
        with tarfile.open(fileobj=out, mode="w:gz", format=tarfile.USTAR_FORMAT) as packed:
            for name, xml in files.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(xml)
                packed.addfile(entry, io.BytesIO(xml))
    else:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, xml in files.items():
                packed.writestr(name, xml)
    return out.getvalue()


def main():
    folder, template = Path(sys.argv[1]), Path(sys.argv[2]).read_text()
    told = json.loads((folder / "ksef.json").read_text())
    nip = told["nip"]
    password = (folder / "password.txt").read_text()
    options = KsefClientOptions(
        base_url=told["base"],
        base_qr_url=told["codes"],
        base_lighthouse_url=told["lighthouse"],
        strict_presigned_url_validation=False,
    )
    client = KsefClient(options)
    same(client.lighthouse.get_status().status.value, "AVAILABLE", "the availability")

    # Signing in: with the certificate for it; of another company it has no rights.
    pair = XadesKeyPair.from_pkcs12_file(
        pkcs12_path=str(folder / "online.p12"), pkcs12_password=password
    )
    coordinator = AuthCoordinator(client.auth)

    def sign_in(context, pair=pair):
        return coordinator.authenticate_with_xades_key_pair(
            key_pair=pair,
            context_identifier_type="nip",
            context_identifier_value=context,
            subject_identifier_type="certificateSubject",
            poll_interval_seconds=0.05,
        )

    tokens = sign_in(nip)
    try:
        sign_in("1111111111")
        sys.exit("WRONG: somebody signed in for another company")
    except RuntimeError as error:
        same("415" in str(error), True, f"no rights: {error}")
    refused(lambda: client.auth.redeem_token(tokens.authentication_token), "21301", "a second redeem")
    refreshed = client.auth.refresh_access_token(tokens.refresh_token)
    access = refreshed.access_token.token
    refused(lambda: client.sessions.get_session_status("x" * 36, access_token="lab.nobody"), "401", "no token")
    certificates = client.security.get_public_key_certificates()
    key = next(one for one in certificates if "SymmetricKeyEncryption" in str(one.usage))
    form = m.FormCode(system_code="FA (3)", schema_version="1-0E", value="FA")
    sealed = dict(
        form_code=form,
        public_certificate=key.certificate,
        public_key_id=key.public_key_id,
        access_token=access,
    )

    # Online: two invoices, one of them twice.
    one, two = invoice(template, "ON/1", seller=nip), invoice(template, "ON/2", seller=nip)
    session = OnlineSessionWorkflow(client.sessions).open_session(**sealed)
    references = [session.send_invoice(xml).reference_number for xml in (one, two, one)]
    session.close()
    status = waited(session.get_status, "the online session")
    same(
        (status.status.code, status.invoice_count, status.failed_invoice_count),
        (200, 3, 1),
        "the online session",
    )
    states = [session.get_invoice_status(reference) for reference in references]
    same([state.status.code for state in states], [200, 200, 440], "the invoices")
    same(
        states[2].status.extensions["originalKsefNumber"], states[0].ksef_number, "the duplicate"
    )
    upo = session.get_invoice_upo_by_ref(references[0])
    receipt(content(upo), states[0].ksef_number, one)
    by_number = session.get_invoice_upo_by_ksef(states[1].ksef_number)
    receipt(content(by_number), states[1].ksef_number, two)
    refused(lambda: session.send_invoice(one), "21180", "an invoice after the end")

    # Batch: both archives, forty invoices, of which one is refused and one of tomorrow.
    batch = BatchSessionWorkflow(client.sessions, client.http_client)
    tomorrow = (datetime.date.today() + datetime.timedelta(days=3)).isoformat()
    for tar in (False, True):
        kind = "TAR" if tar else "ZIP"
        files = {f"{at}.xml": invoice(template, f"{kind}/{at}", seller=nip) for at in range(40)}
        files["38.xml"] = b"<Faktura/>"
        files["39.xml"] = invoice(template, f"{kind}/39", day=tomorrow, seller=nip)
        compression = m.CompressionType.TARGZ if tar else m.CompressionType.ZIP
        handle = batch.open_session(
            archive_bytes=archive(files, tar), compression_type=compression, **sealed
        )
        handle.upload_parts()
        handle.close(access_token=access)
        status = waited(lambda: client.sessions.get_session_status(
            handle.reference_number, access_token=access), kind)
        same(
            (status.status.code, status.invoice_count, status.failed_invoice_count),
            (200, 40, 2),
            kind,
        )
        rows, token = [], None
        while True:
            page = client.sessions.get_session_invoices(
                handle.reference_number, page_size=10, continuation_token=token, access_token=access
            )
            rows += page.invoices
            token = page.continuation_token
            if not token:
                break
        same(len(rows), 40, "the pages")
        by_name = {row.invoice_file_name: row for row in rows}
        same(by_name["38.xml"].status.code, 430, "a file that is no invoice")
        same(by_name["39.xml"].status.code, 450, "an invoice of the future")
        row = by_name["7.xml"]
        receipt(
            content(
                client.sessions.get_session_invoice_upo_by_ref(
                    handle.reference_number, row.reference_number, access_token=access
                )
            ),
            row.ksef_number,
            files["7.xml"],
        )
        failed = client.sessions.get_session_failed_invoices(
            handle.reference_number, page_size=10, access_token=access
        )
        same(len(failed.invoices), 2, "the invoices that were refused")
        page = status.upo.pages[0]
        whole = client.sessions.get_session_upo(
            handle.reference_number, page.reference_number, access_token=access
        )
        same(len(ET.fromstring(content(whole)).findall(f"{UPO}Dokument")), 38, "the session's receipt")
        refused(
            lambda: client.sessions.close_batch_session(handle.reference_number, access_token=access),
            "21180",
            "a second end",
        )

    # Without a part, without a session.
    handle = batch.open_session(zip_bytes=archive({"a.xml": one}), **sealed)
    refused(
        lambda: client.sessions.close_batch_session(handle.reference_number, access_token=access),
        "21205",
        "a session without its part",
    )
    refused(
        lambda: client.sessions.get_session_status("2" * 36, access_token=access), "21173", "no session"
    )

    # Asked for by who sold; the invoice itself comes back as it was.
    since = (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)).isoformat()
    found = client.invoices.query_invoice_metadata(
        m.InvoiceQueryFilters.from_dict(
            {"subjectType": "Subject1", "dateRange": {"dateType": "PermanentStorage", "from": since}}
        ),
        page_size=100,
        access_token=access,
    )
    same(len(found.invoices), 78, "what is registered")
    same(len({row.ksef_number for row in found.invoices}), 78, "their numbers")
    back = client.invoices.get_invoice_bytes(states[0].ksef_number, access_token=access)
    same(content(back), one, "the invoice")
    none = client.invoices.query_invoice_metadata(
        m.InvoiceQueryFilters.from_dict(
            {"subjectType": "Subject3", "dateRange": {"dateType": "PermanentStorage", "from": since}}
        ),
        page_size=10,
        access_token=access,
    )
    same(len(none.invoices), 0, "what names the company as a third party")

    # The same as an encrypted package, in parts.
    sealing = build_encryption_data(key.certificate)
    filters = {
        "subjectType": "Subject1",
        "dateRange": {
            "dateType": "PermanentStorage",
            "from": since,
            "restrictToPermanentStorageHwmDate": True,
        },
    }
    asked = m.InvoiceExportRequest.from_dict(
        {
            "encryption": {
                "encryptedSymmetricKey": sealing.encryption_info.encrypted_symmetric_key,
                "initializationVector": sealing.encryption_info.initialization_vector,
                "publicKeyId": key.public_key_id,
            },
            "filters": filters,
        }
    )
    started = client.invoices.export_invoices(asked, access_token=access)
    export = waited(
        lambda: client.invoices.get_export_status(started.reference_number, access_token=access),
        "the export",
    )
    same((export.status.code, export.package.invoice_count), (200, 78), "the export")
    same(export.package.is_truncated, False, "the export is whole")
    same(len(export.package.parts) > 1, True, "its parts")
    taken = ExportWorkflow(client.invoices, client.http_client).download_and_process_package(
        export.package, sealing
    )
    same(len(taken.metadata_summaries), 78, "what the package says is in it")
    same(len(taken.invoice_xml_files), 78, "what is in it")
    same(
        taken.invoice_xml_files[f"{states[0].ksef_number}.xml"].encode(), one, "the invoice in it"
    )
    refused(
        lambda: client.invoices.get_export_status("2" * 36, access_token=access),
        "21175",
        "no export",
    )

    # The codes lead where ours do.
    day = datetime.datetime.now(datetime.timezone.utc).date()
    digest = base64.b64encode(hashlib.sha256(one).digest()).decode()
    link = VerificationLinkService(options).build_invoice_verification_url(nip, day, digest)
    expected = f"{told['codes']}/invoice/{nip}/{day:%d-%m-%Y}/" + base64.urlsafe_b64encode(
        hashlib.sha256(one).digest()
    ).decode().rstrip("=")
    same(link, expected, "the code")
    print(f"ksef-client: {cases} comparisons")


if __name__ == "__main__":
    main()
