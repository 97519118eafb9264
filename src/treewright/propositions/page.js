"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const list = document.getElementById("list");
const query = document.getElementById("query");
const shape = document.getElementById("shape");
const more = document.getElementById("more");
const STEP = 100;
const SHAPES = {
  NVN: "noun verb noun",
  NVNPN: "noun verb noun preposition noun",
  NVPN: "noun verb preposition noun",
  VNPN: "verb noun preposition noun",
};
const greatest = Math.max(1, ...data.propositions.map((one) => one.count));
let found = [];
let shown = 0;

function make(tag, text, name) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (name) node.className = name;
  return node;
}

function texts(one) {
  if (one.search === undefined) {
    const instances = one.instances.map((instance) => instance.words.join(" "));
    one.search = [one.classes.join(" "), ...instances].join(" ").replaceAll("_", " ").toLowerCase();
  }
  return one.search;
}

function written(one) {
  const line = make("span", undefined, "text");
  one.classes.forEach((word, place) => {
    if (place) line.append(" ");
    const kind = one.kinds[place];
    line.append(make(kind === "name" ? "b" : kind === "verb" ? "em" : "span", word));
  });
  return line;
}

function head(one) {
  const line = make("summary");
  const count = make("span", one.count.toLocaleString("en"), "count");
  const bar = make("i");
  bar.style.width = `${(100 * one.count) / greatest}%`;
  count.append(bar);
  line.append(count, written(one), make("span", SHAPES[one.shape] || one.shape, "kind"));
  return line;
}

function names(one, place) {
  const counts = new Map();
  for (const instance of one.instances) {
    const name = instance.words[place].replaceAll("_", " ");
    counts.set(name, (counts.get(name) || 0) + instance.count);
  }
  const rows = [...counts].sort((a, b) => b[1] - a[1]);
  const items = make("ul", undefined, "names");
  for (const [name, count] of rows.slice(0, 12)) {
    const row = make("li", name);
    row.append(make("span", count));
    items.append(row);
  }
  if (rows.length > 12) items.append(make("li", `and ${rows.length - 12} more`));
  return items;
}

function marked(text, spans) {
  const line = make("span");
  const letters = Array.from(text);
  let done = 0;
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    if (start < done) continue;
    line.append(letters.slice(done, start).join(""), make("mark", letters.slice(start, end).join("")));
    done = end;
  }
  line.append(letters.slice(done).join(""));
  return line;
}

function inside(one) {
  const box = make("div", undefined, "inside");
  const left = make("div");
  one.kinds.forEach((kind, place) => {
    if (kind !== "name") return;
    left.append(make("h2", `${one.classes[place]}: names`), names(one, place));
  });
  if (!left.childNodes.length) left.append(make("h2", "No names in it"));
  const right = make("div");
  right.append(make("h2", `Sentences (${one.total.toLocaleString("en")} different instances)`));
  const items = make("ul", undefined, "names sentences");
  const seen = new Set();
  for (const instance of one.instances) {
    for (const [place, spans] of instance.sentences) {
      if (seen.has(place)) continue;
      seen.add(place);
      const row = make("li");
      row.style.display = "block";
      const [id, text] = data.sentences[place];
      row.append(marked(text, spans), make("small", id));
      items.append(row);
    }
  }
  right.append(items);
  box.append(left, right);
  return box;
}

function item(one) {
  const row = make("li", undefined, "proposition");
  const details = make("details");
  details.append(head(one));
  details.addEventListener("toggle", () => {
    if (details.open && details.childNodes.length === 1) details.append(inside(one));
  });
  row.append(details);
  return row;
}

function extend() {
  list.append(...found.slice(shown, shown + STEP).map(item));
  shown = Math.min(shown + STEP, found.length);
  more.hidden = shown >= found.length;
}

function search() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  found = data.propositions.filter((one) =>
    (!shape.value || one.shape === shape.value) && words.every((word) => texts(one).includes(word)));
  const uses = found.reduce((sum, one) => sum + one.count, 0);
  document.getElementById("found").textContent =
    `${found.length.toLocaleString("en")} of the ${data.propositions.length.toLocaleString("en")} ` +
    `most frequent propositions, ${uses.toLocaleString("en")} uses`;
  list.replaceChildren();
  shown = 0;
  extend();
}

for (const name of [...new Set(data.propositions.map((one) => one.shape))].sort()) {
  const choice = make("option", SHAPES[name] || name);
  choice.value = name;
  shape.append(choice);
}
document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
query.addEventListener("input", search);
shape.addEventListener("change", search);
more.addEventListener("click", extend);
search();
