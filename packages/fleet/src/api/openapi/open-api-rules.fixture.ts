import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";

/** Returns the violations of a value. */
type Rule = (value: JsonValue, at: string, document: JsonObject) => readonly string[];

const isText: Rule = (value, at) => (typeof value === "string" ? [] : [`${at}: must be a text`]);
const isFlag: Rule = (value, at) => (typeof value === "boolean" ? [] : [`${at}: must be true or false`]);
const isNumber: Rule = (value, at) => (typeof value === "number" ? [] : [`${at}: must be a number`]);
const isAny: Rule = () => [];

function listOf(rule: Rule): Rule {
  return (value, at, document) => {
    if (!Array.isArray(value)) return [`${at}: must be a list`];
    return value.flatMap((item: JsonValue, index) => rule(item, `${at}[${index}]`, document));
  };
}

function mapOf(rule: Rule, name = /./): Rule {
  return (value, at, document) => {
    if (!isJsonObject(value)) return [`${at}: must be an object`];
    return Object.entries(value).flatMap(([key, item]) => {
      return [
        ...(name.test(key) ? [] : [`${at}: ${key} is not a valid name`]),
        ...rule(item, `${at}.${key}`, document),
      ];
    });
  };
}

/** An object with these fields and extensions only. Names with a `!` are required. */
function objectOf(members: Readonly<Record<string, Rule>>): Rule {
  const known = new Map(Object.entries(members).map(([name, rule]) => [name.replace("!", ""), rule]));
  const required = Object.keys(members).flatMap((name) => (name.endsWith("!") ? [name.slice(0, -1)] : []));
  return (value, at, document) => {
    if (!isJsonObject(value)) return [`${at}: must be an object`];
    return [
      ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}: ${name} is missing`),
      ...Object.entries(value).flatMap(([name, member]) => {
        if (name.startsWith("x-")) return [];
        return known.get(name)?.(member, `${at}.${name}`, document) ?? [`${at}: ${name} is not a known field`];
      }),
    ];
  };
}

const REFERENCE = objectOf({ "$ref!": isText });

/** A reference that resolves, or the object itself. */
function orReference(rule: Rule): Rule {
  return (value, at, document) => {
    if (!isJsonObject(value) || value["$ref"] === undefined) return rule(value, at, document);
    return [...REFERENCE(value, at, document), ...leads(value["$ref"], at, document)];
  };
}

const leads: Rule = (value, at, document) => {
  if (typeof value !== "string" || !value.startsWith("#/"))
    return [`${at}: ${JSON.stringify(value)} is outside of the document`];
  const target = value
    .slice(2)
    .split("/")
    .reduce<JsonValue | undefined>((found, part) => {
      return isJsonObject(found) && Object.hasOwn(found, part) ? found[part] : undefined;
    }, document);
  return target === undefined ? [`${at}: ${value} does not resolve`] : [];
};

const TYPES = ["object", "array", "string", "integer", "number", "boolean", "null"];
const isType: Rule = (value, at) => {
  const types: readonly unknown[] = Array.isArray(value) ? value : [value];
  return types.every((type) => TYPES.some((known) => known === type)) ? [] : [`${at}: is not a type`];
};

/** JSON Schema 2020-12, as far as it is used here: `nullable` and boolean bounds are refused. */
const SCHEMA: Rule = (value, at, document) => {
  if (typeof value === "boolean") return [];
  const many = listOf(SCHEMA);
  return objectOf({
    $ref: leads,
    type: isType,
    title: isText,
    description: isText,
    format: isText,
    pattern: isText,
    default: isAny,
    examples: listOf(isAny),
    enum: listOf(isAny),
    const: isAny,
    minimum: isNumber,
    maximum: isNumber,
    exclusiveMinimum: isNumber,
    exclusiveMaximum: isNumber,
    multipleOf: isNumber,
    minLength: isNumber,
    maxLength: isNumber,
    minItems: isNumber,
    maxItems: isNumber,
    uniqueItems: isFlag,
    minProperties: isNumber,
    maxProperties: isNumber,
    properties: mapOf(SCHEMA),
    required: listOf(isText),
    additionalProperties: SCHEMA,
    items: SCHEMA,
    allOf: many,
    anyOf: many,
    oneOf: many,
    not: SCHEMA,
  })(value, at, document);
};

const CONTENT = mapOf(objectOf({ "schema!": SCHEMA }), /^[a-z]+\/[a-z+.-]+$/);
const HEADER = objectOf({ description: isText, "schema!": SCHEMA });
const RESPONSE = objectOf({ "description!": isText, content: CONTENT, headers: mapOf(HEADER) });
const isPlace: Rule = (value, at) => {
  return ["path", "query", "header"].some((location) => location === value)
    ? []
    : [`${at}: is not a parameter location`];
};
const PARAMETER = objectOf({
  "name!": isText,
  "in!": isPlace,
  required: isFlag,
  description: isText,
  "schema!": SCHEMA,
});
const OPERATION = objectOf({
  "operationId!": isText,
  summary: isText,
  tags: listOf(isText),
  parameters: listOf(PARAMETER),
  requestBody: objectOf({ required: isFlag, "content!": CONTENT }),
  "responses!": mapOf(orReference(RESPONSE), /^[1-5]\d\d$/),
  security: listOf(mapOf(listOf(isText))),
});
const PATH = objectOf({ get: OPERATION, post: OPERATION, put: OPERATION, patch: OPERATION, delete: OPERATION });
const DOCUMENT = objectOf({
  "openapi!": (value, at) => (value === "3.1.0" ? [] : [`${at}: must be 3.1.0`]),
  "info!": objectOf({
    "title!": isText,
    "version!": isText,
    description: isText,
    license: objectOf({ "name!": isText, identifier: isText }),
  }),
  servers: listOf(objectOf({ "url!": isText })),
  "paths!": mapOf(PATH, /^\//),
  components: objectOf({
    schemas: mapOf(SCHEMA, /^[A-Za-z0-9._-]+$/),
    responses: mapOf(RESPONSE, /^[A-Za-z0-9._-]+$/),
    securitySchemes: mapOf(objectOf({ "type!": isText, scheme: isText, bearerFormat: isText })),
  }),
});

/** An operation of a document. */
export interface DocumentOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: JsonObject;
}

/** Returns all operations of a document. */
export function operationsIn(document: JsonObject): readonly DocumentOperation[] {
  const { paths } = document;
  return Object.entries(isJsonObject(paths) ? paths : {}).flatMap(([path, item]) => {
    return Object.entries(isJsonObject(item) ? item : {}).flatMap(([method, operation]) => {
      return isJsonObject(operation) ? [{ path, method, operation }] : [];
    });
  });
}

/** Returns all violations of the OpenAPI 3.1 rules. */
export function openApiProblems(document: JsonObject): readonly string[] {
  const operations = operationsIn(document);
  const ids = operations.map(({ operation }) => operation["operationId"]);
  const shapes = Object.keys(isJsonObject(document["paths"]) ? document["paths"] : {}).map((path) =>
    path.replaceAll(/\{[^}]+\}/g, "{}"),
  );
  return [
    ...DOCUMENT(document, "document", document),
    ...(new Set(ids).size === ids.length ? [] : ["duplicate operationId"]),
    ...(new Set(shapes).size === shapes.length ? [] : ["two paths differ only in parameter names"]),
    ...operations.flatMap(parameterProblems),
  ];
}

function parameterProblems({ path, method, operation }: DocumentOperation): readonly string[] {
  const parameters = Array.isArray(operation["parameters"]) ? operation["parameters"] : [];
  const found = parameters.filter(isJsonObject);
  const inPath = found.filter((parameter) => parameter["in"] === "path");
  const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
  const at = `${method} ${path}`;
  const keys = found.map((parameter) => `${String(parameter["in"])} ${String(parameter["name"])}`);
  return [
    ...(new Set(keys).size === keys.length ? [] : [`${at}: duplicate parameter`]),
    ...(inPath.every((parameter) => parameter["required"] === true) ? [] : [`${at}: path parameters must be required`]),
    ...(JSON.stringify(inPath.map((parameter) => parameter["name"])) === JSON.stringify(named)
      ? []
      : [`${at}: the parameters do not match the path`]),
  ];
}
