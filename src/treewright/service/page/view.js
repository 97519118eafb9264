// The marked text: words and deletions that can be hovered, clicked and walked over by keyboard.

import {leaves, readTree} from "/page/tree.js";

// Finds every token in the source; tokens are stretches of it, in order.
export function placeTokens(source, tokens) {
  let from = 0;
  return tokens.map((token) => {
    const start = source.indexOf(token, from);
    from = start + token.length;
    return [start, from];
  });
}

// What the answer says of each token: kept or in which deletion, and in which sentence.
export function readAnswer(source, answer) {
  const places = placeTokens(source, answer.tokens);
  const kept = new Set(answer.kept);
  const deletionOf = new Array(places.length).fill(null);
  const nodeOf = new Array(places.length).fill(null);
  const sentences = [];
  let first = 0;
  for (const part of answer.sentences || []) {
    const tree = part.source_tree ? readTree(part.source_tree) : null;
    const number = sentences.length;
    sentences.push({...part, first, number, tree});
    if (tree) leaves(tree).forEach((leaf, place) => { nodeOf[first + place] = leaf; });
    for (const deletion of part.deletions) {
      deletion.first = first;
      for (const place of deletion.tokens) deletionOf[first + place] = deletion;
    }
    first += part.tokens.length;
  }
  const sentenceOf = new Array(places.length).fill(-1);
  sentences.forEach((each) => each.tokens.forEach((_, place) => { sentenceOf[each.first + place] = each.number; }));
  return {source, answer, places, kept, deletionOf, nodeOf, sentences, sentenceOf};
}

const ALONE = /^(JJ|RB|CD|DT|PDT|PRP\$|UH|NNP?S?$)/;

// The phrases around a token, from the smallest: what a click drops, and what up and down choose.
export function phrases(read, place) {
  const leaf = read.nodeOf[place];
  if (!leaf) return [[place, place + 1]];
  const first = read.sentences[read.sentenceOf[place]].first;
  const found = [];
  for (let node = leaf; node && node.up; node = node.up) {
    const range = [first + node.first, first + node.last];
    const last = found[found.length - 1];
    if (!last || last[0] !== range[0] || last[1] !== range[1]) found.push(range);
  }
  const ends = leaf.up && leaf.up.last === leaf.last && leaf.up.children.length > 1;
  let at = ALONE.test(leaf.label) && !ends ? 0 : 1;
  const up = leaf.up;
  if (at === 1 && up && up.up && up.up.label === "PP" && up.label === "NP") at = 2;
  found.start = Math.min(at, found.length - 1);
  return found;
}

export function drawMarked(box, read, demands) {
  const {source, places, kept, deletionOf} = read;
  const page = document.createDocumentFragment();
  const inside = (list, place) => list.some(([start, end]) => places[place][0] < end && start < places[place][1]);
  let group = null;
  let at = 0;
  places.forEach(([start, end], place) => {
    const gone = !kept.has(place);
    const same = group && gone && place && !kept.has(place - 1) && group.deletion === deletionOf[place];
    if (!same) group = null;
    (same ? group.node : page).append(source.slice(at, start));
    if (gone && !group) {
      group = {node: document.createElement("del"), deletion: deletionOf[place]};
      group.node.dataset.first = place;
      page.append(group.node);
    }
    const word = document.createElement("span");
    word.className = "w";
    word.dataset.place = place;
    word.textContent = source.slice(start, end);
    if (inside(demands.keep, place)) word.classList.add("held");
    if (inside(demands.drop, place)) word.classList.add("barred");
    if (gone) group.node.dataset.last = place;
    (gone ? group.node : page).append(word);
    at = end;
  });
  page.append(source.slice(at));
  // Where deletions are hidden, the text is the answer itself, with its capital and full stop.
  box.replaceChildren(...(box.classList.contains("plain") ? [read.answer.text] : [page]));
}

const percent = (share) => (share === null || share === undefined ? "" : `${Math.round(100 * share)} %`);

export function describeDeletion(deletion) {
  const chance = deletion.probability === null ? "" : `deleted in ${percent(deletion.probability)} of all versions`;
  return {chance, price: `price ${deletion.score.toFixed(2)}`, rule: deletion.rule || "", label: deletion.label};
}

export function fillTip(tip, title, lines, tag, rule) {
  const name = document.createElement("b");
  name.textContent = title;
  const parts = [name];
  if (tag) parts.push(Object.assign(document.createElement("span"), {className: "tag", textContent: tag}), " ");
  parts.push(lines.filter(Boolean).join(" · "));
  if (rule) parts.push(Object.assign(document.createElement("code"), {textContent: rule}));
  tip.replaceChildren(...parts);
}
