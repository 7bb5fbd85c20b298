"""Saxon, warm: one processor, every stylesheet compiled once."""

import os
import re
import sys
from collections import Counter
from pathlib import Path

from lxml import etree
from saxonche import PySaxonProcessor

from . import translate


class Saxon:
    def __init__(self):
        # What ends a run is told by exceptions; what Saxon prints besides is of no use.
        self.terminal = os.dup(2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        sys.stderr = os.fdopen(self.terminal, "w")
        self.processor = PySaxonProcessor(license=False)
        self.compiler = self.processor.new_xslt30_processor()

    def compile(self, schema: Path):
        return self.compiler.compile_stylesheet(stylesheet_text=translate.stylesheet(schema))

    def parse(self, text: str):
        return self.processor.parse_xml(xml_text=text)

    def parse_bytes(self, text: bytes):
        """A document whatever its encoding, without a document type declaration."""
        return self.parse(etree.tostring(etree.fromstring(text), encoding="unicode"))

    def judge(self, stylesheet, document):
        """A counter of (rule, flag, path, message), or the code of the error that ended the run."""
        try:
            stylesheet.set_global_context_item(xdm_item=document)
            report = stylesheet.transform_to_string(xdm_node=document)
        except Exception as error:  # saxonche raises its own kind, with the code in the text
            code = re.search(r"(?:XP|FO|XT|SX|FOR)[A-Z]{2}\d{4}", str(error))
            return None, code[0] if code else str(error)[:80]
        found = Counter()
        for f in etree.fromstring(report):
            text = re.sub("[ \t\r\n]+", " ", "".join(f.itertext())).strip(" ")
            path = f.get("path")
            found[f.get("id"), f.get("flag"), path if path == "/" else "/" + path, text] += 1
        return found, None
