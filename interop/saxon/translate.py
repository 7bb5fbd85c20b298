"""ISO Schematron to XSLT 2.0, so that Saxon can judge documents as the published validators do.

One mode for every pattern, one template for every rule with falling priority, one `xsl:if` for every
assertion. Included files, abstract patterns and rules are put in place first. The stylesheet writes
a flat list: `<f>` for every failed assertion or successful report, with rule, flag, path and message.
"""

import re
from copy import deepcopy
from pathlib import Path

from lxml import etree

SCH = "http://purl.oclc.org/dsdl/schematron"
XSL = "http://www.w3.org/1999/XSL/Transform"
XI = "http://www.w3.org/2001/XInclude"
PATH_FUNCTION = f"""
<xsl:stylesheet version="2.0" xmlns:xsl="{XSL}" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:xsd="http://www.w3.org/2001/XMLSchema"
    xmlns:here="urn:here" exclude-result-prefixes="xs xsd here">
  <xsl:output method="xml" indent="no" omit-xml-declaration="yes"/>
  <xsl:function name="here:path" as="xs:string">
    <xsl:param name="node" as="node()"/>
    <xsl:sequence select="
      if ($node instance of document-node()) then '/' else
      string-join(for $n in $node/ancestor-or-self::node()[not(. instance of document-node())] return
        if ($n instance of attribute()) then concat('@', name($n))
        else if ($n instance of element()) then concat(name($n), '[',
          1 + count($n/preceding-sibling::*[node-name(.) eq node-name($n)]), ']')
        else 'node()', '/')"/>
  </xsl:function>
</xsl:stylesheet>"""


def q(local):
    return f"{{{SCH}}}{local}"


def x(local):
    return f"{{{XSL}}}{local}"


def read(file: Path):
    """The root of a rule file with everything it includes in place."""
    root = etree.parse(str(file), etree.XMLParser(remove_comments=True)).getroot()
    for element in list(root.iter(q("include"), f"{{{XI}}}include")):
        included = read(file.parent / element.get("href"))
        included.tail = element.tail
        element.getparent().replace(element, included)
    for element in list(root.iter(q("extends"))):
        if element.get("href"):
            other = read(file.parent / element.get("href"))
            put(element, [deepcopy(child) for child in other])
    return root


def put(element, replacements):
    parent, at = element.getparent(), element.getparent().index(element)
    parent.remove(element)
    for number, replacement in enumerate(replacements):
        parent.insert(at + number, replacement)


def fill(text, params):
    def value(match):
        name = match[1]
        while name not in params and re.search(r"[-.]", name):
            name = re.sub(r"[-.][^-.]*$", "", name)
        return params[name] + match[1][len(name):] if name in params else match[0]

    return re.sub(r"\$([\w.-]+)", value, text)


def expand(schema):
    """Abstract patterns and rules in place."""
    templates = {p.get("id"): p for p in schema.iter(q("pattern")) if p.get("abstract") == "true"}
    for pattern in list(schema.iter(q("pattern"))):
        if pattern.get("is-a"):
            params = {p.get("name").strip(): p.get("value") for p in pattern.findall(q("param"))}
            made = deepcopy(templates[pattern.get("is-a")])
            del made.attrib["abstract"]
            for element in made.iter():
                for name, text in element.attrib.items():
                    element.set(name, fill(text, params))
            made.set("id", pattern.get("id") or "")
            pattern.getparent().replace(pattern, made)
    rules = {r.get("id"): r for r in schema.iter(q("rule")) if r.get("abstract") == "true"}
    while extending := list(schema.iter(q("extends"))):
        for element in extending:
            put(element, [deepcopy(child) for child in rules[element.get("rule")]])
    for element in list(schema.iter(q("pattern"), q("rule"))):
        if element.get("abstract") == "true":
            element.getparent().remove(element)
    return schema


def variable(let):
    made = etree.Element(x("variable"), name=let.get("name"), nsmap=let.nsmap)
    if let.get("value") is not None:
        made.set("select", let.get("value"))
    for child in let:
        made.append(deepcopy(child))
    return made


def message(check, into):
    etree.SubElement(into, x("text")).text = check.text or ""
    for child in check:
        if child.tag in (q("value-of"), x("value-of")):
            etree.SubElement(into, x("value-of"), select=child.get("select"))
        elif child.tag == q("name"):
            etree.SubElement(into, x("value-of"), select=f"name({child.get('path') or '.'})")
        elif isinstance(child.tag, str):
            message(child, into)
        etree.SubElement(into, x("text")).text = child.tail or ""


def rule_template(rule, mode, priority):
    template = etree.Element(
        x("template"), match=rule.get("context"), mode=mode, priority=str(priority), nsmap=rule.nsmap
    )
    for let in rule.findall(q("let")):
        template.append(variable(let))
    for check in rule.findall("*"):
        if check.tag not in (q("assert"), q("report")):
            continue
        test = check.get("test")
        test = f"not({test})" if check.tag == q("assert") else test
        found = etree.SubElement(etree.SubElement(template, x("if"), test=test), "f")
        found.set("id", (check.get("id") or "").replace("{", "{{").replace("}", "}}"))
        found.set("flag", check.get("flag") or "")
        found.set("path", "{here:path(.)}")
        message(check, found)
    etree.SubElement(template, x("apply-templates"), select="@*|node()", mode=mode)
    return template


def stylesheet(file: Path) -> str:
    """The whole stylesheet of a rule file."""
    schema = expand(read(file))
    namespaces = {n.get("prefix"): n.get("uri") for n in schema.iter(q("ns"))}
    in_scope = {prefix: uri for prefix, uri in schema.nsmap.items() if prefix}
    frame = etree.fromstring(PATH_FUNCTION)
    made = etree.Element(frame.tag, version="2.0", nsmap={**in_scope, **namespaces, **frame.nsmap})
    made.set("{http://www.w3.org/XML/1998/namespace}base", file.absolute().as_uri())
    made.extend(list(frame))
    for child in schema:
        if child.tag in (x("function"), x("key"), x("variable"), x("param")):
            made.append(deepcopy(child))
        elif child.tag == q("let"):
            made.append(variable(child))
    root = etree.SubElement(made, x("template"), match="/")
    report = etree.SubElement(root, "report")
    seen = set()
    for number, pattern in enumerate(schema.iter(q("pattern"))):
        mode = f"m{number}"
        etree.SubElement(report, x("apply-templates"), select="/", mode=mode)
        for let in pattern.findall(q("let")):
            if let.get("name") not in seen:
                made.append(variable(let))
                seen.add(let.get("name"))
        rules = pattern.findall(q("rule"))
        for place, rule in enumerate(rules):
            made.append(rule_template(rule, mode, 1000 + len(rules) - place))
        for match, select in (("node()|@*", "@*|node()"), ("/", "node()"), ("text()", None)):
            template = etree.SubElement(made, x("template"), match=match, mode=mode)
            template.set("priority", "-5" if select else "-4")
            if select:
                etree.SubElement(template, x("apply-templates"), select=select, mode=mode)
    return etree.tostring(made, encoding="unicode")
