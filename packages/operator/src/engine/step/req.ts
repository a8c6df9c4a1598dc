import type {
  AnyCustomKind,
  Clock,
  ConditionUpdate,
  Kind,
  Logger,
  ObjectKey,
  ObjectOf,
  SpecOf,
  StatusOf,
} from "@levelset/core";
import type { ApplyCache, ObjectContention } from "../../apply/index.ts";
import type { Client, Discovery } from "../../client/index.ts";
import type { EventInput } from "./event-sink.ts";
import type { WatchedObjects, DynamicWatch } from "./dynamic-watch.ts";
import type { LabelQuery } from "./label-query.ts";
import type { MaybeAsyncResult } from "./result.ts";

/** A mutable version of a type in which every field is optional. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends object
    ? { -readonly [Name in keyof T]?: Draft<T[Name]> }
    : T;

/**
 * A mutable status of a kind. Every declared field is a required key whose value may be undefined, so that a step which
 * writes a field does not compile for a kind that lacks it.
 */
export type StatusDraft<T> = { -readonly [Name in keyof T]-?: Draft<T[Name]> | undefined };

/** A step with an output: any `Step` whose `do` returns `ok(value)`. */
export interface OutputStep<Out> {
  readonly name: string;
  readonly do?: (req: never) => MaybeAsyncResult<Out>;
}

/** The output type of a step. */
export type OutputOf<S extends OutputStep<unknown>> = S extends OutputStep<infer Out> ? Out : never;

/**
 * One request to reconcile one object. Each run gets a new one; only the object carries state from one run to the next.
 * `Used` are the steps whose outputs the step declares under `uses`.
 */
export interface Req<K extends AnyCustomKind, Used extends OutputStep<unknown> = OutputStep<unknown>> {
  readonly name: string;
  /** Undefined for cluster-scoped kinds. */
  readonly namespace: string | undefined;
  /** The kind of the object, also in steps that serve many kinds. */
  readonly kind: K;
  /**
   * The object as it was when the run began, read-only. Reads of its metadata are recorded: the run is repeated if
   * another client changes the metadata that was read before the run is saved. Copy it with `cloneJson`.
   */
  readonly object: ObjectOf<K>;
  /** Its spec, frozen: the engine never writes spec. */
  readonly spec: SpecOf<K>;
  /** The new status. It starts empty, except for fields that a step declares under `preserveStatus`. */
  readonly status: StatusDraft<StatusOf<K>>;
  /** Labels and annotations; all changes are saved in one write. */
  readonly metadata: { readonly labels: Record<string, string>; readonly annotations: Record<string, string> };
  /** Client of the cluster. Each read is a request; `get`, `owned` and `select` read from the cache. */
  readonly client: Client;
  /** The kinds that the cluster serves, for objects whose kinds are known only at run time. */
  readonly discovery: Discovery;
  /**
   * Returns the cached object of a kind that a step declares under `reads` or `owns`, or undefined if there is none.
   */
  readonly get: <Other extends Kind>(kind: Other, key: ObjectKey) => ObjectOf<Other> | undefined;
  /**
   * Returns the cached children of a kind that a step declares under `owns`: objects whose controller reference has
   * this object's UID.
   */
  readonly owned: <Other extends Kind>(kind: Other) => readonly ObjectOf<Other>[];
  /**
   * Returns the cached objects of such a kind that only the label `levelset.dev/owner-uid` connects with this object,
   * because another client removed the rest. The label is no proof: the steps of this package also check managedFields.
   */
  readonly stripped: <Other extends Kind>(kind: Other) => readonly ObjectOf<Other>[];
  /**
   * True if the object is being deleted with `kubectl delete --cascade=orphan`: a cleanup must leave its children, as
   * the garbage collector leaves those with an owner reference.
   */
  readonly isOrphaning: boolean;
  /**
   * Returns the cached objects that the labels select, of a kind that a step declares with `referenceByLabels`: in this
   * namespace, or in the cluster for cluster-scoped kinds. Throws a `SelectorError` for an invalid selector.
   */
  readonly select: <Other extends Kind>(kind: Other, labels: LabelQuery) => readonly ObjectOf<Other>[];
  /**
   * Claims an object for this step in this run. Returns the name of the step that claimed it earlier, or undefined: two
   * steps that write one object would undo each other's changes, so the second must not write it.
   */
  readonly claim: (kind: Kind, key: ObjectKey) => string | undefined;
  /**
   * Detects other clients that undo what this step writes to an object. `desired` must be equal while the desired state
   * is equal. Call `hold` before each write and `wrote` after it. Writes of a contested object are delayed with
   * backoff, the step's condition has the reason Contested, and an Event names the field and its other manager. Later
   * steps still run. The steps of this package use it.
   */
  readonly contention: (kind: Kind, key: ObjectKey, desired: unknown) => ObjectContention;
  /**
   * Children that the server normalizes when they are applied, so that they are not applied in every run. The steps of
   * this package use it; it belongs to the operator and outlives runs.
   */
  readonly applyCache: ApplyCache;
  /**
   * Watches these kinds from now on, under a rule that the step declares under `dynamicWatches`; stops watching kinds
   * of an earlier call under that rule. Resolves with the cached objects; changes enqueue the objects that the rule
   * maps them to. Does not block on a kind that cannot be listed: see `WatchedObjects.failure`.
   */
  readonly watch: (rule: DynamicWatch<K>, kinds: readonly Kind[]) => Promise<WatchedObjects>;
  /**
   * Sets a condition that the step declares under `condition`, `conditions` or `informational`. One of `conditions`
   * that is not set stays Unknown, so the object is not Ready. The result of `do` overwrites `condition`; a call in
   * `post` overwrites both.
   */
  readonly condition: (update: ConditionUpdate) => void;
  /** Records a Kubernetes Event about the object. Repeated Events are counted, not duplicated. */
  readonly event: (notice: EventInput) => void;
  /** Requests another run within `afterMs`, even if this run succeeds: for external state that cannot be watched. */
  readonly requeueAfter: (afterMs: number) => void;
  readonly clock: Clock;
  /** Bound to the controller, the object, this run and the step. */
  readonly logger: Logger;
  /** Aborts when the operator stops. */
  readonly signal: AbortSignal;
  /**
   * Returns the value that an earlier step returned with `ok(value)` in this run. The step declares it under `uses`.
   */
  from<S extends Used>(this: void, step: S): OutputOf<S>;
}
