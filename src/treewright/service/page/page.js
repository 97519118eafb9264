// The page: what is asked for, how the service is asked, and what is shown of its answers.

import {drawTree, readTree} from "/page/tree.js";
import {formatOf, readFile} from "/page/files.js";
import {describeDeletion, drawMarked, fillTip, phrases, placeTokens, readAnswer} from "/page/view.js";

const EXAMPLE = "The mayor said on Monday that the old harbour bridge, which has been closed since last winter, will not reopen until June because repairs will cost 4 million euros. Engineers found cracks in 40 of its bolts during a routine inspection, and the ferry, which is usually half empty at this time of the year, now runs every ten minutes.";
const EXPLAINED = 3000; // characters up to which every answer is explained; beyond, one sentence is
const PAUSE = 180; // milliseconds without a change after which reasons are asked for
const AGAIN = 1500; // milliseconds between attempts while the service is gone

const $ = (id) => document.getElementById(id);
const [text, marked, tip] = ["text", "marked", "tip"].map($);
const state = {limit: "rate", demands: [], format: "auto", read: null, explained: false, chosen: 0, cursor: null};

// Asking: one request at a time; of what changes meanwhile, only the last is asked.

let busy = false;
let again = false;
let pause = 0;
let retry = 0;

function changed() {
  again = true;
  state.explained = false;
  countSource();
  clearTimeout(pause);
  ask(false);
}

async function ask(explain) {
  if (busy) return;
  clearTimeout(retry);
  again = false;
  const source = text.value;
  if (!source.trim()) return show(null);
  busy = true;
  marked.classList.add("stale");
  const began = performance.now();
  try {
    const answer = await post("/v1/compress", body(source, explain));
    if (answer) {
      alertUser("");
      state.explained = explain;
      show(readAnswer(source, answer), performance.now() - began);
    }
  } finally {
    busy = false;
    marked.classList.remove("stale");
    clearTimeout(pause);
    if (again) ask(false);
    else if (!state.explained && source.length <= EXPLAINED && !retry) pause = setTimeout(() => ask(true), PAUSE);
  }
}

function body(source, explain) {
  const asked = {text: source, model: $("model").value || null, format: state.format, keep: demands("keep"), drop: demands("drop"), ...limit()};
  return explain ? {...asked, explain: true, alternatives: 4} : asked;
}

function limit() {
  const number = (id) => Math.max(1, Math.floor(Number($(id).value)) || 1);
  if (state.limit === "rate") return {rate: Number($("rate").value) / 100};
  if (state.limit === "words") return {max_words: number("words")};
  if (state.limit === "chars") return {max_chars: number("chars")};
  return {};
}

const demands = (verb) => state.demands.filter((each) => each.verb === verb).map((each) => (each.span ? `@${each.span[0]}-${each.span[1]}` : each.phrase));

async function post(path, asked) {
  let response;
  try {
    response = await fetch(path, {method: "POST", headers: headers(), body: JSON.stringify(asked)});
  } catch {
    return later("The service does not answer. Your text is safe here; trying again …", AGAIN);
  }
  $("ask").hidden = response.status !== 401;
  const found = await response.json().catch(() => ({}));
  if (response.ok) return found;
  if (response.status === 429) return later("The service is busy; trying again …", 1000 * (Number(response.headers.get("Retry-After")) || 1));
  if (response.status === 401) alertUser("");
  else alertUser(sentence(found.detail || `the service answered ${response.status}`));
  state.explained = true;
  return null;
}

function headers() {
  const token = sessionStorage.getItem("token");
  return {"Content-Type": "application/json", ...(token ? {Authorization: `Bearer ${token}`} : {})};
}

function later(message, wait) {
  alertUser(message);
  clearTimeout(retry);
  retry = setTimeout(() => { retry = 0; ask(false); }, wait);
  return null;
}

const sentence = (message) => message.charAt(0).toUpperCase() + message.slice(1) + (/[.!?…]$/.test(message) ? "" : ".");

function alertUser(message) {
  if ($("alert").textContent !== message) $("alert").textContent = message;
  $("alert").hidden = !message;
}

// Showing

const words = (tokens) => tokens.filter((token) => /[\p{L}\p{N}]/u.test(token)).length;

function countSource() {
  const length = [...text.value].length;
  $("source-count").textContent = length ? `${length.toLocaleString("en")} characters` : "";
}

