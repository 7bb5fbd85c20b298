"""Differences that are explained: the clause of XML Schema 1.0 that decides, and who is wrong."""


import re

SPACED = re.compile(r"'\s.*' is not a valid value of the atomic type 'xs:(date|time|dateTime)'|"
                    r"'.*\s' is not a valid value of the atomic type 'xs:(date|time|dateTime)'")
LONG = re.compile(r"'[-+]?[0-9.]{20,}' is not a valid value of the atomic type 'xs:(decimal|integer)'")


def explain(peer, answer, what, message):
    """The reason for a difference, or None where there is none known."""
    found = {it["clause"] for it in answer.get("violations", [])}
    if peer == "xmlschema" and found == {"cvc-complex-type.2.3"} and "text after" in what:
        return ("cvc-complex-type.2.3: a no-break space is a character, not white space "
                "(XML 1.0 production S); xmlschema strips it as Python does")
    if peer == "libxml2" and answer["valid"] and SPACED.search(message):
        return ("part 2 section 4.3.6: white space around a date or time is collapsed first; "
                "libxml2 does not collapse it")
    if peer == "libxml2" and answer["valid"] and LONG.search(message):
        return "part 2 section 3.2.3: a decimal has any number of digits; libxml2 stops at 24"
    if answer["valid"] and what and "xsi:type on" in what:
        return ("part 1 section 3.3.4, Schema-Validity Assessment (Element): below a lax wildcard an element "
                "without declaration whose xsi:type does not resolve is laxly assessed, not invalid")
    return None
