import { isAlreadyExists, isConflict, isDeleting, StatusError } from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import type { Clock, JsonObject, Kind, KubeObject, ObjectOf } from "@levelset/core";
import { liveObject, UNMATCHED_RESOURCE_VERSION } from "../../apply/index.ts";
import type { ObjectContention } from "../../apply/index.ts";
import type { Client } from "../../client/index.ts";
import type { WatchedObjects, Req } from "../../engine/index.ts";
import { applyFailure, isImmutableError } from "./apply-error.ts";
import { adoptionRefusal } from "./adoption-refusal.ts";
import { applyBodyOf, containsBody } from "./apply-body.ts";
import { applyWithoutItems } from "./apply-without-items.ts";
import { deleteToRecreate, RECREATING } from "./delete-to-recreate.ts";
import { FieldAdopter } from "./field-adopter.ts";
import { isReplaced, replacedVersion, sameReplacedVersion, withReplacedVersion } from "./replaced-version.ts";
import type { ApplyBody } from "./apply-body.ts";
import { keepIgnoredFields } from "../spec/ignore-rules.ts";
import type { ItemCache } from "./item-cache.ts";
import type { ManifestItem } from "../spec/item.ts";
import type { Operand } from "../spec/operand-kinds.ts";
import { keyOfRef, liveRefId } from "../spec/live-ref.ts";
import { fieldManagerOf, isInherited, isMarkedForPruning, partLabel } from "../spec/labels-and-annotations.ts";
import { isInstalled } from "../spec/is-installed.ts";
import { failedOutcome, heldOutcome, waitingOutcome } from "./apply-outcome.ts";
import type { ApplyOutcome } from "./apply-outcome.ts";
import type { Reclaimed } from "./reclaim.ts";
import { disownObject, unmarkObject } from "../prune/disown.ts";
import { isShared, findFieldConflict } from "./field-conflict.ts";
import type { KindResolver } from "../spec/kind-resolver.ts";
import type { JobObject } from "../../steps/index.ts";
import { applyJob, deleteJob, isUnmarkedJob, markedItem } from "./apply-job.ts";
import { JobRuns } from "./job-runs.ts";
import { comparableObject } from "./comparable-object.ts";
import { accountOf, setClient } from "../spec/set-client.ts";

/** Options of {@link ItemApplier}. */
export interface ItemApplierOptions {
  /** Client with the rights of the operator. Requests about objects of the set use `setClient`. */
  readonly client: Client;
  readonly watched: WatchedObjects;
  readonly kinds: KindResolver;
  readonly operand: ObjectOf<Operand>;
  /** Inventory that owns the applied objects. */
  readonly inventory: KubeObject;
  readonly signal: AbortSignal;
  readonly cache: ItemCache;
  /** Detects other clients that revert applied fields. Absent in dry runs. */
  readonly contention?: Req<Operand>["contention"];
  /** Objects that are not read from the cache, by `refId`: see `Reclaimed`. */
  readonly live?: Reclaimed["live"];
  /** Reports whether an object is healthy. Default: all are. */
  readonly isReady?: (object: KubeObject, item: ManifestItem) => boolean;
  /** Sends dry-run requests only and writes nothing. Default false. */
  readonly dryRun?: boolean;
  /** Results of the Jobs of the set. Default: as recorded in the status. */
  readonly jobs?: JobRuns;
  /** Measures the timeouts of hooks. */
  readonly clock?: Pick<Clock, "now">;
}

/** Applies single objects of a set by server-side apply, and skips objects that are up to date already. */
export class ItemApplier {
  /** With the client for the objects of the set. */
  readonly #options: ItemApplierOptions;
  /** For Operands. */
  readonly #operandClient: Client;
  readonly #uid: string;
  readonly #jobs: JobRuns;
  readonly #adopter: FieldAdopter;