function show(read, time) {
  state.read = read;
  $("details").hidden = !(read && state.explained);
  for (const id of ["copy", "download"]) $(id).disabled = !read;
  if (!read) {
    marked.replaceChildren();
    $("summary").textContent = $("time").textContent = "";
    return;
  }
  draw();
  const {answer} = read;
  const [left, all] = [words(answer.kept.map((place) => answer.tokens[place])), words(answer.tokens)];
  const told = [`${left} of ${all} words (${all ? Math.round((100 * left) / all) : 100} %)`, `${[...answer.text].length.toLocaleString("en")} characters`];
  if (!answer.met) told.push("nothing admissible is shorter");
  if (answer.acceptable !== null && answer.acceptable !== undefined && all !== left && answer.sentences?.length === 1) told.push(`readers accept ${Math.round(100 * answer.acceptable)} %`);
  const missing = [...(answer.unmatched_keep || []), ...(answer.unmatched_drop || [])];
  if (missing.length) told.push(`not in the text: ${missing.join(", ")}`);
  if (answer.error) told.push(answer.error);
  if (answer.left) told.push("what is not English prose stays");
  $("summary").textContent = told.join(" · ");
  if (!state.explained) $("time").textContent = `${Math.max(1, Math.round(time))} ms`;
  if (state.explained) showDetails(Math.min(state.chosen, read.sentences.length - 1));
}

function draw() {
  const spans = (verb) => state.demands.filter((each) => each.verb === verb && each.span).map((each) => each.span);
  marked.classList.toggle("plain", !$("show").checked);
  drawMarked(marked, state.read, {keep: spans("keep"), drop: spans("drop")});
  state.cursor = null;
  hideTip();
}

function showDetails(number) {
  const part = state.read.sentences[number];
  if (!part) return;
  state.chosen = number;
  $("which").textContent = state.read.sentences.length > 1 ? `Sentence ${number + 1} of ${state.read.sentences.length}: ${part.source}` : part.source;
  $("reasons").replaceChildren(...part.deletions.map(reason));
  if (!part.deletions.length) $("reasons").append(item(part.dropped ? "The whole sentence." : "Nothing."));
  $("others").replaceChildren(...part.alternatives.map((each) => other(part, each)));
  if (!part.alternatives.length) $("others").append(item("There are none within the limit."));
  const kept = new Set(part.kept);
  $("before").replaceChildren(...(part.tree ? [drawTree(part.tree, part.tokens, kept, "Tree before; what is deleted is dashed")] : ["This sentence was not parsed."]));
  const left = part.kept.map((place) => part.tokens[place]);
  $("after").replaceChildren(...(part.tree && part.text && state.read.answer ? [drawTree(readTree(part.tree_after || treeOf(part)), left, null, "Tree after")] : ["Nothing is left."]));
}

const treeOf = (part) => state.read.answer.sentences[part.number].tree;

const item = (...parts) => {
  const made = document.createElement("li");
  made.append(...parts);
  return made;
};

function reason(deletion) {
  const about = describeDeletion(deletion);
  const made = (name, content, kind = "") => Object.assign(document.createElement(name), {textContent: content, className: kind});
  const lines = [made("b", deletion.text.replace(/^[\s,;]+|[\s,;]+$/g, "") || deletion.text), made("span", about.label, "tag"), made("small", [about.chance, about.price].filter(Boolean).join(" · "))];
  if (about.rule) {
    const rule = document.createElement("small");
    rule.append(made("code", about.rule));
    lines.push(rule);
  }
  if (deletion.runner_up) lines.push(made("small", `If kept: ${deletion.runner_up.text}`));
  return item(...lines);
}

function other(part, version) {
  const button = document.createElement("button");
  button.type = "button";
  const share = Object.assign(document.createElement("small"), {textContent: `${words(version.kept.map((place) => part.tokens[place]))} words`});
  button.append(version.text, share);
  button.title = "Take this version";
  button.addEventListener("click", () => take(part, version));
  return item(button);
}

// Takes another version: what it keeps must stay, what it deletes must go.
function take(part, version) {
  const {places} = state.read;
  const [wanted, now] = [new Set(version.kept), new Set(part.kept)];
  const [start, end] = [places[part.first][0], places[part.first + part.tokens.length - 1][1]];
  state.demands = state.demands.filter((each) => !each.span || each.span[1] <= start || each.span[0] >= end);
  part.tokens.forEach((token, place) => {
    if (wanted.has(place) !== now.has(place) && /[\p{L}\p{N}]/u.test(token)) addSpan(wanted.has(place) ? "keep" : "drop", part.first + place, part.first + place + 1);
  });
  afterDemands();
}

