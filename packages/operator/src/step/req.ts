import type {
  AnyCustomKind,
  Clock,
  Finding,
  Kind,
  Logger,
  ObjectKey,
  ObjectOf,
  SpecOf,
  StatusOf,
} from "@levelset/core";
import type { ObjectContention } from "../apply/index.ts";
import type { Client, Discovery } from "../client/index.ts";
import type { Notice } from "./event-sink.ts";
import type { Followed, FollowRule } from "./follow-rule.ts";
import type { LabelQuery } from "./label-query.ts";
import type { Eventually } from "./result.ts";

/** Data while it is being written: nothing is there yet, everything may be set. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends object
    ? { -readonly [Name in keyof T]?: Draft<T[Name]> }
    : T;

/**
 * The status of a kind while it is being written. Every field that the kind declares is there, if only as undefined, so that a step
 * which writes a field does not compile for a kind that lacks it.
 */
export type StatusDraft<T> = { -readonly [Name in keyof T]-?: Draft<T[Name]> | undefined };

/** A step that hands something over: any `Step` whose `do` answers with `ok(value)`. */
export interface Source<Out> {
  readonly name: string;
  readonly do?: (req: never) => Eventually<Out>;
}

/** What a step hands over. */
export type OutOf<S extends Source<unknown>> = S extends Source<infer Out> ? Out : never;

/**
 * One request to reconcile one object. It is new for each run: nothing leaks from one run to the next except through the object.
 * `Used` are the steps whose hand-over the step declares to use.
 */
export interface Req<K extends AnyCustomKind, Used extends Source<unknown> = Source<unknown>> {
  readonly name: string;
  /** Undefined for cluster-scoped kinds. */
  readonly namespace: string | undefined;
  /** The kind of the object, also in steps that serve many kinds. */
  readonly kind: K;
  /**
   * The object as it was when the run began, read-only. What is read of its metadata is recorded: a run is repeated when another
   * client changes that before the run is saved. Copy it with `cloneJson`.
   */
  readonly object: ObjectOf<K>;
  /** Its spec, frozen: the engine never writes spec. */
  readonly spec: SpecOf<K>;
  /** The new status. It starts empty, except for fields that a step declares as kept. */
  readonly status: StatusDraft<StatusOf<K>>;
  /** Labels and annotations; changes travel in one write. */
  readonly metadata: { readonly labels: Record<string, string>; readonly annotations: Record<string, string> };
  /** The cluster. Reads are live; see `get` and `owned` for reads that cost nothing. */
  readonly client: Client;
  /** The kinds that the cluster serves, for objects whose kinds are known only at run time. */
  readonly discovery: Discovery;
  /** An object of a kind that a step declares under `reads` or `owns`, as the local copy has it; undefined when there is none. */
  readonly get: <Other extends Kind>(kind: Other, key: ObjectKey) => ObjectOf<Other> | undefined;
  /** The children of a kind that a step declares under `owns`: those whose controller is this very object. */
  readonly owned: <Other extends Kind>(kind: Other) => readonly ObjectOf<Other>[];
  /**
   * The objects that these labels select, of a kind that a step declares with `selection`: in this namespace, or anywhere if it has
   * none. Throws a SelectorError for an invalid selector.
   */
  readonly select: <Other extends Kind>(kind: Other, labels: LabelQuery) => readonly ObjectOf<Other>[];
  /**
   * Says that this step keeps an object, in this run. Answers with the step that said so before it: two steps that keep one object
   * would undo each other's work, so the second must leave it alone.
   */
  readonly claim: (kind: Kind, key: ObjectKey) => string | undefined;
  /**
   * Detects other clients that undo what this step writes to an object. `desired` is anything that is the same while the desired state is. Ask it
   * before each write and notify it after each: an object that is contested is written with growing delays, the step's condition says
   * Contested, and an Event names the field and its other manager. Later steps run all the same. The steps of this package do so.
   */
  readonly contention: (kind: Kind, key: ObjectKey, desired: unknown) => ObjectContention;
  /**
   * Follows these kinds from now on, under a rule that the step declares under `follows`, and no others under it. Resolves with what
   * is there; changes wake the objects that the rule names. Never waits long for a kind that cannot be listed: see `Followed.failure`.
   */
  readonly follow: (rule: FollowRule<K>, kinds: readonly Kind[]) => Promise<Followed>;
  /**
   * Sets a condition that the step declares under `condition`, `conditions` or `asides`. One of `conditions` that is not set stays
   * Unknown, so the object is not Ready. What the result of `do` says of `condition` comes after it; only `post` has the last word.
   */
  readonly condition: (finding: Finding) => void;
  /** Tells the people who look at the object, as a Kubernetes Event. The same again is counted, not repeated. */
  readonly event: (notice: Notice) => void;
  /** Asks for another run in `afterMs` at the latest, also if all is well: for things that nothing tells the changes of. */
  readonly lookAgain: (afterMs: number) => void;
  readonly clock: Clock;
  /** Bound to the controller, the object, this run and the step. */
  readonly logger: Logger;
  /** Aborts when the operator stops. */
  readonly signal: AbortSignal;
  /** What an earlier step handed over with `ok(value)` in this run. The step declares it under `uses`. */
  from<S extends Used>(this: void, step: S): OutOf<S>;
}
