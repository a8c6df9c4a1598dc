import { compareCodeUnits } from "@levelset/core/internal";
import type { ObjectKey } from "@levelset/core";
import { createHash } from "node:crypto";

/** Reference to one object of a set, independent of the API version. */
export interface LiveRef {
  readonly group: string;
  readonly kind: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
}

/** Returns a reference as a map key: equal references have equal keys. */
export function liveRefId(ref: LiveRef): string {
  return `${ref.group}\0${ref.kind}\0${ref.namespace ?? ""}\0${ref.name}`; // names never contain NUL
}

/** Formats a reference for messages: `deployment.apps/web in shop`. */
export function describeLiveRef({ group, kind, namespace, name }: LiveRef): string {
  const type = group === "" ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
  return namespace === undefined ? `${type}/${name}` : `${type}/${name} in ${namespace}`;
}

/** Sorts references for storage and hashing: by UTF-8 bytes, which for these names equals the order of code units. */
export function sortRefs(refs: readonly LiveRef[]): readonly LiveRef[] {
  return refs.toSorted(
    (a, b) =>
      compareCodeUnits(a.group, b.group) ||
      compareCodeUnits(a.kind, b.kind) ||
      compareCodeUnits(a.namespace ?? "", b.namespace ?? "") ||
      compareCodeUnits(a.name, b.name),
  );
}

/** Number of hexadecimal digits in the name of an inventory. */
const DIGITS = 10;

/**
 * Returns the name of the inventory of these references, independent of their order. `salt` yields another name after a
 * collision.
 */
export function activeOperandName(refs: readonly LiveRef[], salt = ""): string {
  // Version and resource are part of the hashed form and always empty.
  const form = sortRefs(refs).map(({ group, kind, namespace = "", name }) => ({
    group,
    version: "",
    resource: "",
    kind,
    namespace,
    name,
  }));
  const digest = createHash("sha256").update(escaped(JSON.stringify(form)) + salt);
  return `sha256-${digest.digest("hex").slice(0, DIGITS)}`;
}

/** Encodes JSON as Go's encoding/json does, which escapes these characters for HTML. */
function escaped(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Returns the key of an object of a set. */
export function keyOfRef({ namespace, name }: Pick<LiveRef, "namespace" | "name">): ObjectKey {
  return namespace === undefined ? { name } : { namespace, name };
}