// Demands: what must stay and what must go

function addSpan(verb, first, last) {
  const {places, source} = state.read;
  const span = [places[first][0], places[last - 1][1]];
  const apart = (each) => !each.span || each.span[1] <= span[0] || each.span[0] >= span[1];
  const touching = state.demands.filter((each) => !apart(each));
  state.demands = state.demands.filter(apart);
  // To ask again for the same undoes it.
  if (touching.length === 1 && touching[0].verb === verb && String(touching[0].span) === String(span)) return;
  state.demands.push({verb, span, phrase: source.slice(...span)});
}

function toggle(first, last, verb) {
  const {kept, places} = state.read;
  const [start, end] = [places[first][0], places[last - 1][1]];
  const found = state.demands.find((each) => each.span && each.span[0] < end && start < each.span[1]);
  const gone = !kept.has(first);
  if (found && ((found.verb === "drop" && gone) || (found.verb === "keep" && !gone))) {
    state.demands = state.demands.filter((each) => each !== found);
  } else addSpan(verb || (gone ? "keep" : "drop"), first, last);
  afterDemands();
}

function afterDemands() {
  $("chips").replaceChildren(...state.demands.map((each) => {
    const button = Object.assign(document.createElement("button"), {type: "button", className: each.verb});
    const shown = each.phrase.length > 40 ? `${each.phrase.slice(0, 39)}…` : each.phrase;
    button.textContent = `${each.verb} ${shown}`;
    button.setAttribute("aria-label", `Remove the demand to ${each.verb} ${shown}`);
    button.addEventListener("click", () => {
      state.demands = state.demands.filter((one) => one !== each);
      afterDemands();
      ($("chips").querySelector("button") || $("phrase")).focus();
    });
    return item(button);
  }));
  changed();
}

// What was said about places stays where the text around it does.
function shiftDemands(before, after) {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const delta = after.length - before.length;
  const kept = state.demands.flatMap((each) => {
    if (!each.span || each.span[1] <= head) return [each];
    return each.span[0] >= before.length - tail ? [{...each, span: each.span.map((place) => place + delta)}] : [];
  });
  const fewer = kept.length !== state.demands.length;
  state.demands = kept;
  return fewer;
}

let last = "";

function edited() {
  const fewer = shiftDemands(last, text.value);
  last = text.value;
  if (fewer) afterDemands();
  else changed();
}

function setText(value, format = "auto") {
  text.value = value;
  state.format = format;
  state.chosen = 0;
  edited();
}

// Pointing at the marked text, by mouse, finger or keyboard

function rangeAt(target) {
  const gone = target.closest("del");
  if (gone) return {first: Number(gone.dataset.first), last: Number(gone.dataset.last) + 1, gone};
  const word = target.closest(".w");
  if (!word || !state.read) return null;
  const place = Number(word.dataset.place);
  const found = phrases(state.read, place);
  const [first, end] = found[found.start || 0];
  return {first, last: end, place};
}

function light(range) {
  marked.querySelectorAll(".in,.here").forEach((each) => each.classList.remove("in", "here"));
  if (!range) return hideTip();
  const box = range.gone || marked.querySelector(`[data-place="${range.first}"]`);
  if (range.gone) range.gone.classList.add("here");
  else {
    for (let place = range.first; place < range.last; place++) {
      marked.querySelector(`[data-place="${place}"]`)?.classList.add("in");
    }
  }
  showTip(range, box);
}

function showTip(range, box) {
  const {read} = state;
  const deletion = range.gone && read.deletionOf[range.first];
  const title = read.source.slice(read.places[range.first][0], read.places[range.last - 1][1]);
  if (deletion) {
    const about = describeDeletion(deletion);
    fillTip(tip, title, [about.chance, about.price, "click to keep"], about.label, about.rule);
  } else fillTip(tip, title.length > 160 ? `${title.slice(0, 159)}…` : title, [range.gone ? "click to keep" : "click to drop"], range.gone ? "" : labelOf(range));
  tip.hidden = false;
  const [place, size] = [box.getBoundingClientRect(), tip.getBoundingClientRect()];
  const above = place.top - size.height - 8;
  tip.style.left = `${Math.max(8, Math.min(place.left, innerWidth - size.width - 8))}px`;
  tip.style.top = `${above > 8 ? above : place.bottom + 8}px`;
}

