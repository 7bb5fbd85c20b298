// The page: the list of operations with its search, and what the address behind # names.

import { getToken, useToken } from "./attempt.js";
import { element, line, prose } from "./elements.js";
import { operation } from "./operation.js";
import { describe, resolve, shown, type } from "./types.js";

const METHODS = ["get", "post", "put", "delete"];
const at = (id) => document.getElementById(id);

function operations(description) {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method]).map((method) => {
      const found = methods[method];
      const text = [method, path, found.operationId, found.summary, found.description, ...codes(found)];
      return { method, path, operation: found, text: text.join(" ").toLowerCase() };
    }));
}

/** The codes of an operation's refusals. */
function codes(found) {
  return Object.values(found.responses).flatMap((response) =>
    Object.keys(response.content?.["application/problem+json"]?.examples ?? {}));
}

function list(description, all) {
  const words = at("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ text }) => words.every((word) => text.includes(word));
  const groups = description.tags.map((tag) => {
    const found = all.filter((one) => one.operation.tags[0] === tag.name && fits(one));
    if (found.length === 0) return undefined;
    const items = found.map(({ method, path, operation: { operationId, summary } }) =>
      element("li", {}, element("a", { href: `#${operationId}`, title: path },
        element("span", { class: `method ${method}` }, method), element("span", {}, line(summary)))));
    return element("section", {}, element("h2", { title: tag.description }, tag.name), element("ul", {}, items));
  });
  at("groups").replaceChildren(...groups.filter(Boolean));
  const count = all.filter(fits).length;
  at("found").textContent = `${count} of ${all.length} operations`;
}

function overview(description, all) {
  const { info, tags } = description;
  const rows = tags.map((tag) => element("tr", {},
    element("td", {}, element("code", {}, tag.name)),
    element("td", {}, tag.description),
    element("td", { class: "quiet" }, all.filter((one) => one.operation.tags[0] === tag.name).length)));
  return [
    element("h2", {}, `${info.title} ${info.version}`),
    prose(info.description),
    element("p", {}, element("a", { href: "openapi.json" }, "The description as OpenAPI 3.1")),
    element("table", {}, element("tbody", {}, rows)),
  ].flat();
}

function typePage(name) {
  const found = resolve({ $ref: `#/components/schemas/${name}` });
  if (!found) return undefined;
  const example = resolve({ $ref: `#/components/examples/${name}` });
  return [
    element("h2", {}, name), prose(found.description), type({ $ref: `#/components/schemas/${name}` }),
    example ? element("pre", {}, shown(example.value)) : undefined,
  ].flat().filter(Boolean);
}

/** What the address names behind #; something that is no name shows the overview. */
function named() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

function show(description, all) {
  const name = named();
  const found = all.find((one) => one.operation.operationId === name);
  const typed = name.startsWith("type/") ? typePage(name.slice(5)) : undefined;
  at("content").replaceChildren(...(found ? operation(found) : typed ?? overview(description, all)));
  document.querySelectorAll("nav [aria-current]").forEach((link) => link.removeAttribute("aria-current"));
  document.querySelector(`nav a[href="#${CSS.escape(name)}"]`)?.setAttribute("aria-current", "page");
  document.title = found ? `${found.operation.summary} Quoin` : "Quoin: the interface";
  window.scrollTo(0, 0);
}

async function described() {
  try {
    const answer = await fetch("openapi.json");
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return await answer.json();
  } catch (error) {
    at("content").textContent = `The description could not be read: ${error.message}. Load the page again.`;
    throw error;
  }
}

async function start() {
  const description = await described();
  describe(description);
  const all = operations(description);
  list(description, all);
  show(description, all);
  at("search").addEventListener("input", () => list(description, all));
  addEventListener("hashchange", () => show(description, all));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || /INPUT|TEXTAREA|SELECT/.test(event.target.tagName)) return;
    event.preventDefault();
    at("search").focus();
  });
  at("token").addEventListener("input", (event) => useToken(event.target.value));
  at("credentials").addEventListener("submit", async (event) => {
    event.preventDefault();
    const { client, secret } = event.target.elements;
    await getToken(client.value, secret.value);
    document.getElementById("attempt")?.dispatchEvent(new Event("input"));
  });
}

start();
