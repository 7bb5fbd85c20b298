// Trying an operation: the form, the request that it becomes, the same as a command for the shell,
// and the answer.

import { element } from "./elements.js";
import { examples, sample, shown, xmlFirst } from "./types.js";

// Where the interface is: the page lies at `docs` beside it.
const BASE = new URL("./", location.href).href.replace(/\/$/, "");
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
let token = "";

/** Sets the token that is sent. */
export function useToken(value) {
  token = value.trim();
  document.getElementById("token-state").textContent = token ? "ready" : "none";
}

/** Gets a token for a client, and uses it. */
export async function getToken(client, secret) {
  const body = new URLSearchParams({ grant_type: "client_credentials", scope: "ap", client_id: client, client_secret: secret });
  const answer = await fetch(`${BASE}/connect/token`, { method: "POST", body });
  const said = await answer.json();
  useToken(said.access_token ?? "");
  if (!said.access_token) document.getElementById("token-state").textContent = said.error_description;
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
    answer.replaceChildren(...await exchange(ask()));
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

/** The fields of a form, written as JSON. */
function parts(text) {
  try {
    return Object.entries(JSON.parse(text)).filter(([, value]) => value !== null);
  } catch {
    return [];
  }
}

function payload(body) {
  if (!body) return undefined;
  if (body.media === FORM) return new URLSearchParams(parts(body.text));
  if (body.media !== MULTIPART) return body.text;
  const form = new FormData();
  for (const [name, value] of parts(body.text)) {
    const part = typeof value === "string" ? value : JSON.stringify(value);
    form.append(name, name === "file" ? new Blob([part], { type: "application/xml" }) : part);
  }
  return form;
}

async function exchange({ method, url, headers, body }) {
  try {
    const answer = await fetch(url, { method, headers, body: payload(body) });
    const text = await answer.text();
    const told = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    return [
      element("h4", {}, `${answer.status} ${answer.statusText}`),
      element("pre", { class: "quiet" }, told),
      text ? element("pre", {}, pretty(text)) : element("p", {}, "There is no body."),
    ];
  } catch (error) {
    return [element("p", {}, `There was no answer: ${error.message}`)];
  }
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
  const lines = [`curl -X ${method} ${quoted(url)}`];
  for (const [name, value] of Object.entries(headers)) {
    lines.push(`-H ${name === "Authorization" ? '"Authorization: Bearer $TOKEN"' : quoted(`${name}: ${value}`)}`);
  }
  if (body && [FORM, MULTIPART].includes(body.media)) {
    const flag = body.media === FORM ? "--data-urlencode" : "-F";
    parts(body.text).forEach(([name, value]) => lines.push(`${flag} ${quoted(`${name}=${value}`)}`));
  } else if (body) {
    const long = body.text.length > 300;
    lines.push(long ? "--data-binary @body" : `--data-binary ${quoted(body.text)}`);
  }
  return lines.join(" \\\n  ");
}
