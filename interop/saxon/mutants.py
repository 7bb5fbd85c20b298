"""Documents with one to three small faults, the same for every run of the same seed."""

import copy
import random

from lxml import etree

CODES = ["XX", "380", "S", "AE", "EUR", "ZZZ", "0", "NO", "SE", "9999"]
DATES = ["2024-02-30", "2019-13-01", "20240101", "2031-01-01", "", "2024-01-01Z"]


def leaves(root):
    return [e for e in root.iter(etree.Element) if len(e) == 0 and isinstance(e.tag, str)]


def delete(rng, root):
    victims = [e for e in root.iter(etree.Element) if e.getparent() is not None]
    if victims:
        victim = rng.choice(victims)
        victim.getparent().remove(victim)


def duplicate(rng, root):
    victims = [e for e in root.iter(etree.Element) if e.getparent() is not None]
    if victims:
        victim = rng.choice(victims)
        victim.addnext(copy.deepcopy(victim))


def amount(rng, root):
    numbers = [e for e in leaves(root) if is_number(e.text)]
    if numbers:
        victim = rng.choice(numbers)
        # No negative zero: Saxon finds `-0.00` (untyped) unequal to 0, against XPath 2.0 section
        # 3.5.2 and its own `xs:double('-0.00') eq 0`.
        value = float(victim.text) or 1.0
        victim.text = rng.choice(
            [f"{value + 0.01:.2f}", f"{value * 10:.2f}", f"{-value:.2f}", f"{value:.5f}", "1E2", "a", ""]
        )


def is_number(text):
    try:
        return text is not None and float(text) == float(text)
    except ValueError:
        return False


def code(rng, root):
    short = [e for e in leaves(root) if e.text and len(e.text.strip()) <= 5]
    if short:
        rng.choice(short).text = rng.choice(CODES)


def date(rng, root):
    dates = [e for e in leaves(root) if e.text and len(e.text) == 10 and e.text[4:5] == "-"]
    if dates:
        rng.choice(dates).text = rng.choice(DATES)


def empty(rng, root):
    found = leaves(root)
    if found:
        rng.choice(found).text = rng.choice(["", None, "  "])


def attribute(rng, root):
    holders = [e for e in root.iter(etree.Element) if e.attrib]
    if holders:
        holder = rng.choice(holders)
        name = rng.choice(sorted(holder.attrib))
        if rng.random() < 0.4:
            del holder.attrib[name]
        else:
            holder.set(name, rng.choice(CODES + [""]))


def whitespace(rng, root):
    found = [e for e in leaves(root) if e.text]
    if found:
        victim = rng.choice(found)
        victim.text = rng.choice([" {}", "{} ", "\n{}\n", "\t{}"]).format(victim.text)


CHANGES = [delete, duplicate, amount, amount, code, date, empty, attribute, whitespace]


def mutant(text: bytes, seed: str) -> bytes:
    rng = random.Random(seed)
    root = etree.fromstring(text)
    for _ in range(rng.randint(1, 3)):
        rng.choice(CHANGES)(rng, root)
    return etree.tostring(root)
