// The API, as its OpenAPI document describes it.

const box = document.getElementById("doc");
const made = (name, content, kind = "") => Object.assign(document.createElement(name), {textContent: content, className: kind});

function typeOf(schema) {
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" | ");
  if (schema.type === "array") return `list of ${typeOf(schema.items || {})}`;
  return schema.$ref ? schema.$ref.split("/").pop() : schema.type || "any";
}

function table(fields) {
  const rows = fields.map(([name, schema, about]) => {
    const row = document.createElement("tr");
    const cell = document.createElement("td");
    cell.append(made("code", name));
    const fallback = schema.default === undefined || schema.default === null ? "" : `Default: ${JSON.stringify(schema.default)}.`;
    row.append(cell, made("td", typeOf(schema)), made("td", [about || schema.description || "", fallback].join(" ")));
    return row;
  });
  const whole = document.createElement("table");
  whole.append(...rows);
  return whole;
}

function example(path, verb, body) {
  const asked = body?.examples?.[0];
  const more = verb === "post" ? ` -H 'Content-Type: application/json' -d '${JSON.stringify(asked || {}).replaceAll("'", "’")}'` : "";
  return verb === "post" && !asked ? null : made("pre", `curl ${location.origin}${path}${more}`);
}

const response = await fetch("/v1/openapi.json", {headers: sessionStorage.getItem("token") ? {Authorization: `Bearer ${sessionStorage.getItem("token")}`} : {}});
if (!response.ok) box.append(made("p", "The service asks for a token: give it on the page first."));
else {
  const {paths, components, info} = await response.json();
  box.append(made("p", `${info.description} Version ${info.version}. Errors are problem documents (RFC 9457).`));
  for (const [path, verbs] of Object.entries(paths)) {
    for (const [verb, about] of Object.entries(verbs)) {
      const title = document.createElement("h2");
      title.append(made("span", verb.toUpperCase(), "verb"), made("code", path));
      box.append(title, made("p", about.summary || ""));
      const reference = about.requestBody?.content?.["application/json"]?.schema?.$ref;
      const schema = reference && components.schemas[reference.split("/").pop()];
      const shown = example(path, verb, schema);
      if (shown) box.append(shown);
      const parameters = (about.parameters || []).map((each) => [each.name, each.schema, each.description]);
      const fields = schema ? Object.entries(schema.properties).map(([name, each]) => [name, each]) : [];
      if (parameters.length || fields.length) box.append(table([...fields, ...parameters]));
    }
  }
}
