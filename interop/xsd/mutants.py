"""Small seeded changes to a document; most make it invalid, some do not."""

from lxml import etree

XSI = "http://www.w3.org/2001/XMLSchema-instance"
VALUES = ["", " ", "x", "-1", "0", "1.5", "1e3", "true", "2026-02-30", " 2026-01-01 ", "2026-01-01Z",
          "20260101", "2026-01-01T10:00:00", "99999999999999999999.123456789", "EUR", "ZZ", "a b", "\u00e9" * 300]
TYPES = ["xs:string", "xs:decimal", "nowhere", "xs:anyType", "no:where"]


def elements(tree):
    return [it for it in tree.getroot().iter() if isinstance(it.tag, str)]


def inner(tree):
    return [it for it in elements(tree) if it.getparent() is not None]


def leaves(tree):
    return [it for it in elements(tree) if len(it) == 0]


def swap(tree, chance):
    parents = [it for it in elements(tree) if len(it) > 1]
    if not parents:
        return None
    parent = chance.choice(parents)
    at = chance.randrange(len(parent) - 1)
    first = parent[at]
    parent.remove(first)
    parent.insert(at + 1, first)
    return f"swapped children {at} of {etree.QName(parent).localname}"


def unknown(tree, chance):
    parent = chance.choice(elements(tree))
    namespace = etree.QName(parent).namespace
    parent.insert(chance.randrange(len(parent) + 1), parent.makeelement(f"{{{namespace}}}Unknown" if namespace else "Unknown"))
    return f"unknown element in {etree.QName(parent).localname}"


def rename(tree, chance):
    one = chance.choice(inner(tree))
    name = etree.QName(one)
    one.tag = f"{{{name.namespace}}}{name.localname}X" if name.namespace else name.localname + "X"
    return f"renamed {name.localname}"


def other_namespace(tree, chance):
    one = chance.choice(inner(tree))
    name = etree.QName(one)
    one.tag = chance.choice([f"{{urn:other}}{name.localname}", name.localname])
    return f"another namespace for {name.localname}"


def attribute(tree, chance):
    one = chance.choice(elements(tree))
    kind = chance.randrange(4)
    if kind == 0 and one.attrib:
        key = chance.choice(sorted(one.attrib))
        del one.attrib[key]
        return f"removed @{key} of {etree.QName(one).localname}"
    if kind == 1 and one.attrib:
        key = chance.choice(sorted(one.attrib))
        one.attrib[key] = chance.choice(VALUES)
        return f"@{key}={one.attrib[key]!r} on {etree.QName(one).localname}"
    key = chance.choice(["foreign", "{urn:other}foreign", f"{{{XSI}}}schemaLocation", f"{{{XSI}}}other",
                         "{http://www.w3.org/XML/1998/namespace}lang", "languageID", "schemeID"])
    one.attrib[key] = "urn:a b" if key.endswith("schemaLocation") else "x"
    return f"added @{key} to {etree.QName(one).localname}"


def value(tree, chance):
    one = chance.choice(leaves(tree))
    one.text = chance.choice(VALUES)
    return f"{etree.QName(one).localname}={one.text[:20]!r}"


def nil(tree, chance):
    one = chance.choice(elements(tree))
    one.attrib[f"{{{XSI}}}nil"] = chance.choice(["true", "false", "1", "yes"])
    if chance.random() < 0.5:
        one.text = None
        for child in list(one):
            one.remove(child)
    return f"xsi:nil on {etree.QName(one).localname}"


def instance_type(tree, chance):
    one = chance.choice(elements(tree))
    one.attrib[f"{{{XSI}}}type"] = chance.choice(TYPES)
    root = tree.getroot()
    fresh = etree.Element(root.tag, root.attrib, nsmap={**root.nsmap, "xs": "http://www.w3.org/2001/XMLSchema"})
    fresh.text = root.text
    fresh.extend(root)
    tree._setroot(fresh)
    return f"xsi:type on {etree.QName(one).localname}"


def comment(tree, chance):
    one = chance.choice(elements(tree))
    one.insert(chance.randrange(len(one) + 1), etree.Comment(" note "))
    return f"comment in {etree.QName(one).localname}"


def instruction(tree, chance):
    one = chance.choice(elements(tree))
    one.insert(chance.randrange(len(one) + 1), etree.ProcessingInstruction("note", "here"))
    return f"instruction in {etree.QName(one).localname}"


def stray_text(tree, chance):
    one = chance.choice(inner(tree))
    one.tail = (one.tail or "") + chance.choice(["stray", " ", "\u00a0", "0"])
    return f"text after {etree.QName(one).localname}"


def duplicate(tree, chance):
    one = chance.choice(inner(tree))
    twin = etree.fromstring(etree.tostring(one, with_tail=False))
    one.addnext(twin)
    return f"twice {etree.QName(one).localname}"


def empty(tree, chance):
    one = chance.choice(elements(tree))
    one.text = None
    for child in list(one):
        one.remove(child)
    return f"emptied {etree.QName(one).localname}"


def remove(tree, chance):
    one = chance.choice(inner(tree))
    one.getparent().remove(one)
    return f"removed {etree.QName(one).localname}"


KINDS = [swap, unknown, rename, other_namespace, attribute, value, value, nil, instance_type, comment,
         instruction, stray_text, duplicate, empty, remove]


def mutate(tree, chance):
    """Changes a tree in one way; says how, or None where the way does not fit."""
    if len(elements(tree)) < 3:
        return None
    return chance.choice(KINDS)(tree, chance)
