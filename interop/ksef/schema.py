"""Holds recorded calls and answers of KSeF against the published OpenAPI description.

    schema.py OPENAPI.json EXCHANGES.jsonl...

A line of EXCHANGES is one call: method, path, request, requestType, status, kind, answer. Every call
has to be described, its body and its answer have to follow their schemas. Upload and download
addresses and the availability service are described elsewhere.
"""

import json
import re
import sys
from pathlib import Path

import jsonschema
from jsonschema import Draft202012Validator

OUTSIDE = ("/upload/", "/download/", "/lighthouse/")
DATE_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


def plain(schema):
    """OpenAPI 3.0 as JSON Schema: `nullable` is one more type."""
    if isinstance(schema, list):
        return [plain(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    out = {key: plain(value) for key, value in schema.items() if key not in ("example", "nullable")}
    return {"anyOf": [out, {"type": "null"}]} if schema.get("nullable") else out


class Description:
    def __init__(self, path):
        self.document = json.loads(Path(path).read_text())
        self.components = plain(self.document["components"])
        self.paths = []
        for template, methods in self.document["paths"].items():
            literal = template.count("{")
            pattern = re.compile(re.sub(r"\\\{[^/]*?\\\}", "[^/]+", re.escape(template)) + "$")
            self.paths.append((literal, pattern, template, methods))
        # What has fewer places for anything is meant first.
        self.paths.sort(key=lambda row: row[0])
        checker = jsonschema.FormatChecker(formats=())
        checker.checks("date-time")(lambda text: bool(DATE_TIME.fullmatch(str(text))))
        self.checker = checker

    def operation(self, method, path):
        for _, pattern, template, methods in self.paths:
            if pattern.match(path) and method.lower() in methods:
                return template, methods[method.lower()]
        return None, None

    def errors(self, schema, text, what):
        try:
            value = json.loads(text)
        except ValueError:
            return [f"{what} is no JSON: {text[:80]!r}"]
        whole = {**plain(schema), "components": self.components}
        validator = Draft202012Validator(whole, format_checker=self.checker)
        return [
            f"{what} at /{'/'.join(map(str, error.path))}: {error.message[:200]}"
            for error in validator.iter_errors(value)
        ]

    def check(self, exchange):
        path = exchange["path"].split("?", 1)[0]
        template, operation = self.operation(exchange["method"], path)
        if operation is None:
            return template, [f"{exchange['method']} {path} is not described"]
        found = []
        body = operation.get("requestBody", {}).get("content", {})
        if "application/json" in body and exchange["status"] < 400:
            found += self.errors(
                body["application/json"]["schema"], exchange["request"] or "", "the request"
            )
        elif not body and exchange["request"]:
            found.append("the request has a body, which is not described")
        for name, needed in ((one["name"], one.get("required")) for one in operation.get("parameters", [])):
            if needed and "{" + name + "}" not in template and f"{name}=" not in exchange["path"]:
                found.append(f"the parameter {name} is missing")
        answer = operation["responses"].get(str(exchange["status"]))
        if answer is None:
            return template, found + [f"the status {exchange['status']} is not described"]
        kinds = answer.get("content", {})
        kind = exchange["kind"].split(";", 1)[0]
        if not kinds and exchange["answer"]:
            found.append("the answer has a body, which is not described")
        elif kinds and kind not in kinds:
            found.append(f"the answer is {kind!r}, described are {sorted(kinds)}")
        elif kinds and kind.endswith("json"):
            found += self.errors(kinds[kind]["schema"], exchange["answer"] or "", "the answer")
        return template, found


def main():
    description = Description(sys.argv[1])
    wrong, seen = 0, {}
    for name in sys.argv[2:]:
        for line in Path(name).read_text().splitlines():
            exchange = json.loads(line)
            if exchange["path"].startswith(OUTSIDE):
                continue
            template, errors = description.check(exchange)
            key = (exchange["method"], template, exchange["status"])
            seen[key] = seen.get(key, 0) + 1
            for error in errors:
                wrong += 1
                print(f"WRONG {exchange['method']} {exchange['path']} -> {exchange['status']}: {error}")
    print(f"{sum(seen.values())} calls of {len(seen)} kinds held against the description, {wrong} wrong")
    if wrong or not seen:
        sys.exit(1)


if __name__ == "__main__":
    main()
