import {
  containsApplied,
  controllerOf,
  deepEqual,
  isAlreadyExists,
  isConflict,
  isDeleting,
  isNotFound,
  objectType,
  StatusError,
  toError,
} from "@levelset/core";
import type { EmbeddedObject, JsonObject, Kind, KubeObject, ObjectOf } from "@levelset/core";
import { describeDispute, isSecret, liveObject, NO_VERSION, SettledObjects } from "../apply/index.ts";
import type { Contest, ObjectContention } from "../apply/index.ts";
import type { Client } from "../client/index.ts";
import { CONTESTED } from "../step/index.ts";
import type { Followed, Req } from "../step/index.ts";
import { bodyOf } from "./body.ts";
import type { Body } from "./body.ts";
import { withIgnored } from "./drift.ts";
import type { Item } from "./item.ts";
import type { Operand } from "./kinds.ts";
import { describeLiveRef, keyOfRef, refId } from "./live-ref.ts";
import { fieldManagerOf, isMarkedForPruning, partLabel } from "./marks.ts";
import { isInstalled } from "./installed.ts";
import { failed, waiting } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import type { Reclaimed } from "./reclaim.ts";
import { releaseObject, unmarkObject } from "./release.ts";
import { isShared, rivalIn } from "./rival.ts";
import type { SetKinds } from "./set-kinds.ts";
import { visibleObject } from "./visible.ts";

/** What applying takes. */
export interface ApplyOptions {
  readonly client: Client;
  readonly followed: Followed;
  readonly kinds: SetKinds;
  readonly operand: ObjectOf<Operand>;
  /** The inventory that owns what is applied. */
  readonly inventory: KubeObject;
  readonly signal: AbortSignal;
  /** Detects other clients that undo what is applied. Absent where nothing is written. */
  readonly contention?: Req<Operand>["contention"];
  /** Objects that are not taken from the copies, by `refId`: see `Reclaimed`. */
  readonly live?: Reclaimed["live"];
  /** Whether the server is only asked what would come of it, and writes nothing. Default false. */
  readonly dryRun?: boolean;
}

/** Objects that do not show all that was applied, because the server keeps some value in another form. */
const settled = new SettledObjects(50_000);

/** Copies that were seen to be as a manifest says, under an inventory: they need not be compared again. */
const seen = new WeakMap<KubeObject, { readonly manifest: EmbeddedObject; readonly inventory: string }>();

/** Brings single objects of a set to what their manifests say, by server-side apply, where they are not so already. */
export class ItemApplier {
  readonly #options: ApplyOptions;
  readonly #uid: string;

  constructor(options: ApplyOptions) {
    this.#options = options;
    this.#uid = options.operand.metadata.uid;
  }

  /** One object. Never throws but when the operator stops. */
  async apply(item: Item): Promise<Outcome> {
    const found = this.#options.kinds.get(item.object);
    if (found === undefined) {
      return failed("UnknownKind", `the cluster does not serve ${item.object.kind} in ${item.object.apiVersion}`);
    }
    try {
      if (this.#reportsOnly) return await this.#compare(item, found.kind);
      if (item.mode === "Ignore") return { kind: "applied", object: undefined, change: "none" };
      const live = this.#options.live?.get(refId(item.ref));
      if (live instanceof StatusError) return this.#failure(item, live);
      if (!found.isServed) return waiting("NotEstablished", `the cluster does not serve ${item.object.kind} yet`);
      return item.mode === "EnsureExists" ? await this.#ensure(item, found.kind) : await this.#bring(item, found.kind);
    } catch (error) {
      this.#options.signal.throwIfAborted();
      return this.#failure(item, error);
    }
  }

  /** Whether drift is only told: from the moment on at which the set was fully installed. */
  get #reportsOnly(): boolean {
    const { operand } = this.#options;
    return operand.spec.drift.mode === "Report" && isInstalled(operand);
  }

