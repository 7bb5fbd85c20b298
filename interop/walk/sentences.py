"""The sentences of the contract: every line of a table and every sentence of its text, each under its
section and a digest, so that the table of tests can name it without repeating it."""

import hashlib
import re
from pathlib import Path

# A full stop inside of these ends no sentence.
DOTS = re.compile(r"\b(e\.g|i\.e|incl|vs|approx)\.")
END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(0-9])")


def sentences(text: str):
    """Yields (section, digest, sentence)."""
    section = "0"
    for line in text.splitlines():
        line = line.strip()
        if heading := re.match(r"#+\s+(\d+(?:\.\d+)?)", line):
            section = heading[1]
            continue
        if not line or line.startswith("#") or re.fullmatch(r"[|\-: ]+", line):
            continue
        parts = [line] if line.startswith("|") else END.split(DOTS.sub(r"\1", line))
        for part in parts:
            plain = re.sub(r"\s+", " ", re.sub(r"^[-*\d.]+\s+", "", part)).strip()
            if len(plain) > 2:
                yield section, hashlib.sha256(plain.encode()).hexdigest()[:8], plain


def of(path: Path):
    return list(sentences(path.read_text(encoding="utf-8")))
