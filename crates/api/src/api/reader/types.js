// Types and examples of the description.

import { element, line } from "./elements.js";

let description = {};

/** The description that references are looked up in. */
export function describe(document) {
  description = document;
}

/** What a reference points to, or the thing itself. */
export function resolve(thing) {
  if (!thing?.$ref) return thing;
  const parts = thing.$ref.slice(2).split("/");
  return parts.reduce((found, part) => found?.[part.replaceAll("~1", "/").replaceAll("~0", "~")], description);
}

/** The examples of a body by name. */
export function examples(body) {
  if (body.example !== undefined) return [["example", { value: body.example }]];
  return Object.entries(body.examples ?? {}).map(([name, example]) => [name, resolve(example)]);
}

/** The media types of a body, XML before the others: it is what most documents are in. */
export function xmlFirst(content) {
  const rank = ([media]) => (media === "application/xml" ? 0 : 1);
  return Object.fromEntries(Object.entries(content).sort((one, other) => rank(one) - rank(other)));
}

/** An example as it is shown and sent. */
export function shown(value) {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** An example of a parameter. */
export function sample(parameter) {
  const schema = resolve(parameter.schema);
  const value = parameter.example ?? schema.example ?? schema.enum?.[0];
  return value === undefined ? "" : [value].flat().join(",");
}

/** A type in a few words, with links to the types it is made of. */
export function kind(schema) {
  if (!schema) return ["anything"];
  if (schema.$ref) {
    const name = schema.$ref.split("/").pop();
    return [element("a", { href: `#type/${name}` }, name)];
  }
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) {
    const real = choices.filter((choice) => choice.type !== "null");
    return real.flatMap((choice, place) => [place ? " or " : "", ...kind(choice)]);
  }
  if (schema.enum) return [schema.enum.join(" | ")];
  const names = [schema.type ?? "anything"].flat().filter((name) => name !== "null");
  if (names[0] === "array") return ["list of ", ...kind(schema.items)];
  return [names.join(" or "), schema.format ? ` (${schema.format})` : ""];
}

/** The limits of a value: those that the service checks. */
export function limits(schema) {
  const found = resolve(schema) ?? {};
  const told = [];
  if (found.minimum !== undefined) told.push(`at least ${found.minimum}`);
  if (found.maximum !== undefined) told.push(`at most ${found.maximum}`);
  if (found.minItems) told.push(`at least ${found.minItems}`);
  if (found.maxItems) told.push(`at most ${found.maxItems}`);
  if (found.pattern && found.pattern.length < 80) told.push(`matches ${found.pattern}`);
  return told.join(", ");
}

/** A type in full: its parts with what they mean. */
export function type(schema) {
  const found = resolve(schema) ?? {};
  const required = new Set(found.required);
  const rows = Object.entries(found.properties ?? {}).map(([name, part]) =>
    element("tr", {},
      element("td", {}, element("code", { class: required.has(name) ? "required" : "" }, name)),
      element("td", { class: "type" }, kind(part), " ", limits(part)),
      element("td", {}, line(part.description ?? resolve(part)?.description ?? ""))));
  if (rows.length === 0) return element("p", { class: "type" }, kind(schema.$ref ? found : schema));
  return element("table", {}, element("tbody", {}, rows));
}