  async #compare(item: Item, kind: Kind): Promise<Outcome> {
    const present = await this.#present(item, kind);
    // A mark is bookkeeping and no drift.
    const object = present === undefined || this.#isDry ? present : await unmarkObject(kind, present, this.#options);
    const isAsSaid = item.mode !== "Reconcile" || (object !== undefined && (await this.isReached(item, kind, object)));
    return { kind: "applied", object, change: isAsSaid ? "none" : "drifted" };
  }

  /** What is there as far as we keep it: objects without our label, or of a kind that cannot be watched, are not among the copies. */
  copyOf(item: Item): KubeObject | undefined {
    const { live = NONE_LIVE } = this.#options;
    const id = refId(item.ref);
    if (live.has(id)) {
      const object = live.get(id);
      return object instanceof StatusError ? undefined : object;
    }
    const kind = this.#options.kinds.get(item.object)?.kind;
    if (kind === undefined || this.#options.followed.failure(kind) !== undefined) return undefined;
    return this.#options.followed.get(kind, keyOfRef(item.ref));
  }

  /** The copy; for a kind that cannot be watched what the server has, so that an object of it is never taken for absent. */
  async #present(item: Item, kind: Kind): Promise<KubeObject | undefined> {
    const isWatched = this.#options.followed.failure(kind) === undefined;
    return isWatched ? this.copyOf(item) : liveObject(this.#options, kind, keyOfRef(item.ref));
  }

  /** Whether a copy already is what would be applied. */
  isApplied(item: Item, kind: Kind, live: KubeObject): boolean {
    if (isMarkedForPruning(live)) return false;
    const { object: manifest } = item;
    const { uid: inventory } = this.#options.inventory.metadata;
    const known = seen.get(live);
    if (known?.manifest === manifest && known.inventory === inventory) return true;
    const body = this.#body(item, kind, live);
    const isShown = shows(kind, live, body) || settled.has(live, body);
    if (isShown) seen.set(live, { manifest, inventory });
    return isShown;
  }

  /**
   * The same, also where the copy alone does not tell, as with defaults inside of lists that are owned as a whole: then the server is
   * asked what applying would make of it. One that refuses to say so says no.
   */
  async isReached(item: Item, kind: Kind, live: KubeObject): Promise<boolean> {
    if (this.isApplied(item, kind, live)) return true;
    const body = this.#body(item, kind, live);
    try {
      settled.add(await this.#request(kind, body, { uid: live.metadata.uid }, true), body);
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (!(error instanceof StatusError)) throw error;
      return false;
    }
    return settled.has(live, body);
  }

  #body(item: Item, kind: Kind, live: KubeObject | undefined): Body {
    const { operand, inventory } = this.#options;
    const body = bodyOf(item, kind, this.#uid, inventory);
    return live === undefined ? body : withIgnored(body, live, item.ref, operand.spec.drift.ignore);
  }

  /** Made once, and left alone ever after. One that is there already is taken over only where that is always done. */
  async #ensure(item: Item, kind: Kind): Promise<Outcome> {
    const { operand } = this.#options;
    const copy = this.#ensuredCopy(item);
    const found = copy ?? (await liveObject(this.#options, kind, keyOfRef(item.ref)));
    if (found !== undefined) {
      if (this.#isDry) return { kind: "applied", object: found, change: "none" };
      const present = await unmarkObject(kind, found, this.#options);
      if (present === undefined) return waiting("Changing", "it was deleted while it was looked at");
      const isForeign = present.metadata.labels?.[partLabel(this.#uid)] === undefined;
      if (isForeign && operand.spec.adoption === "Always") {
        const isTaken = await releaseObject(kind, present, NONE, { inherits: this.#uid }, this.#options);
        if (!isTaken) return waiting("Changing", "it changed while it was taken over");
      }
      return { kind: "applied", object: present, change: "none" };
    }
    const contest = this.#contention(item, kind)?.hold();
    if (contest !== undefined) return gone(item, contest);
    try {
      return await this.#send(item, kind, undefined);
    } catch (error) {
      // Somebody was faster: then it is there.
      if (!isConflict(error) && !isAlreadyExists(error)) throw error;
      return { kind: "applied", object: await liveObject(this.#options, kind, keyOfRef(item.ref)), change: "none" };
    }
  }

  /**
   * The copy of an object that is only ensured, and so not written. One that another Operand has is read from the server until the set
   * is installed: the copy may lack the mark of a prune of that Operand.
   */
  #ensuredCopy(item: Item): KubeObject | undefined {
    const copy = this.copyOf(item);
    const isOurs = copy?.metadata.labels?.[partLabel(this.#uid)] !== undefined;
    return isOurs || isInstalled(this.#options.operand) ? copy : undefined;
  }

  get #isDry(): boolean {
    return this.#options.dryRun === true;
  }

  async #bring(item: Item, kind: Kind): Promise<Outcome> {
    const present = await this.#present(item, kind);
    if (present !== undefined) return this.#update(item, kind, present);
    const contest = this.#contention(item, kind)?.hold();
    if (contest !== undefined) {
      // One that lost our labels is not among the copies.
      const object = await liveObject(this.#options, kind, keyOfRef(item.ref));
      return object === undefined ? gone(item, contest) : { kind: "applied", object, change: "none", contest };
    }
    try {
      return await this.#send(item, kind, undefined);
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    const live = await liveObject(this.#options, kind, keyOfRef(item.ref));
    if (live === undefined) return waiting("Changing", "it came and went while it was applied");
    return this.#update(item, kind, live);
  }

  async #update(item: Item, kind: Kind, live: KubeObject): Promise<Outcome> {
    const refusal = this.#adoptionRefusal(live);
    if (refusal !== undefined) return refusal;
    if (isDeleting(live)) return waiting("BeingDeleted", "it is being deleted, and made anew when it is gone");
    const contention = this.#contention(item, kind);
    if (this.isApplied(item, kind, live)) {
      return { kind: "applied", object: live, change: "none", contest: contention?.seen() };
    }
    const contest = contention?.hold();
    if (contest !== undefined) return { kind: "applied", object: live, change: "none", contest };
    const conflict = await this.#rivalry(item, kind, live);
    if (conflict !== undefined) return conflict;
    try {
      return await this.#send(item, kind, live);
    } catch (error) {
      if (!item.recreate || !isImmutable(error)) throw error;
      return this.#recreate(item, kind, live);
    }
  }

  /** Deletes an object whose fields cannot be changed, in a version that was seen to be ours to delete, and recreates it. */
  async #recreate(item: Item, kind: Kind, { metadata: { uid } }: KubeObject): Promise<Outcome> {
    const { client, signal, dryRun = false } = this.#options;
    const fresh = await liveObject(this.#options, kind, keyOfRef(item.ref));
    if (fresh !== undefined) {
      if (fresh.metadata.uid !== uid) return waiting("Changing", "another object took its name while it was applied");
      const refusal = this.#adoptionRefusal(fresh);
      if (refusal !== undefined) return refusal;
      const { resourceVersion } = fresh.metadata;
      const options = { uid, resourceVersion, propagation: "Background", signal, dryRun } as const;
      try {
        await client.delete(kind, keyOfRef(item.ref), options);
      } catch (error) {
        if (isConflict(error)) return waiting("Changing", "it changed before it could be recreated");
        if (!isNotFound(error)) throw error;
      }
    }
    return dryRun ? RECREATING : this.#again(item, kind);
  }

  /** Made anew right after it was deleted: one that we did not label before is not followed, so nothing would tell that it is gone. */
  async #again(item: Item, kind: Kind): Promise<Outcome> {
    try {
      return await this.#send(item, kind, undefined);
    } catch (error) {
      if (!isConflict(error)) throw error;
      return RECREATING;
    }
  }

  async #send(item: Item, kind: Kind, live: KubeObject | undefined): Promise<Outcome> {
    const dryRun = this.#isDry;
    const body = this.#body(item, kind, live);
    const version = live === undefined ? { resourceVersion: NO_VERSION } : { uid: live.metadata.uid };
    const contention = this.#contention(item, kind);
    const found = contention?.needsManagers === true ? await this.#withManagers(item, kind, live) : live;
    const object = await this.#request(kind, body, version, dryRun);
    if (!dryRun) {
      await unmarkObject(kind, object, this.#options);
      if (!shows(kind, object, body)) settled.add(object, body);
      this.#see(item, object);
    }
    const contest = contention?.wrote(found, object);
    // The answer to a dry run has the version of what is there.
    const isSame = !dryRun && live?.metadata.resourceVersion === object.metadata.resourceVersion;
    return { kind: "applied", object, change: live === undefined ? "created" : isSame ? "none" : "changed", contest };
  }

  #contention(item: Item, kind: Kind): ObjectContention | undefined {
    const { contention, inventory } = this.#options;
    return contention?.(kind, keyOfRef(item.ref), [item.object, inventory.metadata.uid]);
  }

  /** What is there, with managedFields, which copies do not have. */
  async #withManagers(item: Item, kind: Kind, copy: KubeObject | undefined): Promise<KubeObject | undefined> {
    return copy === undefined ? undefined : ((await liveObject(this.#options, kind, keyOfRef(item.ref))) ?? copy);
  }

  /** What is followed is of the very version that was answered, so the next look at it is short. */
  #see(item: Item, { metadata: { resourceVersion } }: KubeObject): void {
    const copy = this.copyOf(item);
    if (copy?.metadata.resourceVersion !== resourceVersion) return;
    seen.set(copy, { manifest: item.object, inventory: this.#options.inventory.metadata.uid });
  }

  /** Whether another Operand's values hold in an object that both have: taking them would make the two overwrite each other for ever. */
  async #rivalry(item: Item, kind: Kind, live: KubeObject): Promise<Outcome | undefined> {
    if (!isShared(live, this.#uid)) return undefined;
    const { operand } = this.#options;
    const ask = (force: boolean): Promise<KubeObject> =>
      this.#request(kind, this.#body(item, kind, live), { uid: live.metadata.uid }, true, force);
    if (deepEqual(visibleObject(await ask(true), kind), visibleObject(live, kind))) return undefined;
    const rival = await ask(false).then(
      () => undefined,
      (error: unknown) => rivalIn(error, operand, this.#options),
    );
    if (rival === undefined || (operand.spec.conflicts === "Force" && !rival.isYounger)) return undefined;
    const who = `operand/${rival.name}${rival.isYounger ? ", which is younger," : ""}`;
    return failed("Conflict", `${who} wants other values: ${rival.fields.join(", ")}`);
  }

  /** Applies a body to the object that the version names, or asks what would come of it. */
  #request(
    kind: Kind,
    body: Body,
    version: JsonObject,
    dryRun: boolean,
    force: boolean = this.#options.operand.spec.conflicts === "Force",
  ): Promise<KubeObject> {
    const { client, signal } = this.#options;
    const object = { ...body, metadata: { ...body.metadata, ...version } };
    return client.apply(kind, object, { force, fieldManager: fieldManagerOf(this.#uid), signal, dryRun });
  }

  #adoptionRefusal(live: KubeObject): Outcome | undefined {
    const { adoption } = this.#options.operand.spec;
    if (live.metadata.labels?.[partLabel(this.#uid)] !== undefined || adoption === "Always") return undefined;
    if (adoption === "Never") return failed("AlreadyExists", "it is there already, and adoption is Never");
    const owner = controllerOf(live);
    if (owner === undefined) return undefined;
    return failed("NotOurs", `it belongs to ${describeLiveRef({ group: "", kind: owner.kind, name: owner.name })}`);
  }

  #failure(item: Item, error: unknown): Outcome {
    // What the server says of a Secret may quote it, and a status is read by many.
    const message = isSecret(item.ref) ? `the server refused it: ${reasonOf(error)}` : toError(error).message;
    if (isImmutable(error)) return failed("ImmutableField", message);
    if (isConflict(error)) {
      return this.#options.operand.spec.conflicts === "Fail"
        ? failed("Conflict", message)
        : waiting("Changing", message);
    }
    return failed(reasonOf(error), message);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof StatusError ? error.reason : "Error";
}

/** An object that another client deletes each time is not made anew yet. */
function gone({ ref }: Item, { dispute }: Contest): Outcome {
  return waiting(CONTESTED, describeDispute(describeLiveRef(ref), dispute));
}

const NONE: ReadonlySet<string> = new Set();
const NONE_LIVE: Reclaimed["live"] = new Map();
const RECREATING = waiting("Recreating", "a field of it cannot be changed, so it is deleted and made anew");

/** Whether an object has everything that a body says. */
function shows(kind: Kind, object: KubeObject, body: Body): boolean {
  // Objects are JSON; interfaces only lack the index signature.
  return containsApplied(objectType(kind.schema), object as unknown as JsonObject, body);
}

/** Whether the server refused a change of what cannot change. It has no reason of its own for that, only words. */
function isImmutable(error: unknown): boolean {
  if (!(error instanceof StatusError) || (error.reason !== "Invalid" && error.reason !== "Forbidden")) return false;
  return /immutable|may not (?:be )?change|cannot be changed|updates to .* are forbidden/iu.test(error.message);
}
