import { isJsonObject } from "@levelset/core";
import { stringifyJson } from "@levelset/core/internal";
import type { JsonObject, JsonValue } from "@levelset/core";
import { SCHEMA_REF_PREFIX } from "./json-schema.ts";

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1c2430; background: #fff; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { background: #f3f5f8; border-radius: 6px; padding: .75rem; overflow-x: auto; }
details { border: 1px solid #d6dce5; border-radius: 6px; margin: .4rem 0; padding: .35rem .75rem; }
summary { cursor: pointer; } summary span { color: #5a6675; }
b.verb { display: inline-block; min-width: 4.5rem; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: .2rem .6rem .2rem 0; }
@media (prefers-color-scheme: dark) {
  body { color: #dfe6ee; background: #14181f; } pre { background: #1e242d; } details { border-color: #343d4a; } summary span { color: #94a1b2; } a { color: #7db4ff; }
}`;

/** Renders an OpenAPI document as HTML without scripts or external resources. */
export function openApiPage(document: JsonObject): string {
  const info = objectAt(document, "info");
  const operations = operationsOf(document);
  const tags = [...Map.groupBy(operations, ({ tag }) => tag)];
  const schemas = objectAt(objectAt(document, "components"), "schemas");
  const title = html(textAt(info, "title"));
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>
<body>
<h1>${title} <small>${html(textAt(info, "version"))}</small></h1>
<p>${html(textAt(info, "description"))} Also available as an <a href="openapi">OpenAPI 3.1 document</a>.</p>
<p>${tags.map(([tag]) => `<a href="#tag-${html(tag)}">${html(tag)}</a>`).join(" · ")} · <a href="#schemas">Schemas</a></p>
${tags.map(([tag, all]) => `<h2 id="tag-${html(tag)}">${html(tag)}</h2>\n${all.map(operationHtml).join("\n")}`).join("\n")}
<h2 id="schemas">Schemas</h2>
${Object.entries(schemas)
  .map(
    ([name, schema]) =>
      `<details id="schema-${html(name)}"><summary>${html(name)}</summary>${schemaHtml(schema)}</details>`,
  )
  .join("\n")}
</body>
</html>
`;
}

interface ShownOperation {
  readonly path: string;
  readonly method: string;
  readonly tag: string;
  readonly operation: JsonObject;
}

function operationsOf(document: JsonObject): readonly ShownOperation[] {
  return Object.entries(objectAt(document, "paths")).flatMap(([path, item]) => {
    return Object.entries(isJsonObject(item) ? item : {}).flatMap(([method, operation]) => {
      if (!isJsonObject(operation)) return [];
      const [tag] = listAt(operation, "tags");
      return [{ path, method: method.toUpperCase(), tag: typeof tag === "string" ? tag : "", operation }];
    });
  });
}

function operationHtml({ path, method, operation }: ShownOperation): string {
  const id = html(textAt(operation, "operationId"));
  const body = contentHtml(objectAt(operation, "requestBody"));
  const head = `<b class="verb">${method}</b> <code>${html(path)}</code> <span>${html(textAt(operation, "summary"))}</span>`;
  return `<details id="${id}"><summary>${head}</summary>
${parametersHtml(listAt(operation, "parameters"))}
${body === "" ? "" : `<p>Body: ${body}</p>`}
<table>${Object.entries(objectAt(operation, "responses")).map(responseHtml).join("")}</table>
</details>`;
}

function parametersHtml(parameters: readonly JsonValue[]): string {
  const rows = parameters.flatMap((parameter) => {
    if (!isJsonObject(parameter)) return [];
    const location = parameter["required"] === true ? `${textAt(parameter, "in")}, required` : textAt(parameter, "in");
    return `<tr><td><code>${html(textAt(parameter, "name"))}</code></td><td>${html(location)}</td><td>${html(textAt(parameter, "description"))}</td></tr>`;
  });
  return rows.length === 0 ? "" : `<table>${rows.join("")}</table>`;
}

function responseHtml([status, response]: readonly [string, JsonValue]): string {
  if (!isJsonObject(response)) return "";
  const isProblem = typeof response["$ref"] === "string";
  const content = isProblem ? linkTo("Problem") : `${html(textAt(response, "description"))} ${contentHtml(response)}`;
  return `<tr><td><code>${html(status)}</code></td><td>${content}</td></tr>`;
}

function contentHtml(holder: JsonObject): string {
  return Object.entries(objectAt(holder, "content"))
    .map(([type, media]) => {
      const reference = isJsonObject(media) ? textAt(objectAt(media, "schema"), "$ref") : "";
      return reference === "" ? `<code>${html(type)}</code>` : linkTo(reference.slice(SCHEMA_REF_PREFIX.length));
    })
    .join(", ");
}

/** Renders a schema as JSON with links to referenced schemas. */
function schemaHtml(schema: JsonValue): string {
  const text = html(stringifyJson(schema, 2));
  return `<pre>${text.replaceAll(/#\/components\/schemas\/([A-Za-z0-9._-]+)/g, (_, name: string) => linkTo(name))}</pre>`;
}

function linkTo(name: string): string {
  return `<a href="#schema-${html(name)}">${html(name)}</a>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function html(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}

function textAt(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

function listAt(object: JsonObject, name: string): readonly JsonValue[] {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}
