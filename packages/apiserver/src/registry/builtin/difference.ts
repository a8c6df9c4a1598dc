import { deepEqual } from "@levelset/core";

/** The names of the fields in which two specs differ, one to a line, for errors about a change that is not allowed. */
export function changedFields(old: object, next: object): string {
  const before = new Map(Object.entries(old));
  const after = new Map(Object.entries(next));
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const changed = names.filter((name) => !deepEqual(before.get(name), after.get(name)));
  return changed.map((name) => `  spec.${name}`).join("\n");
}
