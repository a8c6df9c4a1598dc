import { applyMergePatch } from "@levelset/core/apply";
import { deepEqual } from "@levelset/core/internal";
import type { JsonObject, Kind, KubeObject } from "@levelset/core";
import type { ItemApplier } from "../apply/apply-item.ts";
import { applyBodyOf } from "../apply/apply-body.ts";
import type { ManifestItem } from "../spec/item.ts";
import { keyOfRef, liveRefId } from "../spec/live-ref.ts";
import type { LiveRef } from "../spec/live-ref.ts";
import { partLabel } from "../spec/labels-and-annotations.ts";
import type { ApplyOutcome, FailReason, WaitReason } from "../apply/apply-outcome.ts";
import type { ResolvedKind, KindResolver } from "../spec/kind-resolver.ts";
import type { SetSnapshot } from "./snapshot.ts";
import { comparableObject } from "../apply/comparable-object.ts";

/** Planned action on one object of a set. */
export type ItemAction =
  /** Created. */
  | "create"
  /** Changed in a field that users see. */
  | "change"
  /** Deleted and recreated. */
  | "recreate"
  /** Up to date; at most our own labels and annotations change. */
  | "none"
  /** Differs, and drift is only reported. */
  | "drift"
  /** Waits for an object that cannot be applied. */
  | "hold"
  /** Cannot be applied. */
  | "refuse";

/** Why an object is held or rejected, or why its state after the run is predicted. */
export type PlannedItemReason =
  | WaitReason
  | FailReason
  /** steadyState must be installed first, and cannot be. */
  | "SteadyStateFirst"
  | "NoNamespace"
  | "CrdChanges"
  | "InBothLists";

/** One object of a set and its planned action. */
export interface PlannedItem {
  readonly ref: LiveRef;
  /** Location in the spec: `steadyState[3]`. */
  readonly at: string;
  readonly action: ItemAction;
  /** The object before and after: see `comparableObject`. */
  readonly before?: JsonObject;
  readonly after?: JsonObject;
  /** Why it is held or rejected, or why no dry run was possible. */
  readonly reason?: PlannedItemReason;
  readonly message?: string;
  /** True if an existing object would be adopted. */
  readonly isAdopted: boolean;
  /** True if `after` is predicted from the manifest, because a dry run is not possible yet. */
  readonly isGuess: boolean;
}

/** Options of {@link PlanApplier}. */
export interface PlanApplierOptions {
  /** An {@link ItemApplier} with `dryRun`. */
  readonly applier: ItemApplier;
  readonly snapshot: SetSnapshot;
  readonly kinds: KindResolver;
  readonly operandUid: string;
  readonly inventory: KubeObject;
}

/** A predicted action where no dry run is possible. */
interface Guess {
  readonly action?: "create" | "change" | "recreate";
  readonly reason: PlannedItemReason;
  readonly message: string;
}

type Applied = Extract<ApplyOutcome, { readonly kind: "applied" }>;

/**
 * Plans how the objects of a set would be applied: the real applier sends dry runs. Where a dry run is not possible
 * yet, because a namespace or a CRD comes first, the result is predicted from the manifest.
 */
export class PlanApplier {
  readonly #options: PlanApplierOptions;
  readonly #outcomes = new Map<ManifestItem, ApplyOutcome>();
  readonly #planned = new Map<string, PlannedItem>();

  constructor(options: PlanApplierOptions) {
    this.#options = options;
  }

  /** Returns the planned action on an object; undefined before it is known. */
  get(ref: LiveRef): PlannedItem | undefined {
    return this.#planned.get(liveRefId(ref));
  }

  /** Plans one object. */
  async apply(item: ManifestItem): Promise<ApplyOutcome> {
    const known = this.#outcomes.get(item);
    if (known !== undefined) return known;
    const outcome = await this.#apply(item);
    this.#outcomes.set(item, outcome);
    return outcome;
  }

