
"use strict";
const study = JSON.parse(document.getElementById("study").textContent);
const main = document.getElementById("main");
let sheet = 0, state = null, kept = true;

const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
};
const button = (text, kind, action) => element("button", { type: "button", class: kind, onclick: action }, text);
const count = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
const now = () => new Date().toISOString();

// Several people may use one browser: what is kept of a sheet is kept for each of them.
const place = () => `treewright:${study.id}:${sheet}`;
const stored = () => {
  try { return JSON.parse(localStorage.getItem(place())) ?? { people: {} }; } catch { return { people: {} }; }
};
const keep = (all) => {
  try { localStorage.setItem(place(), JSON.stringify(all)); } catch { kept = false; }
};
const save = () => {
  const all = stored();
  all.last = state.annotator;
  all.people[state.annotator] = state;
  keep(all);
};
const forget = () => {
  const all = stored();
  delete all.people[state.annotator];
  delete all.last;
  keep(all);
};
const stateOf = (annotator) => {
  if (state?.annotator === annotator && state.sheet === sheet) return state;
  const { people } = stored();
  if (Object.hasOwn(people, annotator)) return people[annotator];
  const session = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;
  return { annotator, sheet, session, started: now(), answers: {} };
};

const pages = () => study.sheets[sheet];
const slotsOf = ([page, order]) => order.map((i) => study.pages[page].slots[i]);
const required = study.questions.filter((question) => question.required);
const missingIn = (slot) => required.filter((question) => !state.answers[slot.id]?.[question.name]);
const unfinished = () => pages().findIndex((page) => slotsOf(page).some((slot) => missingIn(slot).length));

const show = (title, hidden, ...children) => {
  const heading = element("h1", { tabindex: "-1", class: hidden && "hidden" }, title);
  const warning = kept ? [] : [element("p", { class: "alert" },
    "This browser does not keep your answers. Download them before you close this page.")];
  main.replaceChildren(heading, ...warning, ...children);
  document.title = `${title} – ${study.title}`;
  window.scrollTo(0, 0);
  heading.focus();
};
const bar = (where) => {
  document.getElementById("bar").hidden = where === null;
  if (where === null) return;
  const page = pages()[where], slots = slotsOf(page);
  const done = slots.filter((slot) => !missingIn(slot).length).length;
  document.getElementById("where").textContent = `Page ${where + 1} of ${pages().length}`;
  document.getElementById("count").textContent = `${done} of ${slots.length} answered`;
  const progress = document.getElementById("progress");
  progress.max = pages().length;
  progress.value = where + done / slots.length;
};

