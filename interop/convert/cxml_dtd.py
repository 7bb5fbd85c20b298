"""Converted documents of cXML, judged by the official definition.

    python3 interop/convert/cxml_dtd.py DTD QUOIN FOLDER...

DTD is `InvoiceDetail.dtd` of cXML 1.2, QUOIN the program. Every UBL and CII invoice below the folders
that becomes cXML is judged by `xmllint --dtdvalid`; the definition that the document names is not
fetched.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import terms

# What follows from the definition not being fetched.
QUIET = re.compile(r"I/O error|failed to load|DOCTYPE|^\s*\^")


def main(dtd, quoin, *folders):
    count, found = collections.Counter(), collections.Counter()
    out = pathlib.Path(tempfile.mkdtemp()) / "out.xml"
    every = (pathlib.Path(folder).rglob("*.[xX][mM][lL]") for folder in folders)
    for file in sorted(file for below in every for file in below):
        try:
            root = ET.parse(file).getroot()
        except ET.ParseError:
            continue
        if root.tag.split("}")[-1] not in terms.COLUMNS or not root.tag.startswith(
            ("{" + terms.URN, "{" + terms.UN)
        ):
            continue
        call = [quoin, "convert", file, "--to", "cxml", "--output", out]
        done = subprocess.run(call, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            count["refused"] += 1
            continue
        call = ["xmllint", "--noout", "--nonet", "--dtdvalid", dtd, out]
        judged = subprocess.run(call, stderr=subprocess.PIPE, text=True, check=False)
        errors = [one for one in judged.stderr.splitlines() if not QUIET.search(one)]
        count["not valid" if errors else "valid"] += 1
        for error in errors[:3]:
            found[re.sub(r"^[^ ]*:\d+: ", "", error)[:160]] += 1
    for what, number in sorted(count.items()):
        print(f"{number} {what}")
    for error, number in found.most_common(20):
        print(f"{number} times: {error}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
