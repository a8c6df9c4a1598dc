import { applyMergePatch, deepEqual } from "@levelset/core";
import type { JsonObject, Kind, KubeObject } from "@levelset/core";
import type { ItemApplier } from "./apply-item.ts";
import { bodyOf } from "./body.ts";
import type { Item } from "./item.ts";
import { keyOfRef, refId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { partLabel } from "./marks.ts";
import type { Outcome } from "./outcome.ts";
import type { SetKind, SetKinds } from "./set-kinds.ts";
import type { Snapshot } from "./snapshot.ts";
import { visibleObject } from "./visible.ts";

/** What would be done about one object of a set. */
export type ItemAction =
  /** It is made. */
  | "create"
  /** Something that people can see of it changes. */
  | "change"
  /** It is deleted and made anew. */
  | "recreate"
  /** It is as it should be; at most our own marks on it change. */
  | "none"
  /** It differs, and that is only told. */
  | "drift"
  /** It waits for what cannot be done. */
  | "hold"
  /** It cannot be done. */
  | "refuse";

/** One object of a set, and what would be done about it. */
export interface PlannedItem {
  readonly ref: LiveRef;
  /** Where it stands in the spec: `steadyState[3]`. */
  readonly at: string;
  readonly action: ItemAction;
  /** As it is, and as it would be: see `visibleObject`. */
  readonly before?: JsonObject;
  readonly after?: JsonObject;
  /** Why it is held or refused, or why the server could not be asked. */
  readonly reason?: string;
  readonly message?: string;
  /** Whether it was there before, and would be taken over. */
  readonly isAdopted: boolean;
  /** Whether `after` is only what we expect, because the server cannot be asked before something else is there. */
  readonly isGuess: boolean;
}

/** What planning takes. */
export interface PlanApplierOptions {
  /** The real one, with `dryRun`. */
  readonly applier: ItemApplier;
  readonly snapshot: Snapshot;
  readonly kinds: SetKinds;
  readonly operandUid: string;
  readonly inventory: KubeObject;
}

/** What will be, where the server cannot tell. */
interface Guess {
  readonly action?: "create" | "change" | "recreate";
  readonly reason: string;
  readonly message: string;
}

type Applied = Extract<Outcome, { readonly kind: "applied" }>;

/**
 * Finds out what applying the objects of a set would do: the real applier asks the server, which answers as if it had written. Where the
 * server cannot know yet, because a namespace or a CRD comes first, the manifest says it.
 */
export class PlanApplier {
  readonly #options: PlanApplierOptions;
  readonly #outcomes = new Map<Item, Outcome>();
  readonly #planned = new Map<string, PlannedItem>();

  constructor(options: PlanApplierOptions) {
    this.#options = options;
  }

  /** What would be done about an object; undefined before that is known. */
  planned(ref: LiveRef): PlannedItem | undefined {
    return this.#planned.get(refId(ref));
  }

  /** What would come of one object. */
  async apply(item: Item): Promise<Outcome> {
    const known = this.#outcomes.get(item);
    if (known !== undefined) return known;
    const outcome = await this.#apply(item);
    this.#outcomes.set(item, outcome);
    return outcome;
  }

  async #apply(item: Item): Promise<Outcome> {
    const { applier, kinds, snapshot } = this.#options;
    const found = kinds.get(item.object);
    // By then it is there from the other list, and left alone.
    if (item.mode !== "Reconcile" && this.planned(item.ref)?.after !== undefined) return LEFT_ALONE;
    if (found === undefined || item.mode === "Ignore") {
      return this.#note(item, { hasStatus: false, before: undefined }, await applier.apply(item));
    }
    const { kind, isServed } = found;
    const before = isServed ? await snapshot.look(kind, keyOfRef(item.ref)) : undefined;
    const about = { hasStatus: kind.hasStatus, before };
    const expected = this.#expected(item, found, before);
    if (expected !== undefined) return this.#note(item, about, this.#foretell(item, kind, before, expected), expected);
    const outcome = await applier.apply(item);
    const guess = retold(outcome, before);
    if (guess !== undefined) return this.#note(item, about, this.#foretell(item, kind, before, guess), guess);
    const earlier = this.planned(item.ref)?.action;
    return this.#note(item, about, outcome, earlier === "create" || earlier === "change" ? AFTER_ANOTHER : undefined);
  }

  /** What will be, where the server cannot be asked; undefined where it can. */
  #expected({ ref, mode }: Item, { kind, isServed }: SetKind, before: KubeObject | undefined): Guess | undefined {
    const crd = this.planned(crdRef(kind));
    if (!isServed && crd?.action !== "refuse") {
      return { action: "create", reason: "NotEstablished", message: "its CRD is installed first" };
    }
    const home = ref.namespace === undefined ? undefined : this.planned(namespaceRef(ref.namespace));
    if (before === undefined && home?.action === "create") {
      return { action: "create", reason: "NoNamespace", message: `namespace ${ref.namespace} is made first` };
    }
    if (crd?.action !== "change" || (before !== undefined && mode === "EnsureExists")) return undefined;
    const action = before === undefined ? "create" : "change";
    return { action, reason: "CrdChanges", message: "its CRD changes first" };
  }

  #foretell(item: Item, kind: Kind, before: KubeObject | undefined, { action }: Guess): Applied {
    const { operandUid, inventory } = this.#options;
    const { apiVersion, kind: name } = item.object;
    const body: JsonObject = { apiVersion, kind: name, ...bodyOf(item, kind, operandUid, inventory) };
    const isMerged = action === "change" && before !== undefined;
    // Objects are JSON; one that is still to come has what the server adds to none.
    const object = (isMerged ? applyMergePatch(before as unknown as JsonObject, body) : body) as unknown as KubeObject;
    return { kind: "applied", object, change: before === undefined ? "created" : "changed" };
  }

  #note(
    { ref, at }: Item,
    { hasStatus, before }: { readonly hasStatus: boolean; readonly before: KubeObject | undefined },
    outcome: Outcome,
    guess?: Guess,
  ): Outcome {
    const shown = (object: KubeObject | undefined): JsonObject | undefined =>
      object === undefined ? undefined : visibleObject(object, { hasStatus });
    const { reason, message } = outcome.kind === "applied" ? (guess ?? {}) : outcome;
    const [was, willBe] = [shown(before), outcome.kind === "applied" ? shown(outcome.object) : undefined];
    this.#planned.set(refId(ref), {
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
      readonly outcome: Outcome;
      readonly guess: Guess | undefined;
    },
  ): ItemAction {
    const { was, willBe, outcome, guess } = about;
    if (outcome.kind === "failed") return "refuse";
    if (outcome.kind === "waiting") return "hold";
    // Of an object that both lists have, what happens for the first counts too.
    if (guess?.action === "recreate" || this.planned(ref)?.action === "recreate") return "recreate";
    if (outcome.change === "drifted") return "drift";
    if (!isWritten(outcome)) return "none";
    if (was === undefined) return "create";
    return deepEqual(was, willBe) ? "none" : "change";
  }
}

