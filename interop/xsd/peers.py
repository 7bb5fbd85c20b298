"""The two peers. Both get copies of the schema documents in which every import names its file."""

import re
import subprocess
from pathlib import Path

import xmlschema
from lxml import etree

XS = "{http://www.w3.org/2001/XMLSchema}"
DOCTYPE = re.compile(rb"<!DOCTYPE[^\[>]*(\[.*?\]\s*)?>", re.S)
# Files that one call of xmllint gets.
BATCH = 400


class Copies:
    """Schema documents of a set, copied below a folder, with a location on every import."""

    def __init__(self, shared, one, folder):
        self.folder = folder
        self.trees = {}
        for top in one.folders:
            top = shared / top
            for path in sorted(top.rglob("*.xsd")) if top.is_dir() else [top]:
                text = DOCTYPE.sub(b"", path.read_bytes())
                self.trees[path.relative_to(shared)] = etree.fromstring(text)
        for path, root in self.trees.items():
            for tag in ("import", "include"):
                for element in root.findall(XS + tag):
                    self.locate(path, root, element, tag)
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(etree.tostring(root))

    def locate(self, path, root, element, tag):
        location = element.get("schemaLocation")
        if location and "://" not in location:
            joined = Path(*normal((path.parent / location).parts))
            if joined in self.trees:
                return
        namespace = element.get("namespace") if tag == "import" else root.get("targetNamespace")
        fit = [it for it, tree in self.trees.items()
               if (tree.get("targetNamespace") or namespace) == namespace and it != path]
        named = [it for it in fit if location and it.name == location.rsplit("/", 1)[-1]]
        fit = named or [it for it in fit if self.trees[it].get("targetNamespace") == namespace]
        if fit and (tag == "import" or named):
            best = max(fit, key=lambda it: common(it, path))
            element.set("schemaLocation", str(self.folder / best))

    def driver(self, one, root):
        """A document that brings in all entries; the one that declares the root comes first."""
        entries = sorted(one.entries, key=lambda it: not declares(self.trees[it], root))
        namespaces = {}
        for entry in entries:
            namespaces.setdefault(self.trees[entry].get("targetNamespace"), []).append(entry)
        if len(entries) == 1 or len(one.entries) > 12:
            return self.folder / entries[0]
        lines = []
        for at, (namespace, paths) in enumerate(namespaces.items()):
            includes = "".join(f'<xs:include schemaLocation="{self.folder / it}"/>' for it in paths)
            part = self.folder / f"part-{one.id}-{at}.xsd"
            part.write_text(f'<xs:schema xmlns:xs="{XS[1:-1]}" targetNamespace="{namespace}">{includes}</xs:schema>')
            lines.append(f'<xs:import namespace="{namespace}" schemaLocation="{part}"/>')
        driver = self.folder / f"driver-{one.id}.xsd"
        driver.write_text(f'<xs:schema xmlns:xs="{XS[1:-1]}">{"".join(lines)}</xs:schema>')
        return driver


def declares(tree, root):
    return (tree.get("targetNamespace") or "") == root[0] and any(
        it.get("name") == root[1] for it in tree.findall(XS + "element"))


def normal(parts):
    out = []
    for part in parts:
        if part == "..":
            out.pop()
        elif part != ".":
            out.append(part)
    return out


def common(left, right):
    pairs = zip(left.parts, right.parts)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), 99)


class Peer:
    def __init__(self, shared, work):
        self.shared, self.work = shared, work / "schemas"
        self.copies = {}
        # What the peer says about each document that it finds invalid.
        self.messages = {}

    def entry(self, one, root):
        if one.id not in self.copies:
            self.copies[one.id] = Copies(self.shared, one, self.work / one.id)
        return self.copies[one.id].driver(one, root)

    def grouped(self, jobs):
        groups = {}
        for at, (one, root, path) in enumerate(jobs):
            # A mutant may have another document element: it is checked as its original is.
            known = root if root in one.roots else sorted(one.roots)[0]
            groups.setdefault(self.entry(one, known), []).append((at, path))
        return groups


class Libxml(Peer):
    name = "libxml2"

    def verdicts(self, jobs):
        found = [None] * len(jobs)
        for entry, wanted in self.grouped(jobs).items():
            for start in range(0, len(wanted), BATCH):
                part = wanted[start:start + BATCH]
                command = ["xmllint", "--noout", "--nonet", "--huge", "--schema", str(entry)]
                done = subprocess.run(command + [str(path) for _, path in part], capture_output=True, text=True, errors="replace")
                said = {}
                for line in done.stderr.splitlines():
                    if ": Schemas validity error" in line:
                        path = Path(line.split(":", 1)[0])
                        self.messages[path] = self.messages.get(path, "") + line + "\n"
                    for ending, valid in ((" validates", True), (" fails to validate", False)):
                        if line.endswith(ending):
                            said[line[:-len(ending)]] = valid
                if not said:
                    print(f"  libxml2 does not load {entry.name}: {done.stderr.splitlines()[:1]}")
                for at, path in part:
                    found[at] = said.get(str(path))
        return found


class Xmlschema(Peer):
    name = "xmlschema"

    def verdicts(self, jobs):
        found = [None] * len(jobs)
        for entry, wanted in self.grouped(jobs).items():
            try:
                schema = xmlschema.XMLSchema10(str(entry), allow="local")
            except Exception as error:  # what it cannot load is said and counted
                print(f"  xmlschema does not load {entry.name}: {str(error).splitlines()[0]}")
                continue
            for at, path in wanted:
                try:
                    found[at] = schema.is_valid(str(path), use_location_hints=False)
                except Exception as error:
                    print(f"  xmlschema fails on {path.name}: {str(error).splitlines()[:1]}")
        return found