function labelOf({first, last}) {
  for (let node = state.read.nodeOf[first]; node; node = node.up) {
    const base = state.read.sentences[state.read.sentenceOf[first]].first;
    if (base + node.first === first && base + node.last === last) return node.label;
  }
  return "";
}

function hideTip() {
  tip.hidden = true;
}

function choose(place) {
  if (!state.read || state.read.sentenceOf[place] < 0 || !state.explained) return explainOne(place);
  showDetails(state.read.sentenceOf[place]);
  return null;
}

// A long text is not explained as a whole; the sentence that someone points at is.
let waiting = 0;

async function explainOne(place) {
  if (state.explained || !state.read || state.read.source.length <= EXPLAINED) return;
  const {source, places, kept} = state.read;
  const number = ++waiting;
  const parsed = await post("/v1/parse", {text: source.slice(...around(source, places[place][0]))});
  if (!parsed || number !== waiting) return;
  const from = around(source, places[place][0])[0];
  const found = parsed.sentences.find((each) => from + each.end > places[place][0]);
  if (!found) return;
  const [start, end] = [from + found.start, from + found.end];
  const room = places.filter((each, at) => kept.has(at) && each[0] >= start && each[1] <= end && /[\p{L}\p{N}]/u.test(source.slice(...each))).length;
  const answer = await post("/v1/compress", {text: source.slice(start, end), model: $("model").value || null, max_words: Math.max(1, room), explain: true, alternatives: 4});
  if (!answer || number !== waiting || source !== text.value) return;
  const read = readAnswer(source.slice(start, end), answer);
  const first = places.findIndex((each) => each[0] >= start);
  const part = {...read.sentences[0], first, number: 0};
  const whole = state.read;
  part.tokens.forEach((_, at) => {
    whole.sentenceOf[first + at] = whole.sentences.length;
    whole.nodeOf[first + at] = read.nodeOf[at];
    whole.deletionOf[first + at] = read.deletionOf[at];
  });
  part.tree_after = answer.sentences[0].tree;
  whole.sentences.push(part);
  $("details").hidden = false;
  showDetails(whole.sentences.length - 1);
  $("which").textContent = part.source;
}

function around(source, place) {
  const start = Math.max(source.lastIndexOf("\n", place - 1) + 1, place - 600);
  const end = source.indexOf("\n", place);
  return [start, Math.min(end < 0 ? source.length : end, place + 1200)];
}

marked.addEventListener("pointerover", (event) => { if (event.pointerType !== "touch") light(rangeAt(event.target)); });
marked.addEventListener("pointerleave", () => light(null));
marked.addEventListener("click", (event) => {
  const range = rangeAt(event.target);
  if (!range || getSelection().toString()) return;
  choose(range.first);
  toggle(range.first, range.last);
});
marked.addEventListener("blur", () => { state.cursor = null; marked.querySelectorAll(".focus").forEach((each) => each.classList.remove("focus")); light(null); });
marked.addEventListener("keydown", (event) => {
  const units = [...marked.querySelectorAll("del, .w:not(del .w)")];
  const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
  if (!units.length || !state.read) return;
  if (step) {
    const at = state.cursor ? units.indexOf(state.cursor.unit) + step : step > 0 ? 0 : units.length - 1;
    moveTo(units[Math.max(0, Math.min(units.length - 1, at))]);
  } else if (state.cursor && (event.key === "ArrowUp" || event.key === "ArrowDown") && !state.cursor.range.gone) {
    const found = phrases(state.read, Number(state.cursor.unit.dataset.place));
    const level = Math.max(0, Math.min(found.length - 1, (state.cursor.level ?? found.start ?? 0) + (event.key === "ArrowUp" ? 1 : -1)));
    state.cursor.level = level;
    state.cursor.range = {...state.cursor.range, first: found[level][0], last: found[level][1]};
    say(state.cursor.range);
  } else if (state.cursor && (event.key === "Enter" || event.key === " ")) {
    toggle(state.cursor.range.first, state.cursor.range.last);
  } else if (event.key === "Escape") hideTip();
  else return;
  event.preventDefault();
});

function moveTo(unit) {
  marked.querySelectorAll(".focus").forEach((each) => each.classList.remove("focus"));
  unit.classList.add("focus");
  unit.scrollIntoView({block: "nearest"});
  state.cursor = {unit, range: rangeAt(unit)};
  choose(state.cursor.range.first);
  say(state.cursor.range);
}

