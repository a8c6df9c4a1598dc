import { isJsonObject } from "@levelset/core";
import { validate } from "@levelset/core/schema";
import type { FieldError } from "@levelset/core/schema";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { FieldProblem } from "../resource/index.ts";
import { FleetError, invalidFields } from "../service/index.ts";
import type { RequestedPatch, RequestedReferences } from "../service/index.ts";
import type { NamedSchema } from "./route.ts";
import { CREATE_SCHEMA, PATCH_SCHEMA } from "./api-schemas.ts";

/** The content of a create request, before the rules of its kind are checked. */
export interface CreateBody {
  readonly kind: string;
  readonly name: string;
  readonly members: Required<RequestedPatch>;
}

/** Parses a create request. Unknown fields are ignored; null counts as absent. Throws an `HttpProblem`. */
export function readCreate(json: JsonValue): CreateBody {
  const body = objectOf(json);
  if ((body["kind"] ?? "") === "") throw invalidFields([problemAt("kind", "kind is required", "required")]);
  check(CREATE_SCHEMA, body);
  return {
    kind: textOf(body["kind"]),
    name: textOf(body["name"]),
    members: { spec: {}, labels: {}, references: {}, ...membersOf(body) },
  };
}

/** Parses a patch request. Throws an `HttpProblem`, also for unknown fields. */
export function readPatch(json: JsonValue): RequestedPatch {
  const body = objectOf(json);
  const known = Object.keys(PATCH_SCHEMA.schema.structural.properties ?? {});
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw invalidFields(unknown.map((name) => problemAt(name, `unknown field '${name}'`)));
  check(PATCH_SCHEMA, body);
  const members = membersOf(body);
  if (Object.keys(members).length === 0) {
    throw new FleetError("unusable", "at least one field must be provided for update");
  }
  return members;
}

/** Returns the `reason` of a forced deletion, not validated yet. */
export function readReason(json: JsonValue): JsonValue | undefined {
  return objectOf(json)["reason"];
}

/** Returns the body without null fields. */
function objectOf(json: JsonValue): JsonObject {
  if (!isJsonObject(json)) throw invalidFields([problemAt("", "the body must be an object")]);
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
}

function check({ schema }: NamedSchema, body: JsonObject): void {
  const errors = validate(schema.structural, body);
  if (errors.length > 0) throw invalidFields(errors.map(problemOf));
}

function problemOf({ reason, field, message, expected: type }: FieldError): FieldProblem {
  if (reason === "FieldValueRequired") return problemAt(field, `${field} is required`, "required");
  if (type === undefined) return problemAt(field, message);
  return problemAt(field, `field '${field}' must be ${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`, "format");
}

function problemAt(field: string, message: string, constraint?: FieldProblem["constraint"]): FieldProblem {
  return { field, message, ...(constraint === undefined ? {} : { constraint }) };
}

/** Returns the declared fields. The body has been validated against the schema, so the types are known. */
function membersOf(body: JsonObject): RequestedPatch {
  const { spec, labels, references } = body;
  return {
    ...(spec === undefined ? {} : { spec: spec as JsonObject }),
    ...(labels === undefined ? {} : { labels: labels as Readonly<Record<string, string>> }),
    ...(references === undefined ? {} : { references: references as RequestedReferences }),
  };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