  constructor(options: ItemApplierOptions) {
    this.#options = { ...options, client: setClient(options.client, options.operand) };
    this.#operandClient = options.client;
    this.#jobs = options.jobs ?? new JobRuns(options.operand);
    this.#uid = options.operand.metadata.uid;
    this.#adopter = new FieldAdopter({ ...this.#options, operandClient: options.client });
  }

  /** Applies one object. Failures are returned as an outcome; rejects only when the operator stops. */
  async apply(item: ManifestItem): Promise<ApplyOutcome> {
    const found = this.#options.kinds.get(item.object);
    if (found === undefined) {
      return failedOutcome(
        "UnknownKind",
        `the cluster does not serve ${item.object.kind} in ${item.object.apiVersion}`,
      );
    }
    try {
      const live = this.#options.live?.get(liveRefId(item.ref));
      if (item.job !== undefined && !(live instanceof StatusError)) return await this.#applyJob(item, found.kind);
      if (this.#reportsOnly && !this.#isHandedOver(item)) return await this.#compare(item, found.kind);
      if (item.mode === "Ignore") return { kind: "applied", object: undefined, change: "none" };
      if (live instanceof StatusError) return applyFailure(item, live, this.#options);
      if (!found.isServed)
        return waitingOutcome("NotEstablished", `the cluster does not serve ${item.object.kind} yet`);
      const kept = await this.#keptReplacement(item);
      if (kept !== undefined) return { kind: "applied", object: kept, change: "none" };
      return item.mode === "EnsureExists"
        ? await this.#ensure(item, found.kind)
        : await this.#reconcile(item, found.kind);
    } catch (error) {
      this.#options.signal.throwIfAborted();
      return applyFailure(item, error, this.#options);
    }
  }

  /**
   * Returns the object of postInstall that replaces this one of steadyState, if this version was installed before: going
   * back to it would roll the object twice. An unhealthy object goes back, so that a fix in postInstall is reached.
   */
  async #keptReplacement(item: ManifestItem): Promise<KubeObject | undefined> {
    const { kinds, isReady } = this.#options;
    const found = item.replacedBy && kinds.get(item.replacedBy.object);
    if (item.replacedBy === undefined || found?.isServed !== true) return undefined;
    const live = await this.#present(item.replacedBy, found.kind);
    if (live === undefined || !isReplaced(item, live, this.#uid)) return undefined;
    return isReady === undefined || isReady(live, item) ? live : undefined;
  }

  /** True if drift is only reported: drift mode Report, once the set is fully installed. */
  get #reportsOnly(): boolean {
    const { operand } = this.#options;
    return operand.spec.drift.mode === "Report" && isInstalled(operand);
  }

  /** Applies a Job, which runs once for each content. */
  #applyJob(item: ManifestItem, kind: Kind): Promise<ApplyOutcome> {
    const write = (): Promise<ApplyOutcome> => {
      if (this.#reportsOnly && !this.#isHandedOver(item)) return this.#compare(item, kind);
      return item.mode === "EnsureExists" ? this.#ensure(item, kind) : this.#reconcile(item, kind);
    };
    return applyJob({
      ...this.#options,
      item,
      kind,
      runs: this.#jobs,
      operandClient: this.#operandClient,
      mode: this.#isDry ? "dry" : this.#reportsOnly ? "read" : "write",
      present: () => this.#present(item, kind),
      write,
      forget: () => this.#contention(item, kind)?.forget(),
    });
  }

  /** A handover is no drift: the object is applied once. */
  #isHandedOver(item: ManifestItem): boolean {
    const copy = item.mode === "Reconcile" ? this.cachedObject(item) : undefined;
    return copy !== undefined && isInherited(copy, this.#uid);
  }

  async #compare(item: ManifestItem, kind: Kind): Promise<ApplyOutcome> {
    const present = await this.#present(item, kind);
    // A prune annotation is bookkeeping, not drift.
    const object = present === undefined || this.#isDry ? present : await unmarkObject(kind, present, this.#options);
    const isUpToDate =
      item.mode !== "Reconcile" || (object !== undefined && (await this.isUpToDate(item, kind, object)));
    return { kind: "applied", object, change: isUpToDate ? "none" : "drifted" };
  }

  /**
   * Returns the cached object. Only labelled objects of kinds that can be watched are in the cache. It is shared by all
   * Operands, so one with a service account uses only objects with its own label from it: its account may be unable to
   * read the others.
   */
  cachedObject(item: ManifestItem): KubeObject | undefined {
    const { live = NONE_LIVE } = this.#options;
    const id = liveRefId(item.ref);
    if (live.has(id)) {
      const object = live.get(id);
      return object instanceof StatusError ? undefined : object;
    }
    const kind = this.#options.kinds.get(item.object)?.kind;
    if (kind === undefined || this.#options.watched.failure(kind) !== undefined) return undefined;
    const copy = this.#options.watched.get(kind, keyOfRef(item.ref));
    const isVisible =
      accountOf(this.#options.operand) === undefined || copy?.metadata.labels?.[partLabel(this.#uid)] !== undefined;
    return isVisible ? copy : undefined;
  }

  /** Returns the cached object; reads the server for a kind that cannot be watched, where the cache is empty. */
  async #present(item: ManifestItem, kind: Kind): Promise<KubeObject | undefined> {
    const isWatched = this.#options.watched.failure(kind) === undefined;
    return isWatched ? this.cachedObject(item) : liveObject(this.#options, kind, keyOfRef(item.ref));
  }

  /** Reports whether a cached object equals what would be applied. */
  isApplied(item: ManifestItem, kind: Kind, live: KubeObject): boolean {
    if (isMarkedForPruning(live)) return false;
    const { cache, inventory } = this.#options;
    if (cache.isEqual(live, item.object, inventory.metadata.uid)) return true;
    if (item.replaces === undefined && replacedVersion(live) !== undefined) return false;
    const body = this.#body(item, kind, live);
    const isUpToDate = containsBody(kind, live, body) || cache.has(live, body);
    if (isUpToDate) cache.setEqual(live, item.object, inventory.metadata.uid);
    return isUpToDate;
  }

  /**
   * Like `isApplied`, but asks the server with a dry run where the cached object alone is not conclusive, as with
   * defaults inside of atomic lists. Returns false if the server rejects the dry run.
   */
  async isUpToDate(item: ManifestItem, kind: Kind, live: KubeObject): Promise<boolean> {
    if (this.isApplied(item, kind, live)) return true;
    const { cache } = this.#options;
    const body = this.#body(item, kind, live);
    try {
      cache.add(await this.#request(kind, body, { uid: live.metadata.uid }, true), body);
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (!(error instanceof StatusError)) throw error;
      return false;
    }
    return cache.has(live, body);
  }

  #body(item: ManifestItem, kind: Kind, live: KubeObject | undefined): ApplyBody {
    const { operand, inventory } = this.#options;
    const declared = applyBodyOf(markedItem(item, live, this.#uid, this.#jobs), kind, this.#uid, inventory);
    const body = sameReplacedVersion(declared, item, live);
    return live === undefined ? body : keepIgnoredFields(body, live, item.ref, operand.spec.drift.ignore);
  }

  /** Creates the object if it is missing, never updates it. Adopts an existing one only with adoption Always. */
  async #ensure(item: ManifestItem, kind: Kind): Promise<ApplyOutcome> {
    const { operand } = this.#options;
    const copy = this.#ensuredCopy(item);
    const found = copy ?? (await liveObject(this.#options, kind, keyOfRef(item.ref)));
    if (found !== undefined) {
      if (this.#isDry) return { kind: "applied", object: found, change: "none" };
      const present = await unmarkObject(kind, found, this.#options);
      if (present === undefined) return waitingOutcome("Changing", "it was deleted while it was being read");
      const isForeign = present.metadata.labels?.[partLabel(this.#uid)] === undefined;
      if (isForeign && operand.spec.adoption === "Always") {
        const isTaken = await disownObject(kind, present, NONE, { addOperand: this.#uid }, this.#options);
        if (!isTaken) return waitingOutcome("Changing", "it changed during adoption");
      }
      return { kind: "applied", object: present, change: "none" };
    }
    const contest = this.#contention(item, kind)?.hold();
    if (contest !== undefined) return heldOutcome(item, contest);
    try {
      return await this.#send(item, kind, undefined);
    } catch (error) {
      // Another client created it first.
      if (!isConflict(error) && !isAlreadyExists(error)) throw error;
      return { kind: "applied", object: await liveObject(this.#options, kind, keyOfRef(item.ref)), change: "none" };
    }
  }

  /**
   * Returns the cached object for mode EnsureExists. Until the set is installed, an object of another Operand is read
   * from the server, because the cached object may lack that Operand's prune annotation.
   */
  #ensuredCopy(item: ManifestItem): KubeObject | undefined {
    const copy = this.cachedObject(item);
    const isOurs = copy?.metadata.labels?.[partLabel(this.#uid)] !== undefined;
    return isOurs || isInstalled(this.#options.operand) ? copy : undefined;
  }

  get #isDry(): boolean {
    return this.#options.dryRun === true;
  }

  async #reconcile(item: ManifestItem, kind: Kind): Promise<ApplyOutcome> {
    const present = await this.#present(item, kind);
    if (present !== undefined) return this.#update(item, kind, present);
    const contest = this.#contention(item, kind)?.hold();
    if (contest !== undefined) {
      // An object that lost our labels is not in the cache.
      const object = await liveObject(this.#options, kind, keyOfRef(item.ref));
      return object === undefined ? heldOutcome(item, contest) : { kind: "applied", object, change: "none", contest };
    }
    try {
      return await this.#send(item, kind, undefined);
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    const live = await liveObject(this.#options, kind, keyOfRef(item.ref));
    if (live === undefined)
      return waitingOutcome("Changing", "it was created and deleted by another client during apply");
    return this.#update(item, kind, live);
  }

  async #update(item: ManifestItem, kind: Kind, live: KubeObject): Promise<ApplyOutcome> {
    const refusal = adoptionRefusal(live, this.#options.operand);
    if (refusal !== undefined) return refusal;
    if (isDeleting(live)) return waitingOutcome("BeingDeleted", "it is being deleted; it is recreated once it is gone");
    const contention = this.#contention(item, kind);
    if (this.isApplied(item, kind, live)) {
      return { kind: "applied", object: live, change: "none", contest: contention?.seen() };
    }
    const contest = contention?.hold();
    if (contest !== undefined) return { kind: "applied", object: live, change: "none", contest };
    const conflict = await this.#fieldConflict(item, kind, live);
    if (conflict !== undefined) return conflict;
    try {
      return await this.#send(item, kind, live);
    } catch (error) {
      if (!isImmutableError(error)) {
        const body = withReplacedVersion(this.#body(item, kind, live), item);
        const send = this.#send.bind(this, item, kind);
        return applyWithoutItems({ ...this.#options, kind, live, body, error, send });
      }
      if (isUnmarkedJob(item, live, this.#uid) && !this.#isDry)
        return deleteJob({ ...this.#options, kind, mode: "write" }, live as JobObject);
      if (!item.recreate) throw error;
      return (await deleteToRecreate(this.#options, item, kind, live)) ?? this.#createAgain(item, kind);
    }
  }

  /** Recreates a deleted object at once: without our label it is not watched, so no event reports its deletion. */
  async #createAgain(item: ManifestItem, kind: Kind): Promise<ApplyOutcome> {
    try {
      return await this.#send(item, kind, undefined);
    } catch (error) {
      if (!isConflict(error)) throw error;
      return RECREATING;
    }
  }

  /** Applies an object. `before` is the object before our first write in this run, with managedFields. */
  async #send(
    item: ManifestItem,
    kind: Kind,
    live: KubeObject | undefined,
    before?: KubeObject,
  ): Promise<ApplyOutcome> {
    const dryRun = this.#isDry;
    const body = withReplacedVersion(this.#body(item, kind, live), item);
    const adoption =
      live &&
      (await this.#adopter.adopt(item, kind, live, (version) => this.#request(kind, body, version(body), true)));
    if (adoption?.kind === "changed") return waitingOutcome("Changing", "it changed during adoption");
    if (adoption?.kind === "expected") return { kind: "applied", object: adoption.object, change: "changed" };
    const version = live === undefined ? { resourceVersion: UNMATCHED_RESOURCE_VERSION } : { uid: live.metadata.uid };
    const contention = this.#contention(item, kind);
    const found = before ?? (contention?.needsManagers === true ? await this.#withManagers(item, kind, live) : live);
    const object = await this.#request(kind, body, version, dryRun);
    if (!dryRun) {
      await unmarkObject(kind, object, this.#options);
      if (!containsBody(kind, object, body)) this.#options.cache.add(object, body);
      this.#markEqual(item, object);
    }
    const contest = contention?.wrote(found, object);
    // A dry run returns the resourceVersion of the stored object.
    const isSame = !dryRun && live?.metadata.resourceVersion === object.metadata.resourceVersion;
    return { kind: "applied", object, change: live === undefined ? "created" : isSame ? "none" : "changed", contest };
  }

  #contention(item: ManifestItem, kind: Kind): ObjectContention | undefined {
    const { contention, inventory } = this.#options;
    return contention?.(kind, keyOfRef(item.ref), [item.object, inventory.metadata.uid]);
  }

  /** Returns the object with managedFields, which cached objects do not have. */
  async #withManagers(item: ManifestItem, kind: Kind, copy: KubeObject | undefined): Promise<KubeObject | undefined> {
    return copy === undefined ? undefined : ((await liveObject(this.#options, kind, keyOfRef(item.ref))) ?? copy);
  }

  /** Records the cached object as up to date if it has the returned version, which shortens the next comparison. */
  #markEqual(item: ManifestItem, { metadata: { resourceVersion } }: KubeObject): void {
    const copy = this.cachedObject(item);
    if (copy?.metadata.resourceVersion !== resourceVersion) return;
    const { cache, inventory } = this.#options;
    cache.setEqual(copy, item.object, inventory.metadata.uid);
  }

  /** Fails if another Operand's values win in a shared object: both would overwrite each other forever. */
  async #fieldConflict(item: ManifestItem, kind: Kind, live: KubeObject): Promise<ApplyOutcome | undefined> {
    if (!isShared(live, this.#uid)) return undefined;
    const { operand } = this.#options;
    const ask = (force: boolean): Promise<KubeObject> =>
      this.#request(kind, this.#body(item, kind, live), { uid: live.metadata.uid }, true, force);
    if (deepEqual(comparableObject(await ask(true), kind), comparableObject(live, kind))) return undefined;
    const conflicting = await ask(false).then(
      () => undefined,
      (error: unknown) => findFieldConflict(error, operand, { ...this.#options, client: this.#operandClient }),
    );
    if (conflicting === undefined || (operand.spec.conflicts === "Force" && !conflicting.wins)) return undefined;
    const owner = `operand/${conflicting.name}${conflicting.wins ? ", which is newer," : ""}`;
    return failedOutcome("Conflict", `${owner} sets other values: ${conflicting.fields.join(", ")}`);
  }

  /** Applies a body to the object that `version` names, as a dry run if requested. */
  #request(
    kind: Kind,
    body: ApplyBody,
    version: JsonObject,
    dryRun: boolean,
    force: boolean = this.#options.operand.spec.conflicts === "Force",
  ): Promise<KubeObject> {
    const { client, signal } = this.#options;
    const object = { ...body, metadata: { ...body.metadata, ...version } };
    return client.apply(kind, object, { force, fieldManager: fieldManagerOf(this.#uid), signal, dryRun });
  }
}

const NONE: ReadonlySet<string> = new Set();
const NONE_LIVE: Reclaimed["live"] = new Map();
