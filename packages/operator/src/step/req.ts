import type { AnyCustomKind, Clock, Kind, Logger, ObjectKey, ObjectOf, SpecOf, StatusOf } from "@levelset/core";
import type { Client } from "../client/index.ts";
import type { Notice } from "./event-sink.ts";
import type { Eventually } from "./result.ts";

/** A status while it is being written: nothing is there yet, everything may be set. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends object
    ? { -readonly [Name in keyof T]?: Draft<T[Name]> }
    : T;

/** A step that hands something over: any `Step` whose `do` answers with `ok(value)`. */
export interface Source<Out> {
  readonly name: string;
  readonly do?: (req: never) => Eventually<Out>;
}

/**
 * One request to reconcile one object. It is new for each run: nothing leaks from one run to the next except through the object.
 */
export interface Req<K extends AnyCustomKind> {
  readonly name: string;
  /** Undefined for cluster-scoped kinds. */
  readonly namespace: string | undefined;
  /** The object as it was when the run began, frozen. */
  readonly object: ObjectOf<K>;
  /** Its spec, frozen: the engine never writes spec. */
  readonly spec: SpecOf<K>;
  /** The new status. It starts empty, except for fields that a step declares as kept. */
  readonly status: Draft<StatusOf<K>>;
  /** Labels and annotations; changes travel in one write. */
  readonly metadata: { readonly labels: Record<string, string>; readonly annotations: Record<string, string> };
  /** The cluster. Reads are live; see `get` and `owned` for reads that cost nothing. */
  readonly client: Client;
  /** An object of a kind that a step declares under `reads` or `owns`, as the local copy has it; undefined when there is none. */
  get<Other extends Kind>(kind: Other, key: ObjectKey): ObjectOf<Other> | undefined;
  /** The children of a kind that a step declares under `owns`: those whose controller is this very object. */
  owned<Other extends Kind>(kind: Other): readonly ObjectOf<Other>[];
  /** Tells the people who look at the object, as a Kubernetes Event. The same again is counted, not repeated. */
  event(notice: Notice): void;
  readonly clock: Clock;
  /** Bound to the controller, the object, this run and the step. */
  readonly logger: Logger;
  /** Aborts when the operator stops. */
  readonly signal: AbortSignal;
  /** What an earlier step of this run handed over with `ok(value)`. */
  from<Out>(step: Source<Out>): Out;
}
