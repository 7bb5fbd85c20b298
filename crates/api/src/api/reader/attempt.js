// Trying an operation: the form, the request that it becomes, the same as a command for the shell,
// and the answer.

import { element } from "./elements.js";
import { examples, sample, shown, xmlFirst } from "./types.js";

// Where the interface is: the page lies at `docs` beside it.
const BASE = new URL("./", location.href).href.replace(/\/$/, "");
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
const TEXT = /^text\/|json|xml|^$|^null$/;
// Characters of an answer that are shown.
const LONGEST = 1_000_000;
let token = "";

/** Sets the token that is sent. */
export function useToken(value) {
  token = value.trim();
  state(token ? "ready" : "none");
}

/** Gets a token for a client, and uses it; what keeps it from one is said in its place. */
export async function getToken(client, secret) {
  const body = new URLSearchParams({ grant_type: "client_credentials", scope: "ap", client_id: client, client_secret: secret });
  try {
    const answer = await fetch(`${BASE}/connect/token`, { method: "POST", body, credentials: "omit" });
    const said = await answer.json();
    useToken(said.access_token ?? "");
    if (!said.access_token) state(said.error_description);
  } catch (error) {
    useToken("");
    state(`there was no answer: ${error.message}`);
  }
}

function state(text) {
  document.getElementById("token-state").textContent = text;
}

/** The form of an operation. */
export function attempt(method, path, described) {
  const fields = (described.parameters ?? []).map((parameter) => [parameter, input(parameter)]);
  const body = described.requestBody ? bodyOf(xmlFirst(described.requestBody.content)) : undefined;
  const command = element("pre", { id: "command", "aria-label": "The same for the shell" });
  const answer = element("div", { id: "answer", role: "status" });
  const ask = () => request(method, path, fields, body);
  const show = () => { command.textContent = shell(ask()); };
  const send = async (event) => {
    event.preventDefault();
    await exchange(ask(), (parts) => answer.replaceChildren(...parts));
  };
  const form = element("form", { id: "attempt", submit: send, input: show },
    fields.map(([parameter, field]) => element("label", {}, `${parameter.name} (${parameter.in})`, field)),
    body?.elements,
    element("button", {}, "Send"));
  show();
  return [element("h3", {}, "Try it"), form, command, answer];
}

function input(parameter) {
  const field = element("input", { name: parameter.name, placeholder: sample(parameter), required: parameter.required && "", autocomplete: "off" });
  if (parameter.required) field.value = sample(parameter);
  return field;
}

function bodyOf(content) {
  const media = element("select", { name: "media", "aria-label": "Media type of the body" },
    Object.keys(content).map((name) => element("option", {}, name)));
  const text = element("textarea", { name: "body", "aria-label": "Body", spellcheck: "false" });
  const fill = () => {
    const [first] = examples(content[media.value]);
    text.value = first ? shown(first[1].value) : "";
  };
  media.addEventListener("change", fill);
  fill();
  return { media, text, elements: [element("label", {}, "Body", media), text] };
}

function request(method, path, fields, body) {
  const query = new URLSearchParams();
  const headers = {};
  let place = path;
  for (const [{ name, in: where, schema }, { value }] of fields) {
    if (where === "path") place = place.replace(`{${name}}`, encodeURIComponent(value));
    else if (value === "") continue;
    else if (where === "header") headers[name] = value;
    else if (schema.type === "array") value.split(",").forEach((one) => query.append(name, one.trim()));
    else query.append(name, value);
  }
  const behind = query.size ? `?${query}` : "";
  if (token && path !== "/connect/token") headers.Authorization = `Bearer ${token}`;
  if (body && body.media.value !== MULTIPART) headers["Content-Type"] = body.media.value;
  return { method: method.toUpperCase(), url: `${BASE}${place}${behind}`, headers, body: body && { media: body.media.value, text: body.text.value } };
}

/** The fields of a form, written as JSON: each a text, or something that is written as JSON itself. */
function parts(text) {
  const fields = JSON.parse(text.trim() || "{}");
  if (fields === null || typeof fields !== "object" || Array.isArray(fields)) throw new SyntaxError("expected an object, as in { \"name\": \"value\" }");
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  return given.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
}

/** What is wrong with the fields of a form, where it is one; nothing is sent then. */
function mistake(body) {
  if (!body || ![FORM, MULTIPART].includes(body.media)) return undefined;
  try {
    parts(body.text);
    return undefined;
  } catch (error) {
    return `The body is no JSON with the fields of the form: ${error.message}`;
  }
}

function payload(body) {
  if (!body) return undefined;
  if (body.media === FORM) return new URLSearchParams(parts(body.text));
  if (body.media !== MULTIPART) return body.text;
  const form = new FormData();
  for (const [name, part] of parts(body.text)) {
    form.append(name, name === "file" ? new Blob([part], { type: "application/xml" }) : part);
  }
  return form;
}

// Without what the browser keeps for the address: else a 401 is a dialogue of its own, and no answer.
async function exchange({ method, url, headers, body }, show) {
  const wrong = mistake(body);
  if (wrong) return show([element("p", {}, wrong)]);
  try {
    const answer = await fetch(url, { method, headers, body: payload(body), credentials: "omit" });
    const told = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    const shown = element("pre", {}, "…");
    show([
      element("h4", {}, `${answer.status} ${answer.statusText}`),
      element("pre", { class: "quiet" }, told),
      shown,
    ]);
    await (TEXT.test(answer.headers.get("content-type")) ? asText(answer, shown) : asFile(answer, shown));
  } catch (error) {
    show([element("p", {}, `There was no answer: ${error.message}`)]);
  }
}

/** Shows a text as it comes: a stream of events has no end. */
async function asText(answer, shown) {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader?.read(); part && !part.done; part = await reader.read()) {
    text = (text + part.value).slice(-LONGEST);
    shown.textContent = text;
  }
  if (text) shown.textContent = pretty(text);
  else shown.replaceWith(element("p", {}, "There is no body."));
}

/** Anything else is for saving. */
async function asFile(answer, shown) {
  const file = await answer.blob();
  const named = /filename="?([^";]+)/.exec(answer.headers.get("content-disposition") ?? "");
  const link = element("a", { href: URL.createObjectURL(file), download: named?.[1] ?? "answer" },
    `Save ${file.size} bytes of ${file.type || "no type"}`);
  shown.replaceWith(file.size ? element("p", {}, link) : element("p", {}, "There is no body."));
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function shell({ method, url, headers, body }) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const wrong = mistake(body);
  if (wrong) return `# ${wrong}`;
  const lines = [`curl -X ${method} ${quoted(url)}`];
  for (const [name, value] of Object.entries(headers)) {
    lines.push(`-H ${name === "Authorization" ? '"Authorization: Bearer $TOKEN"' : quoted(`${name}: ${value}`)}`);
  }
  if (body && [FORM, MULTIPART].includes(body.media)) {
    // Of -F, curl reads a value that begins with < or @ from a file.
    const flag = body.media === FORM ? "--data-urlencode" : "--form-string";
    parts(body.text).forEach(([name, value]) => lines.push(body.media === MULTIPART && name === "file"
      ? "-F 'file=@body;type=application/xml'" : `${flag} ${quoted(`${name}=${value}`)}`));
  } else if (body) {
    const long = body.text.length > 300;
    lines.push(long ? "--data-binary @body" : `--data-binary ${quoted(body.text)}`);
  }
  return lines.join(" \\\n  ");
}
