import { isJsonObject } from "@levelset/core";
import { structuralFromJsonSchema } from "@levelset/core/schema";
import type { StructuralSchema } from "@levelset/core/schema";
import type { FleetResponse } from "../../../support/fleet/http.ts";
import { SchemaChecker } from "./json-schema.ts";

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly schema: StructuralSchema;
}

/** An operation of the document. */
export interface Operation {
  readonly method: string;
  /** Path with parameter names in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Schema of the body; undefined if there is none. */
  readonly body: StructuralSchema | undefined;
  /** Response schemas by status and content type; `undefined` for a response without a body. */
  readonly responses: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
}

const METHODS = ["get", "post", "patch", "put", "delete"];

/** The OpenAPI document of an API, as far as a client needs it. */
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

  /** Returns how a response violates the document; empty if it conforms. */
  problems(operation: Operation, response: FleetResponse): readonly string[] {
    const types = operation.responses.get(String(response.status)) ?? operation.responses.get("default");
    if (types === undefined) return [`${response.status} is not in the document: ${response.text.slice(0, 200)}`];
    if (response.text === "") return types.size === 0 ? [] : [`${response.status} has no body`];
    const type = (response.headers["content-type"] ?? "").split(";")[0] ?? "";
    if (!types.has(type)) return [`${response.status} has the type ${type}, not ${[...types.keys()].join(" or ")}`];
    if (!type.endsWith("json")) return [];
    return this.#checker.problems(types.get(type), response.json);
  }

  #operation(method: string, path: string, item: Readonly<Record<string, unknown>>): Operation {
    const operation = object(item[method]);
    const parameters = [...list(item["parameters"]), ...list(operation["parameters"])].map((each): Parameter => {
      const { name, in: location, schema } = object(this.#resolved(each));
      if (location !== "path" && location !== "query" && location !== "header")
        throw new Error(`${path}: ${String(location)}`);
      return { name: String(name), in: location, schema: this.#structural(schema) };
    });
    const body = member(this.#resolved(operation["requestBody"]), "content");
    return {
      method: method.toUpperCase(),
      path,
      parameters,
      body: body === undefined ? undefined : this.#structural(member(member(body, "application/json"), "schema")),
      responses: new Map(
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
  if (!isJsonObject(node)) throw new TypeError(`not an object: ${JSON.stringify(node)}`);
  return node;
}

function list(node: unknown): readonly unknown[] {
  return Array.isArray(node) ? node : [];
}