function say(range) {
  light(range);
  $("hint").textContent = `${tip.textContent.replace("click to", "Enter to")}`;
  $("hint").setAttribute("aria-live", "polite");
}

// Controls

function setLimit(kind) {
  state.limit = kind;
  for (const id of ["rate", "words", "chars"]) {
    $(id).closest(".limit").classList.toggle("on", id === kind);
    if (id !== "rate" && id !== kind) $(id).value = "";
  }
  $("auto").setAttribute("aria-pressed", String(kind === "auto"));
  $("rate-shown").textContent = kind === "rate" ? `${$("rate").value} %` : "–";
  changed();
}

$("rate").addEventListener("input", () => setLimit("rate"));
for (const id of ["words", "chars"]) $(id).addEventListener("input", () => setLimit($(id).value ? id : "auto"));
$("auto").addEventListener("click", () => setLimit(state.limit === "auto" ? "rate" : "auto"));
$("model").addEventListener("change", changed);
$("show").addEventListener("change", () => { if (state.read) draw(); });
text.addEventListener("input", () => { state.format = "auto"; edited(); });
$("example").addEventListener("click", () => setText(EXAMPLE));
$("clear").addEventListener("click", () => { state.demands = []; setText(""); afterDemands(); text.focus(); });
$("add").addEventListener("submit", (event) => {
  event.preventDefault();
  const phrase = $("phrase").value.trim();
  if (!phrase) return;
  const verb = $("verb").value;
  state.demands = [...state.demands.filter((each) => each.span || each.phrase !== phrase), {verb, phrase}];
  $("phrase").value = "";
  afterDemands();
});
$("use-token").addEventListener("click", () => { sessionStorage.setItem("token", $("token").value.trim()); $("ask").hidden = true; start(); });

async function flash(button, content) {
  const before = button.textContent;
  button.textContent = content;
  setTimeout(() => { button.textContent = before; }, 1200);
}

// Where a page is not served over TLS or from this machine, browsers have no clipboard.
function copyOldWay(content) {
  const field = Object.assign(document.createElement("textarea"), {value: content});
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  $("copy").focus();
  return done;
}

$("copy").addEventListener("click", async () => {
  const done = await navigator.clipboard?.writeText(state.read.answer.text).then(() => true, () => false);
  if (done || copyOldWay(state.read.answer.text)) flash($("copy"), "Copied");
  else alertUser("The browser does not let this page copy; select the text instead.");
});
$("download").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([state.read.answer.text], {type: "text/plain"}));
  link.download = "shortened.txt";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
});

async function take_file(file) {
  if (!file) return;
  try {
    setText(await readFile(file), formatOf(file.name));
  } catch (error) {
    alertUser(sentence(error.message));
  }
}

$("open").addEventListener("click", () => $("file").click());
$("file").addEventListener("change", () => { take_file($("file").files[0]); $("file").value = ""; });
for (const kind of ["dragover", "drop", "dragleave"]) {
  document.addEventListener(kind, (event) => {
    const files = event.dataTransfer && [...event.dataTransfer.types].includes("Files");
    $("drop-zone").classList.toggle("over", kind === "dragover" && files);
    if (!files) return;
    event.preventDefault();
    if (kind === "drop") take_file(event.dataTransfer.files[0]);
  });
}

const THEMES = ["auto", "light", "dark"];
function setTheme(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  $("theme").textContent = {auto: "Auto", light: "Light", dark: "Dark"}[name];
  $("theme").setAttribute("aria-label", `Colours: ${name === "auto" ? "automatic" : name}`);
  localStorage.setItem("theme", name);
}
$("theme").addEventListener("click", () => setTheme(THEMES[(THEMES.indexOf(localStorage.getItem("theme") || "auto") + 1) % 3]));
setTheme(THEMES.includes(localStorage.getItem("theme")) ? localStorage.getItem("theme") : "auto");

async function start() {
  const response = await fetch("/v1/models", {headers: headers()}).catch(() => null);
  if (response && response.ok) {
    const {models} = await response.json();
    $("model").replaceChildren(...models.map((each) => new Option(each.name)));
  } else if (response && response.status === 401) $("ask").hidden = false;
  changed();
}

text.value = last = EXAMPLE;
setLimit("rate");
start();
document.documentElement.dataset.started = "yes";
