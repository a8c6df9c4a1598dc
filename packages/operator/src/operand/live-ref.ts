import { compareTexts } from "@levelset/core";
import type { ObjectKey } from "@levelset/core";
import { createHash } from "node:crypto";

/** Names one object of a set, whatever version of its kind it is written in. */
export interface LiveRef {
  readonly group: string;
  readonly kind: string;
  /** Absent for what lives in no namespace. */
  readonly namespace?: string;
  readonly name: string;
}

/** A reference as a map key: equal references have equal texts. */
export function refId(ref: LiveRef): string {
  return `${ref.group}\0${ref.kind}\0${ref.namespace ?? ""}\0${ref.name}`; // no server takes a name with a NUL
}

/** A reference for people: `deployment.apps/web in shop`. */
export function describeLiveRef({ group, kind, namespace, name }: LiveRef): string {
  const type = group === "" ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
  return namespace === undefined ? `${type}/${name}` : `${type}/${name} in ${namespace}`;
}

/** References in the one order in which they are stored and hashed: by bytes of UTF-8, which for these names is that of code units. */
export function sortRefs(refs: readonly LiveRef[]): readonly LiveRef[] {
  return refs.toSorted(
    (a, b) =>
      compareTexts(a.group, b.group) ||
      compareTexts(a.kind, b.kind) ||
      compareTexts(a.namespace ?? "", b.namespace ?? "") ||
      compareTexts(a.name, b.name),
  );
}

/** How many hexadecimal digits of the digest name an inventory. */
const DIGITS = 10;

/**
 * The name of the inventory of these references: the same for the same set in any order. `salt` gives another one, for when
 * somebody else has that name.
 */
export function activeOperandName(refs: readonly LiveRef[], salt = ""): string {
  // Version and resource are part of the form that is hashed, and always empty.
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

/** JSON as Go writes it: these characters are escaped, so that it can stand inside of HTML. */
function escaped(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The key of an object of a set. */
export function keyOfRef({ namespace, name }: Pick<LiveRef, "namespace" | "name">): ObjectKey {
  return namespace === undefined ? { name } : { namespace, name };
}
