import type { ObjectRef } from "@levelset/operator";

/** Something that somebody asks to be done. */
export type Action =
  /** Replaces what an object declares by this YAML, if that is still what `base` says. */
  | { readonly kind: "edit"; readonly object: ObjectRef; readonly base: string; readonly yaml: string }
  /** Deletes this very object, and not one that has its name by now. */
  | { readonly kind: "delete"; readonly object: ObjectRef; readonly uid: string }
  /** Stops an Operand from writing anything, and lets it go on. */
  | { readonly kind: "suspend" | "resume"; readonly set: string }
  /** Asks again for what an Operand asked for in an earlier generation. */
  | { readonly kind: "rollback"; readonly set: string; readonly generation: number }
  /** Replaces labels and spec of a fleet's resource, if these are still what `base` says. */
  | { readonly kind: "declare"; readonly resource: ResourceRef; readonly base: string; readonly yaml: string }
  /** Asks for the deletion of a fleet's resource, and so of all below it. */
  | { readonly kind: "retire"; readonly resource: ResourceRef };

/** What names a resource of a fleet. */
export interface ResourceRef {
  readonly plural: string;
  readonly id: string;
}

/** Reads an action that came from outside; a text says what is wrong with it. */
export function parseAction(value: unknown): Action | string {
  if (!isRecord(value)) return "an action is an object";
  const { kind } = value;
  switch (kind) {
    case "edit":
    case "delete": {
      const object = parseObject(value["object"]);
      if (typeof object === "string") return object;
      if (kind === "edit") return parseEdit(value, { kind, object });
      return isText(value["uid"]) ? { kind, object, uid: value["uid"] } : "uid must be a text";
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
    case "declare":
    case "retire": {
      const resource = parseResource(value["resource"]);
      if (typeof resource === "string") return resource;
      return kind === "retire" ? { kind, resource } : parseEdit(value, { kind, resource });
    }
    default:
      return "kind must be edit, delete, suspend, resume, rollback, declare or retire";
  }
}

function parseEdit<Head extends object>(
  { base, yaml }: Readonly<Record<string, unknown>>,
  head: Head,
): (Head & { readonly base: string; readonly yaml: string }) | string {
  if (typeof base !== "string") return "base must be a text";
  return typeof yaml === "string" ? { ...head, base, yaml } : "yaml must be a text";
}

function parseResource(value: unknown): ResourceRef | string {
  if (!isRecord(value)) return "resource must name a resource";
  const { plural, id } = value;
  if (!isText(plural)) return "resource.plural must be a text";
  return isText(id) ? { plural, id } : "resource.id must be a text";
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
