// Files are read here, in the browser: the service takes text alone.

const MOST = 8 << 20;

export async function readFile(file) {
  if (file.size > MOST) throw new Error(`${file.name} is larger than ${MOST >> 20} MB`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = /\.docx$/i.test(file.name) ? await readDocx(bytes) : decode(bytes, file.name);
  return text.replace(/\r\n?/g, "\n").replace(/^\ufeff/, "");
}

export function formatOf(name) {
  const ending = (name.match(/\.([a-z]+)$/i) || [])[1] || "";
  return {md: "markdown", markdown: "markdown", srt: "srt", vtt: "vtt", txt: "plain"}[ending.toLowerCase()] || "auto";
}

function decode(bytes, name) {
  try {
    return new TextDecoder("utf-8", {fatal: true}).decode(bytes);
  } catch {
    throw new Error(`${name} is not a text in UTF-8`);
  }
}

// A .docx is a zip whose word/document.xml has paragraphs (w:p) of runs of text (w:t).
async function readDocx(bytes) {
  const xml = new TextDecoder().decode(await member(bytes, "word/document.xml"));
  const page = new DOMParser().parseFromString(xml, "application/xml");
  if (page.querySelector("parsererror")) throw new Error("the document cannot be read");
  return [...page.getElementsByTagName("w:p")].map(paragraph).join("\n\n").trim();
}

function paragraph(node) {
  return [...node.getElementsByTagName("*")]
    .map((each) => ({"w:t": each.textContent, "w:tab": "\t", "w:br": "\n"})[each.tagName] || "")
    .join("");
}

async function member(bytes, wanted) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error("this is not a .docx file");
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    const method = view.getUint16(at + 10, true);
    const size = view.getUint32(at + 20, true);
    const [name, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const start = view.getUint32(at + 42, true);
    if (new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name)) === wanted) {
      const data = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
      const packed = bytes.subarray(data, data + size);
      return method === 0 ? packed : inflate(packed);
    }
    at += 46 + name + extra + comment;
  }
  throw new Error("there is no document in this .docx file");
}

async function inflate(packed) {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const {done, value} = await reader.read();
    if (done) break;
    size += value.length;
    if (size > 4 * MOST) throw new Error("the document is too large");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
