import type { AnyCustomKind, ObjectOf } from "@levelset/core";
import { describeRef, reference, refTo, step, terminal, wait } from "../step/index.ts";
import type { Req, Result, Step } from "../step/index.ts";
import { childReady } from "./child-ready.ts";

/** What `dependency` takes. */
export interface DependencyOptions<K extends AnyCustomKind, C extends AnyCustomKind> {
  readonly condition?: string;
  /** What the object depends on. */
  readonly kind: C;
  /** The name of it that the object gives. It is in the same namespace, or in none. */
  readonly name: (object: ObjectOf<K>) => string;
  /** Whether a person has to make it: then its absence is a Warning. Default: false, it is on its way. */
  readonly mustExist?: boolean;
  /** Writes what is known of it into the status, once it is ready. */
  readonly status?: (req: Req<K, never>, other: ObjectOf<C>) => void;
}

/**
 * Waits for a CR that the object names and somebody else makes: ok once it is there and ready for its own present generation. Its
 * severity, reason and message become ours. Its changes wake the object; it is never written.
 */
export function dependency<K extends AnyCustomKind, C extends AnyCustomKind>(
  kind: K,
  name: string,
  options: DependencyOptions<K, C>,
): Step<K, ObjectOf<C>> {
  const { condition, kind: otherKind, name: nameOf, mustExist = false, status } = options;
  const named = reference(kind, otherKind, nameOf);

  const reached = async (req: Req<K, never>): Promise<Result<ObjectOf<C>>> => {
    const [key] = named.by === "name" ? named.keys(req.object) : [];
    if (key === undefined) return terminal(`step ${name}: the object names no ${otherKind.kind}`);
    const other = req.get(otherKind, key);
    if (other === undefined) {
      const ref = refTo(otherKind, key);
      return wait(`${describeRef(ref)} does not exist`, { severity: mustExist ? "Warning" : "Info", on: [ref] });
    }
    const result = await childReady(req, otherKind, other);
    if (result.kind === "ok") status?.(req, result.value);
    return result;
  };

  return step<K, ObjectOf<C>>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    reads: [named],
    do: reached,
  });
}