/** The server was asked about the object as it is, and by then it is another one. */
const AFTER_ANOTHER: Guess = { reason: "InBothLists", message: "steadyState has it first, in other words" };
const LEFT_ALONE: Applied = { kind: "applied", object: undefined, change: "none" };

/** What outcomes of a dry run mean for the real one, where that is something else; undefined where it is not. */
function retold(outcome: Outcome, before: KubeObject | undefined): Guess | undefined {
  if (outcome.kind === "applied") return undefined;
  const { reason, message } = outcome;
  if (reason === "Recreating" || reason === "BeingDeleted") return { action: "recreate", reason, message };
  if (!/does not support dry run/iu.test(message)) return undefined;
  const action = before === undefined ? "create" : "change";
  return { action, reason: "NoDryRun", message: "a webhook cannot be asked beforehand" };
}

function isWritten(outcome: Outcome): boolean {
  return outcome.kind === "applied" && (outcome.change === "created" || outcome.change === "changed");
}

/** Whether an object is there that is no part of the Operand's set. */
function isForeign(object: KubeObject | undefined, operandUid: string): boolean {
  return object !== undefined && object.metadata.labels?.[partLabel(operandUid)] === undefined;
}

function namespaceRef(name: string): LiveRef {
  return { group: "", kind: "Namespace", name };
}

function crdRef({ plural, group }: Kind): LiveRef {
  return { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition", name: `${plural}.${group}` };
}
