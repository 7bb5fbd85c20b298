"""The converter euinvoice as a command: SOURCE TARGET SYNTAX. A refusal ends with 1."""

import pathlib
import sys

import euinvoice

source, target, syntax = sys.argv[1:]
try:
    invoice = euinvoice.parse(pathlib.Path(source).read_bytes())
    written = euinvoice.to_xml(invoice, syntax=syntax)
except (euinvoice.errors.EuInvoiceError, ValueError) as refusal:
    sys.exit(str(refusal)[:500] or "refused")
pathlib.Path(target).write_bytes(written)