  async #apply(item: ManifestItem): Promise<ApplyOutcome> {
    const { applier, kinds, snapshot } = this.#options;
    const found = kinds.get(item.object);
    // The object exists from the other list and is left alone.
    if (item.mode !== "Reconcile" && this.get(item.ref)?.after !== undefined) return LEFT_ALONE;
    if (found === undefined || item.mode === "Ignore") {
      return this.#record(item, { hasStatus: false, before: undefined }, await applier.apply(item));
    }
    const { kind, isServed } = found;
    const before = isServed ? await snapshot.getLive(kind, keyOfRef(item.ref)) : undefined;
    const about = { hasStatus: kind.hasStatus, before };
    const expected = this.#expected(item, found, before);
    if (expected !== undefined) return this.#record(item, about, this.#predict(item, kind, before, expected), expected);
    const outcome = await applier.apply(item);
    const guess = correctionOf(outcome, before);
    if (guess !== undefined) return this.#record(item, about, this.#predict(item, kind, before, guess), guess);
    const earlier = this.get(item.ref)?.action;
    return this.#record(item, about, outcome, earlier === "create" || earlier === "change" ? AFTER_ANOTHER : undefined);
  }

  /** Returns a prediction if no dry run is possible; undefined if one is. */
  #expected(
    { ref, mode }: ManifestItem,
    { kind, isServed }: ResolvedKind,
    before: KubeObject | undefined,
  ): Guess | undefined {
    const crd = this.get(crdRef(kind));
    if (!isServed && crd?.action !== "refuse") {
      return { action: "create", reason: "NotEstablished", message: "its CRD is installed first" };
    }
    const home = ref.namespace === undefined ? undefined : this.get(namespaceRef(ref.namespace));
    if (before === undefined && home?.action === "create") {
      return { action: "create", reason: "NoNamespace", message: `namespace ${ref.namespace} is created first` };
    }
    if (crd?.action !== "change" || (before !== undefined && mode === "EnsureExists")) return undefined;
    const action = before === undefined ? "create" : "change";
    return { action, reason: "CrdChanges", message: "its CRD changes first" };
  }

  #predict(item: ManifestItem, kind: Kind, before: KubeObject | undefined, { action }: Guess): Applied {
    const { operandUid, inventory } = this.#options;
    const { apiVersion, kind: name } = item.object;
    const body: JsonObject = { apiVersion, kind: name, ...applyBodyOf(item, kind, operandUid, inventory) };
    const isMerged = action === "change" && before !== undefined;
    // Objects are JSON. A predicted object lacks the fields that the server adds.
    const object = (isMerged ? applyMergePatch(before as unknown as JsonObject, body) : body) as unknown as KubeObject;
    return { kind: "applied", object, change: before === undefined ? "created" : "changed" };
  }

  #record(
    { ref, at }: ManifestItem,
    { hasStatus, before }: { readonly hasStatus: boolean; readonly before: KubeObject | undefined },
    outcome: ApplyOutcome,
    guess?: Guess,
  ): ApplyOutcome {
    const shown = (object: KubeObject | undefined): JsonObject | undefined =>
      object === undefined ? undefined : comparableObject(object, { hasStatus });
    const { reason, message } = outcome.kind === "applied" ? (guess ?? {}) : outcome;
    const [was, willBe] = [shown(before), outcome.kind === "applied" ? shown(outcome.object) : undefined];
    this.#planned.set(liveRefId(ref), {
      ref,
      at,
      action: this.#action(ref, { was, willBe, outcome, guess }),
      ...(was === undefined ? {} : { before: was }),
      ...(willBe === undefined ? {} : { after: willBe }),
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message }),
      isAdopted: isWritten(outcome) && isForeign(before, this.#options.operandUid),
      isGuess: guess !== undefined,
    });
    return outcome;
  }

  #action(
    ref: LiveRef,
    about: {
      readonly was: JsonObject | undefined;
      readonly willBe: JsonObject | undefined;
      readonly outcome: ApplyOutcome;
      readonly guess: Guess | undefined;
    },
  ): ItemAction {
    const { was, willBe, outcome, guess } = about;
    if (outcome.kind === "failed") return "refuse";
    if (outcome.kind === "waiting") return "hold";
    // An object in both lists keeps a recreation that was planned for the first list.
    if (guess?.action === "recreate" || this.get(ref)?.action === "recreate") return "recreate";
    if (outcome.change === "drifted") return "drift";
    if (!isWritten(outcome)) return "none";
    if (was === undefined) return "create";
    return deepEqual(was, willBe) ? "none" : "change";
  }
}

/** The dry run was against the live object, which the first list replaces. */
const AFTER_ANOTHER: Guess = { reason: "InBothLists", message: "steadyState applies another version of it first" };
const LEFT_ALONE: Applied = { kind: "applied", object: undefined, change: "none" };

/** Returns how the real run differs from a dry run with this outcome; undefined if it does not. */
function correctionOf(outcome: ApplyOutcome, before: KubeObject | undefined): Guess | undefined {
  if (outcome.kind === "applied") return undefined;
  const { reason, message } = outcome;
  if (reason === "Recreating" || reason === "BeingDeleted") return { action: "recreate", reason, message };
  if (reason !== "NoDryRun") return undefined;
  const action = before === undefined ? "create" : "change";
  return { action, reason: "NoDryRun", message: "a webhook does not support dry runs" };
}

function isWritten(outcome: ApplyOutcome): boolean {
  return outcome.kind === "applied" && (outcome.change === "created" || outcome.change === "changed");
}

/** Reports whether an object exists that does not belong to the Operand. */
function isForeign(object: KubeObject | undefined, operandUid: string): boolean {
  return object !== undefined && object.metadata.labels?.[partLabel(operandUid)] === undefined;
}

function namespaceRef(name: string): LiveRef {
  return { group: "", kind: "Namespace", name };
}

function crdRef({ plural, group }: Kind): LiveRef {
  return { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition", name: `${plural}.${group}` };
}
