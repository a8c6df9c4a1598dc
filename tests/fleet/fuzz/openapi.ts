import { isJsonObject, structuralFromJsonSchema } from "@levelset/core";
import type { StructuralSchema } from "@levelset/core";
import type { Answer } from "../http.ts";
import { SchemaChecker } from "./json-schema.ts";

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly schema: StructuralSchema;
}

/** One operation of the document. */
export interface Operation {
  readonly method: string;
  /** With names of parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** What a body must look like; undefined if it takes none. */
  readonly body: StructuralSchema | undefined;
  /** The schemas of answers by status and content type; `undefined` for an answer without a body. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
}

const METHODS = ["get", "post", "patch", "put", "delete"];

/** The document that an API serves, as far as a caller needs it. */
export class ServedDocument {
  readonly operations: readonly Operation[];
  readonly #checker: SchemaChecker;
  readonly #components: unknown;

  constructor(document: unknown) {
    this.#checker = new SchemaChecker(document);
    this.#components = member(document, "components");
    this.operations = Object.entries(object(member(document, "paths"))).flatMap(([path, item]) =>
      METHODS.filter((method) => Object.hasOwn(object(item), method)).map((method) =>
        this.#operation(method, path, object(item)),
      ),
    );
  }

  /** What of an answer is not as the document promises; empty if all is. */
  problems(operation: Operation, answer: Answer): readonly string[] {
    const types = operation.answers.get(String(answer.status)) ?? operation.answers.get("default");
    if (types === undefined) return [`${answer.status} is not in the document: ${answer.text.slice(0, 200)}`];
    if (answer.text === "") return types.size === 0 ? [] : [`${answer.status} has no body`];
    const type = (answer.headers["content-type"] ?? "").split(";")[0] ?? "";
    if (!types.has(type)) return [`${answer.status} has the type ${type}, not ${[...types.keys()].join(" or ")}`];
    if (!type.endsWith("json")) return [];
    return this.#checker.problems(types.get(type), answer.json);
  }

  #operation(method: string, path: string, item: Readonly<Record<string, unknown>>): Operation {
    const operation = object(item[method]);
    const parameters = [...list(item["parameters"]), ...list(operation["parameters"])].map((each): Parameter => {
      const { name, in: place, schema } = object(this.#resolved(each));
      if (place !== "path" && place !== "query" && place !== "header") throw new Error(`${path}: ${String(place)}`);
      return { name: String(name), in: place, schema: this.#structural(schema) };
    });
    const body = member(this.#resolved(operation["requestBody"]), "content");
    return {
      method: method.toUpperCase(),
      path,
      parameters,
      body: body === undefined ? undefined : this.#structural(member(member(body, "application/json"), "schema")),
      answers: new Map(
        Object.entries(object(operation["responses"])).map(([status, response]) => {
          const content = object(member(this.#resolved(response), "content") ?? {});
          return [status, new Map(Object.entries(content).map(([type, each]) => [type, member(each, "schema")]))];
        }),
      ),
    };
  }

  #structural(schema: unknown): StructuralSchema {
    return structuralFromJsonSchema({ allOf: [schema ?? {}], components: this.#components });
  }

  #resolved(node: unknown): unknown {
    const reference = member(node, "$ref");
    return typeof reference === "string" ? this.#checker.resolve(reference) : node;
  }
}

function member(node: unknown, key: string): unknown {
  return isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
}

function object(node: unknown): Readonly<Record<string, unknown>> {
  if (!isJsonObject(node)) throw new TypeError(`no object: ${JSON.stringify(node)}`);
  return node;
}

function list(node: unknown): readonly unknown[] {
  return Array.isArray(node) ? node : [];
}
