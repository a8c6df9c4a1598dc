import type { ObjectRef } from "@levelset/operator";

/** Something that somebody asks to be done. */
export type Action =
  /** Replaces an object by this YAML, unless it has changed since it was read. */
  | { readonly kind: "edit"; readonly object: ObjectRef; readonly yaml: string }
  | { readonly kind: "delete"; readonly object: ObjectRef }
  /** Stops an Operand from writing anything, and lets it go on. */
  | { readonly kind: "suspend" | "resume"; readonly set: string }
  /** Asks again for what an Operand asked for in an earlier generation. */
  | { readonly kind: "rollback"; readonly set: string; readonly generation: number };

/** Reads an action that came from outside; a text says what is wrong with it. */
export function parseAction(value: unknown): Action | string {
  if (!isRecord(value)) return "an action is an object";
  const { kind } = value;
  switch (kind) {
    case "edit":
    case "delete": {
      const object = parseObject(value["object"]);
      if (typeof object === "string") return object;
      if (kind === "delete") return { kind, object };
      return typeof value["yaml"] === "string" ? { kind, object, yaml: value["yaml"] } : "yaml must be a text";
    }
    case "suspend":
    case "resume":
      return isText(value["set"]) ? { kind, set: value["set"] } : "set must be a name";
    case "rollback": {
      const { set, generation } = value;
      if (!isText(set)) return "set must be a name";
      return Number.isSafeInteger(generation)
        ? { kind, set, generation: Number(generation) }
        : "generation must be a whole number";
    }
    default:
      return "kind must be edit, delete, suspend, resume or rollback";
  }
}

function parseObject(value: unknown): ObjectRef | string {
  if (!isRecord(value)) return "object must name an object";
  const { apiVersion, kind, namespace, name } = value;
  if (!isText(apiVersion)) return "object.apiVersion must be a text";
  if (!isText(kind)) return "object.kind must be a text";
  if (!isText(name)) return "object.name must be a text";
  if (namespace !== undefined && !isText(namespace)) return "object.namespace must be a text";
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
