// One operation: what it takes, what it answers, and a form to try it.

import { attempt } from "./attempt.js";
import { element, line, prose } from "./elements.js";
import { examples, kind, limits, resolve, shown, type, xmlFirst } from "./types.js";

const PROBLEM = "application/problem+json";

/** The page of an operation. */
export function operation({ method, path, operation: described }) {
  const answers = Object.entries(described.responses).map(([status, answer]) => [status, resolve(answer)]);
  return [
    element("h2", {}, line(described.summary)),
    element("p", { class: "path" },
      element("span", { class: `method ${method}` }, method), " ", path),
    prose(described.description),
    parameters(described.parameters ?? []),
    request(described.requestBody),
    attempt(method, path, described),
    element("h3", {}, "Answers"),
    answers.filter(([, answer]) => !answer.content?.[PROBLEM]).map(([status, answer]) => response(status, answer)),
    refusals(answers),
  ].flat(2).filter(Boolean);
}

function parameters(list) {
  if (list.length === 0) return [];
  const rows = list.map((parameter) =>
    element("tr", {},
      element("td", {}, element("code", { class: parameter.required ? "required" : "" }, parameter.name)),
      element("td", { class: "quiet" }, parameter.in),
      element("td", { class: "type" }, kind(parameter.schema), " ", limits(parameter.schema)),
      element("td", {}, line(parameter.description ?? ""))));
  return [element("h3", {}, "Parameters"), element("table", {}, element("tbody", {}, rows))];
}

function request(body) {
  if (!body) return [];
  return [element("h3", {}, "Body"), bodies(xmlFirst(body.content))];
}

function bodies(content = {}) {
  return Object.entries(content).map(([media, body]) =>
    element("details", {},
      element("summary", {}, element("code", {}, media), " ", kind(body.schema)),
      body.schema ? type(body.schema) : undefined,
      examples(body).map(([name, example]) => [
        element("p", { class: "quiet" }, name, example.summary ? `: ${example.summary}` : ""),
        element("pre", {}, shown(example.value)),
      ]).flat()));
}

/** Each code with which the operation can refuse, and what it means. */
function refusals(answers) {
  const rows = answers.flatMap(([status, answer]) =>
    Object.entries(answer.content?.[PROBLEM]?.examples ?? {}).map(([code, example]) =>
      element("tr", {},
        element("td", { class: "quiet" }, status),
        element("td", {}, element("a", { href: `docs/errors/${code}` }, element("code", {}, code))),
        element("td", {}, resolve(example).summary,
          element("div", { class: "quiet" }, line(resolve(example).value.detail))))));
  if (rows.length === 0) return [];
  return [
    element("h3", {}, "Refusals"),
    element("p", {}, "Each is a ", ...kind({ $ref: "#/components/schemas/Problem" }), " with one of these codes."),
    element("table", {}, element("tbody", {}, rows)),
  ];
}

function response(status, found) {
  const headers = Object.entries(found.headers ?? {}).map(([name, header]) =>
    element("li", {}, element("code", {}, name), ` ${header.description ?? ""}`));
  return element("section", {},
    element("h4", { id: `status-${status}` }, status),
    prose(found.description),
    headers.length ? element("ul", {}, headers) : undefined,
    bodies(found.content));
}
