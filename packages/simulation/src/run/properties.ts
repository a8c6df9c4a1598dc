import type { Kind, KubeObject, ObjectOf } from "@levelset/core";
import { apiVersionOf } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { Violation } from "../violation/index.ts";
import type { Journal } from "../world/index.ts";

/** Typed access to the simulated world, for properties. */
export interface PropertyWorld {
  /** Returns the current object; undefined if it does not exist. The default namespace is `default`. */
  get<K extends Kind>(kind: K, name: string, namespace?: string): ObjectOf<K> | undefined;
  /** Returns all objects of a kind. */
  list<K extends Kind>(kind: K): readonly ObjectOf<K>[];
  /** The virtual time, in milliseconds since the epoch. */
  readonly now: number;
}

/** A property returns true or undefined if it holds; false or a text that says why it does not. */
export type Property = (world: PropertyWorld) => boolean | string | undefined;

/** One write to the store of the cluster. */
export interface ObservedWrite {
  readonly kind: "created" | "updated" | "deleted";
  /** The object after the write; its last state after a deletion. */
  readonly object: KubeObject;
  /** Whether a user or another client has deleted the object, not the program. */
  readonly isDeletedByUser: boolean;
}

/**
 * A property of the order of writes. It is called with each write of one world, oldest first, and remembers what it
 * needs. Returns undefined if the write is allowed, else a text that says why it is not.
 */
export type Monitor = (write: ObservedWrite) => string | undefined;

/** Properties of the user, by name. */
export interface Properties {
  /** Hold whenever the cluster is idle, also during faults. */
  readonly always: Readonly<Record<string, Property>>;
  /** Hold at rest, after all faults have ended. */
  readonly eventually: Readonly<Record<string, Property>>;
  /** Functions that return a monitor of a new world. Monitors hold after every single write. */
  readonly monitors?: Readonly<Record<string, () => Monitor>>;
}

/** Returns the world as properties see it. */
export function propertyWorld(journal: Journal, now: number): PropertyWorld {
  const list = <K extends Kind>(kind: K): readonly ObjectOf<K>[] =>
    journal
      .present()
      .filter(({ object }) => object.kind === kind.kind && object.apiVersion === apiVersionOf(kind))
      .map(({ object }) => object as unknown as ObjectOf<K>); // validated by the schema that the type comes from
  return {
    now,
    list,
    get: (kind, name, namespace = "default") =>
      list(kind).find(
        ({ metadata }) => metadata.name === name && (kind.scope === "Cluster" || metadata.namespace === namespace),
      ),
  };
}

/**
 * Returns a function that passes writes to new monitors, and returns a violation for the first one that is violated. One
 * that throws is violated.
 */
export function startMonitors(monitors: Properties["monitors"] = {}): (write: ObservedWrite) => Violation | undefined {
  const started = Object.entries(monitors).map(([name, start]) => [name, startMonitor(start)] as const);
  let isViolated = false;
  return (write) => {
    if (isViolated) return undefined;
    for (const [name, monitor] of started) {
      const why = resultOf(() => monitor(write));
      if (why === undefined) continue;
      isViolated = true;
      return {
        rule: "property-violated",
        object: `property ${name}`,
        message: `The property "${name}" does not hold: ${why}.`,
        expected: "It holds after every write.",
      };
    }
    return undefined;
  };
}

/** Starts a monitor. One that cannot start allows no write. */
function startMonitor(start: () => Monitor): Monitor {
  try {
    return start();
  } catch (error) {
    return () => throwsText(error);
  }
}

/** Returns the result of a function of the user; if it throws, a text that says so. */
function resultOf<Result>(call: () => Result): Result | string {
  try {
    return call();
  } catch (error) {
    return throwsText(error);
  }
}

function throwsText(error: unknown): string {
  return `it throws: ${toError(error).message}`;
}

/** Returns a violation for the first property that does not hold. One that throws does not hold. */
export function checkProperties(
  properties: Readonly<Record<string, Property>>,
  world: PropertyWorld,
  when: "always" | "eventually",
): Violation | undefined {
  for (const [name, holds] of Object.entries(properties)) {
    const result = resultOf(() => holds(world));
    if (result === undefined || result === true) continue;
    const why = result === false ? "" : `: ${result}`;
    return {
      rule: "property-violated",
      object: `property ${name}`,
      message: `The property "${name}" does not hold${why}.`,
      expected: when === "always" ? "It holds at all times." : "It holds after all faults have ended.",
    };
  }
  return undefined;
}
