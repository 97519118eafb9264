// Trees: reading brackets, and drawing them as SVG.

const SVG = "http://www.w3.org/2000/svg";

// Reads "(S (NP (NN it)) …)"; every node has its first token and the one after its last.
export function readTree(text) {
  const parts = text.match(/\(|\)|[^\s()]+/g) || [];
  const stack = [];
  let root = null;
  let place = 0;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at];
    if (part === "(") {
      const node = {label: parts[++at], children: [], word: null, first: place, last: place, up: null};
      if (stack.length) {
        node.up = stack[stack.length - 1];
        node.up.children.push(node);
      } else root = root || node;
      stack.push(node);
    } else if (part === ")") {
      stack.pop().last = place;
    } else {
      stack[stack.length - 1].word = part;
      place++;
    }
  }
  return root;
}

export function leaves(node, found = []) {
  if (node.word !== null) found.push(node);
  node.children.forEach((child) => leaves(child, found));
  return found;
}

const ROW = 38;

// Lays a tree out with its words in one row, parents centred above; returns an <svg>.
export function drawTree(root, words, kept, title) {
  const canvas = document.createElement("canvas").getContext("2d");
  canvas.font = "14px sans-serif";
  const wide = (text) => canvas.measureText(text).width;
  let right = 0;
  const depth = (node) => {
    node.row = node.children.length ? 1 + Math.max(...node.children.map(depth)) : 0;
    return node.row;
  };
  const arrange = (node) => {
    if (node.word !== null) {
      const width = Math.max(wide(words[node.first] ?? node.word), wide(node.label)) + 14;
      node.x = right + width / 2;
      right += width;
    } else {
      node.children.forEach(arrange);
      node.x = (node.children[0].x + node.children[node.children.length - 1].x) / 2;
    }
  };
  const top = depth(root);
  arrange(root);
  const height = top * ROW + 58;
  const svg = element("svg", {width: Math.ceil(right + 16), height, viewBox: `-8 0 ${Math.ceil(right + 16)} ${height}`, role: "img"});
  svg.append(element("title", {}, title));
  const draw = (node, parent) => {
    const gone = kept !== null && !some(kept, node);
    const group = parent.parentNode !== null && gone && !parent.classList.contains("gone") ? element("g", {class: "gone"}) : parent;
    if (group !== parent) parent.append(group);
    const y = (top - node.row) * ROW + 16;
    if (node.up) {
      const above = (top - node.up.row) * ROW + 22;
      group.append(element("path", {d: `M${node.up.x} ${above}V${above + 7}H${node.x}V${y - 12}`}));
    }
    group.append(element("text", {class: node.word === null ? "c" : "t", x: node.x, y}, node.label));
    if (node.word !== null) group.append(element("text", {class: "word", x: node.x, y: y + 21}, words[node.first] ?? node.word));
    node.children.forEach((child) => draw(child, group));
  };
  const whole = element("g", {});
  svg.append(whole);
  draw(root, whole);
  return svg;
}

function some(kept, node) {
  for (let place = node.first; place < node.last; place++) if (kept.has(place)) return true;
  return false;
}

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}
