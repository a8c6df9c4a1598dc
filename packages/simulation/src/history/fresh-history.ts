import { idKey, idOf } from "./operation.ts";
import type { History, Manifest, Operation } from "./operation.ts";

/**
 * Returns the shortest history with the same end: every object that exists at the end is created once, with its last
 * content, inputs first. The same time passes, so that ages are equal. `refused` are the operations that the server
 * refused.
 */
export function freshHistory(
  { operations }: History,
  refused: Pick<ReadonlySet<number>, "has">,
  isRoot: (object: Manifest) => boolean,
): History {
  const accepted = operations.filter((_, index) => !refused.has(index));
  const last = lastContents(accepted);
  const created = new Map<string, number>();
  for (const [index, operation] of operations.entries()) {
    if (operation.do === "create" && !refused.has(index)) created.set(idKey(idOf(operation.object)), index);
  }
  const early = [...last.values()].filter((object) => !isRoot(object));
  const timeline = operations.map((operation, index): Operation => {
    const afterMs = operation.afterMs + extraMs(operation);
    if (operation.do === "create-foreign") return { ...operation, afterMs };
    if (operation.do !== "create" || refused.has(index)) return { do: "pass-time", afterMs };
    const key = idKey(idOf(operation.object));
    const object = last.get(key);
    const isKept = object !== undefined && isRoot(object) && created.get(key) === index;
    return isKept ? { do: "create", object, afterMs } : { do: "pass-time", afterMs };
  });
  return { operations: [...early.map((object): Operation => ({ do: "create", object, afterMs: 0 })), ...timeline] };
}

/** Returns the objects that exist after the operations. */
function lastContents(operations: readonly Operation[]): ReadonlyMap<string, Manifest> {
  const last = new Map<string, Manifest>();
  for (const operation of operations) {
    if (operation.do === "delete") last.delete(idKey(operation.id));
    if (operation.do !== "create" && operation.do !== "change") continue;
    const key = idKey(idOf(operation.object));
    // A change of an object that is still being deleted does not bring it back.
    if (operation.do === "create" || last.has(key)) last.set(key, operation.object);
  }
  return last;
}

/** The time that an operation takes besides its pause. */
function extraMs(operation: Operation): number {
  return operation.do === "downtime" || operation.do === "step-clock" ? operation.ms : 0;
}
