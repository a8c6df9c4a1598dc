import { deepEqual } from "@levelset/core/internal";

/** Returns the names of the fields that differ between two specs, one per line, for errors about forbidden changes. */
export function changedFields(old: object, next: object): string {
  const before = new Map(Object.entries(old));
  const after = new Map(Object.entries(next));
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const changed = names.filter((name) => !deepEqual(before.get(name), after.get(name)));
  return changed.map((name) => `  spec.${name}`).join("\n");
}
