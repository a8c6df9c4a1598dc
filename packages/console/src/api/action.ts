import type { ObjectRef } from "@levelset/operator";

/** An action requested by a page. */
export type Action =
  /** Replaces an object by this YAML if it still equals `base`. */
  | { readonly kind: "edit"; readonly object: ObjectRef; readonly base: string; readonly yaml: string }
  /** Deletes the object with this UID. */
  | { readonly kind: "delete"; readonly object: ObjectRef; readonly uid: string }
  /** Suspends or resumes an Operand. */
  | { readonly kind: "suspend" | "resume"; readonly set: string }
  /** Rolls an Operand back to an earlier generation. */
  | { readonly kind: "rollback"; readonly set: string; readonly generation: number }
  /** Replaces labels and spec of a fleet resource if they still equal `base`. */
  | { readonly kind: "edit-resource"; readonly resource: ResourceRef; readonly base: string; readonly yaml: string }
  /** Requests the deletion of a fleet resource and its children. */
  | { readonly kind: "delete-resource"; readonly resource: ResourceRef };

/** Reference to a fleet resource. */
export interface ResourceRef {
  readonly plural: string;
  readonly id: string;
}

/** Parses an untrusted action; returns a message if it is invalid. */
export function parseAction(value: unknown): Action | string {
  if (!isRecord(value)) return "an action must be an object";
  const { kind } = value;
  switch (kind) {
    case "edit":
    case "delete": {
      const object = parseObject(value["object"]);
      if (typeof object === "string") return object;
      if (kind === "edit") return parseEdit(value, { kind, object });
      return isText(value["uid"]) ? { kind, object, uid: value["uid"] } : "uid must be a non-empty string";
    }
    case "suspend":
    case "resume":
      return isText(value["set"]) ? { kind, set: value["set"] } : "set must be a non-empty string";
    case "rollback": {
      const { set, generation } = value;
      if (!isText(set)) return "set must be a non-empty string";
      return Number.isSafeInteger(generation)
        ? { kind, set, generation: Number(generation) }
        : "generation must be an integer";
    }
    case "edit-resource":
    case "delete-resource": {
      const resource = parseResource(value["resource"]);
      if (typeof resource === "string") return resource;
      return kind === "delete-resource" ? { kind, resource } : parseEdit(value, { kind, resource });
    }
    default:
      return "kind must be edit, delete, suspend, resume, rollback, edit-resource or delete-resource";
  }
}

function parseEdit<Head extends object>(
  { base, yaml }: Readonly<Record<string, unknown>>,
  head: Head,
): (Head & { readonly base: string; readonly yaml: string }) | string {
  if (typeof base !== "string") return "base must be a string";
  return typeof yaml === "string" ? { ...head, base, yaml } : "yaml must be a string";
}

function parseResource(value: unknown): ResourceRef | string {
  if (!isRecord(value)) return "resource must be an object";
  const { plural, id } = value;
  if (!isText(plural)) return "resource.plural must be a non-empty string";
  return isText(id) ? { plural, id } : "resource.id must be a non-empty string";
}

function parseObject(value: unknown): ObjectRef | string {
  if (!isRecord(value)) return "object must be an object";
  const { apiVersion, kind, namespace, name } = value;
  if (!isText(apiVersion)) return "object.apiVersion must be a non-empty string";
  if (!isText(kind)) return "object.kind must be a non-empty string";
  if (!isText(name)) return "object.name must be a non-empty string";
  if (namespace !== undefined && !isText(namespace)) return "object.namespace must be a non-empty string";
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