const start = () => {
  bar(null);
  const asked = Number(/^#(?:sheet=)?(\d+)$/.exec(location.hash)?.[1]);
  const fixed = asked >= 1 && asked <= study.sheets.length;
  if (fixed) sheet = asked - 1;
  const name = element("input", { type: "text", id: "name", required: true, maxlength: "80", autocomplete: "off" });
  const choice = element("select", { id: "sheet", required: true }, element("option", { value: "" }, "Choose your sheet"),
    ...study.sheets.map((_, i) => element("option", { value: i }, `Sheet ${i + 1}`)));
  const open = study.sheets.length > 1 && !fixed;
  const about = element("p");
  const fill = () => {
    const { last } = stored();
    if (last) name.value = last;
    const items = pages().reduce((sum, [, order]) => sum + order.length, 0);
    about.textContent = `There are ${count(pages().length, "page")} with ${count(items, "item")} in all. `
      + (last ? "Your answers so far are still in this browser, and you can go on where you stopped." : "You can stop at any time and go on later in the same browser.");
  };
  choice.addEventListener("change", () => { if (choice.value) { sheet = Number(choice.value); fill(); } });
  if (!open) fill();
  const begin = (event) => {
    event.preventDefault();
    const annotator = name.value.trim();
    if (!annotator) { name.value = ""; name.reportValidity(); return; }
    state = stateOf(annotator);
    save();
    const first = unfinished();
    if (first < 0) finish(); else turn(first);
  };
  const form = element("form", { onsubmit: begin },
    element("div", { class: "field" }, element("label", { for: "name" }, "Your name or code"), name),
    open ? element("div", { class: "field" },
      element("label", { for: "sheet" }, "Sheet (the number you were given)"), choice) : "",
    element("div", { class: "buttons" }, element("button", { class: "main" }, "Begin")));
  show(study.title, false, ...study.instructions.map((text) => element("p", {}, text)), about,
    element("p", { class: "soft" }, "Nothing is sent anywhere. Your answers stay in this browser; at the end you download them as a file."), form);
};

const passage = ([label, text, marked]) => {
  const line = element("p");
  if (marked) line.append(text.slice(0, marked[0]), element("mark", {}, text.slice(...marked)), text.slice(marked[1]));
  else line.append(text);
  return element("div", { class: "passage" }, label ? element("span", {}, label) : "", line);
};
const ask = (slot, number, question, changed) => {
  const name = `${slot.id}:${question.name}`;
  const choices = question.required ? question.choices : [["", "None"], ...question.choices];
  const given = state.answers[slot.id]?.[question.name]?.[0] ?? (question.required ? null : "");
  const scale = choices.length > 3 && choices.every(([value]) => value.length < 3)
    && choices.slice(1, -1).every(([value, label]) => value === label);
  const options = choices.map(([value, label]) => element("label", {},
    element("input", {
      type: "radio", name, value, checked: value === given, onchange: () => changed(value),
      "aria-label": scale && label !== value ? `${value}, ${label}` : null,
    }), scale ? value : label));
  const short = choices.every(([, label]) => label.length < 16);
  const ends = scale ? [element("div", { class: "ends", "aria-hidden": "true" },
    element("span", {}, choices[0][1]), element("span", {}, choices.at(-1)[1]))] : [];
  const group = element("fieldset", { id: name, role: "radiogroup", "aria-required": String(question.required) },
    element("legend", { class: question.required ? null : "hidden" },
      element("span", { class: "hidden" }, `Item ${number}: `), question.text),
    element("div", { class: `choices${scale ? " scale" : short ? " row" : ""}` }, ...options), ...ends);
  return question.required ? group
    : element("details", { open: given !== "" }, element("summary", {}, question.text), group);
};
const turn = (where) => {
  const slots = slotsOf(pages()[where]);
  const cards = slots.map((slot, i) => element("section", { class: "item", "aria-labelledby": `h${slot.id}` },
    element("h2", { id: `h${slot.id}` }, `Item ${i + 1} of ${slots.length}`),
    ...slot.passages.map(passage),
    ...study.questions.map((question) => ask(slot, i + 1, question, (value) => {
      const answers = (state.answers[slot.id] ??= {});
      if (value === "") delete answers[question.name]; else answers[question.name] = [value, now()];
      clear(`${slot.id}:${question.name}`);
      alert.replaceChildren();
      save();
      bar(where);
    }))));
  const alert = element("div", { role: "alert" });
  const next = (event) => {
    event.preventDefault();
    const missing = slots.flatMap((slot, i) => missingIn(slot).map((question) => [i + 1, `${slot.id}:${question.name}`]));
    if (!missing.length) { if (where + 1 < pages().length) turn(where + 1); else finish(); return; }
    missing.forEach(([, id]) => complain(id));
    const items = [...new Set(missing.map(([number]) => number))];
    alert.replaceChildren(element("p", { class: "alert" },
      `Please answer every question. Still open: item${items.length > 1 ? "s" : ""} ${items.join(", ")}.`));
    document.getElementById(missing[0][1]).querySelector("input").focus();
    document.getElementById(missing[0][1]).closest(".item").scrollIntoView({ block: "start" });
  };
  const last = where + 1 === pages().length;
  show(`Page ${where + 1} of ${pages().length}`, true, element("form", { novalidate: true, onsubmit: next }, ...cards, alert,
    element("div", { class: "buttons" },
      element("button", { class: "main" }, last ? "Finish" : "Next page"),
      button("Back", "", () => (where ? turn(where - 1) : start())),
      button("Download answers so far", "quiet", download))));
  bar(where);
};
const complain = (id) => {
  const group = document.getElementById(id);
  if (group.getAttribute("aria-invalid")) return;
  group.setAttribute("aria-invalid", "true");
  group.setAttribute("aria-describedby", `${id}:missing`);
  group.querySelector("legend").after(element("p", { class: "missing", id: `${id}:missing` }, "Please choose an answer."));
};
const clear = (id) => {
  const group = document.getElementById(id);
  group.removeAttribute("aria-invalid");
  group.removeAttribute("aria-describedby");
  group.querySelector(".missing")?.remove();
};

const download = () => {
  const answers = Object.entries(state.answers).flatMap(([slot, given]) =>
    Object.entries(given).map(([question, [answer, time]]) => ({ slot, question, answer, time })));
  const file = {
    format: "treewright answers", version: 1, study: study.id, sheet: sheet + 1, annotator: state.annotator,
    session: state.session, started: state.started, saved: now(), complete: unfinished() < 0, answers,
  };
  const link = element("a", {
    href: URL.createObjectURL(new Blob([JSON.stringify(file, null, 1) + "\n"], { type: "application/json" })),
    download: `answers-${study.id}-${sheet + 1}-${state.annotator.replace(/[^\p{L}\p{N}]+/gu, "_")}.json`,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
};
const finish = () => {
  bar(null);
  const said = element("p", { role: "status" });
  show("Thank you", false,
    element("p", {}, "Every page is answered. Download your answers and send the file to whoever gave you this page."),
    said,
    element("div", { class: "buttons" },
      button("Download answers", "main", () => { download(); said.textContent = "The file is in your downloads."; }),
      button("Back to the last page", "", () => turn(pages().length - 1)),
      button("Delete my answers from this browser", "quiet", () => {
        if (confirm("Delete all answers of this sheet from this browser? The downloaded file is not touched.")) { forget(); state = null; start(); }
      })));
};
start();
