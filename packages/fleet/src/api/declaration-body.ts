import { isJsonObject, validate } from "@levelset/core";
import type { FieldError, JsonObject, JsonValue } from "@levelset/core";
import type { FieldProblem } from "../resource/index.ts";
import { FleetError, invalid } from "../service/index.ts";
import type { WantedPatch, WantedReferences } from "../service/index.ts";
import type { Shape } from "./route.ts";
import { CREATE, PATCH } from "./shapes.ts";

/** What a body that creates a resource says, before anybody looks at the rules of its kind. */
export interface CreateBody {
  readonly kind: string;
  readonly name: string;
  readonly members: Required<WantedPatch>;
}

/** Reads a body that creates a resource. Members that nobody knows are ignored; what is null counts as left out. */
export function readCreate(json: JsonValue): CreateBody {
  const body = objectOf(json);
  if ((body["kind"] ?? "") === "") throw invalid([problemAt("kind", "kind is required", "required")]);
  check(CREATE, body);
  return {
    kind: textOf(body["kind"]),
    name: textOf(body["name"]),
    members: { spec: {}, labels: {}, references: {}, ...membersOf(body) },
  };
}

/** Reads a body that changes a resource. Members that nobody knows are refused. */
export function readPatch(json: JsonValue): WantedPatch {
  const body = objectOf(json);
  const known = Object.keys(PATCH.schema.structural.properties ?? {});
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw invalid(unknown.map((name) => problemAt(name, `unknown field '${name}'`)));
  check(PATCH, body);
  const members = membersOf(body);
  if (Object.keys(members).length === 0) {
    throw new FleetError("unusable", "at least one field must be provided for update");
  }
  return members;
}

/** The reason in a body that deletes by force; whether it is one is for the decision to say. */
export function readReason(json: JsonValue): JsonValue | undefined {
  return objectOf(json)["reason"];
}

/** The members of a body, without those that are null. */
function objectOf(json: JsonValue): JsonObject {
  if (!isJsonObject(json)) throw invalid([problemAt("", "the body must be an object")]);
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
}

function check({ schema }: Shape, body: JsonObject): void {
  const errors = validate(schema.structural, body);
  if (errors.length > 0) throw invalid(errors.map(problemOf));
}

function problemOf({ reason, field, message }: FieldError): FieldProblem {
  if (reason === "FieldValueRequired") return problemAt(field, `${field} is required`, "required");
  const type = /must be of type (\w+)/.exec(message)?.[1];
  if (type === undefined) return problemAt(field, message);
  return problemAt(field, `field '${field}' must be ${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`, "format");
}

function problemAt(field: string, message: string, constraint?: FieldProblem["constraint"]): FieldProblem {
  return { field, message, ...(constraint === undefined ? {} : { constraint }) };
}

/** What is declared. The body has the shape, so that each member is what its type says. */
function membersOf(body: JsonObject): WantedPatch {
  const { spec, labels, references } = body;
  return {
    ...(spec === undefined ? {} : { spec: spec as JsonObject }),
    ...(labels === undefined ? {} : { labels: labels as Readonly<Record<string, string>> }),
    ...(references === undefined ? {} : { references: references as WantedReferences }),
  };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
