// Elements of the page, made without markup in texts: nothing of a description or an answer is ever
// read as HTML.

/** An element with attributes; functions are listeners, `false` and `undefined` are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== false && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return made;
}

/** A line of text in which `code` stands between backticks. */
export function line(text) {
  return text.split("`").map((part, place) => (place % 2 ? element("code", {}, part) : part));
}

/** A description: paragraphs, and lists of lines that begin with a dash. */
export function prose(text = "") {
  return text.split(/\n\n+|\n(?=- )(?<!\n- [^\n]*\n)/).map((block) => {
    const rows = block.split("\n");
    if (!rows.every((row) => row.startsWith("- "))) return element("p", {}, line(block));
    return element("ul", {}, rows.map((row) => element("li", {}, line(row.slice(2)))));
  });
}
