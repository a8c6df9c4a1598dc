/**
 * Manages objects in a Kubernetes cluster with server-side apply: only the fields of a manifest are written, and
 * applying it again changes nothing. Applied objects carry a label and are watched, so that finished Jobs and drift
 * are noticed at once.
 *
 * Every write has a precondition: a create succeeds only if the object does not exist, an update or deletion only for
 * the resourceVersion that was checked against the claim.
 */
import {
  hashJson,
  InputError,
  isAbortError,
  isAlreadyExists,
  isConflict,
  isNotFound,
  StatusError,
  TransportError,
} from "@levelset/core";
import type { Clock, JsonObject, KubeObject, ObjectKey, Timer } from "@levelset/core";
import { Contention, describeDispute, UNMATCHED_RESOURCE_VERSION } from "@levelset/operator/internal";
import { Discovery } from "@levelset/operator";
import type { ApplyConfiguration, Cache, Client, ServedKind } from "@levelset/operator";
import type { Contest } from "@levelset/operator/internal";
import { metadataOf, nameOf } from "../../json-parts.ts";
import { ContestedObjectError } from "../contested-object-error.ts";
import { newestFirst } from "../generation.ts";
import { withOwnerLabels } from "../owner-labels.ts";
import type { OwnerInfo } from "../owner-labels.ts";
import { isClaimed, NotOwnedError, ownershipOf } from "../ownership.ts";
import type { OwnerClaim, Ownership } from "../ownership.ts";
import type {
  TransportApplyResult,
  TransportApplyOptions,
  RemoveOptions,
  ObjectLocator,
  Transport,
} from "../transport.ts";
import { AdapterTransportError } from "../adapter-transport-error.ts";
import { ClusterWatches } from "./cluster-watches.ts";
import { jobOriginAnnotations, jobOriginOf } from "./job-origin.ts";
import { decideJobRerun } from "./job-rerun.ts";
import type { JobOrigin, JobRerunDecision } from "./job-rerun.ts";

/** Attempts of a write that fails with a conflict because the object changed after it was read. */
const ATTEMPTS_MAX = 5;

/** Options of {@link KubernetesTransport}. */
export interface KubernetesTransportOptions {
  readonly cache: Cache;
  /** Name of the adapter, used as field manager. */
  readonly adapter: string;
  readonly clock: Clock;
}

/** Transport for a Kubernetes cluster. Methods reject with an AdapterTransportError. */
export class KubernetesTransport implements Transport {
  readonly kind = "kubernetes";
  readonly #client: Client;
  readonly #discovery: Discovery;
  readonly #subscribers: ClusterWatches;
  readonly #clock: Clock;
  readonly #contention: Contention;
  /** Timers of the next runs for contested objects, by fleet resource ID. */
  readonly #due = new Map<string, { readonly at: number; readonly timer: Timer }>();

  constructor({ cache, adapter, clock }: KubernetesTransportOptions) {
    this.#clock = clock;
    this.#contention = new Contention(clock);
    this.#subscribers = new ClusterWatches({
      cache,
      adapter,
      clock,
      onExpired: (writer, kind, { metadata }) =>
        this.#contention.of({ writer, kind, key: metadata, desired: null }).forget(),
    });
    this.#client = cache.client(`levelset-adapter-${adapter}`, this.#subscribers);
    this.#discovery = new Discovery(this.#client);
  }

  ownership(object: JsonObject, mark: OwnerInfo): Ownership {
    return ownershipOf(object, mark);
  }

  async find(target: ObjectLocator, signal: AbortSignal): Promise<readonly JsonObject[]> {
    return this.#convertErrors(target, async () => {
      const kind = await this.#served(target, signal);
      if (kind === undefined) return [];
      const found = await this.#find(kind, target, signal);
      if (found.length > 0) this.#subscribers.watch(kind);
      return found;
    });
  }

  async #find(kind: ServedKind, target: ObjectLocator, signal: AbortSignal): Promise<readonly JsonObject[]> {
    const { by } = target;
    if (by.kind === "name") {
      const found = await this.#get(kind, keyOf(kind, target, by.name), signal);
      return found === undefined ? [] : [found];
    }
    const labels = Object.entries(by.labels).map(([key, value]) => `${key}=${value}`);
    const found = await this.#client.list(kind, {
      namespace: namespaceOf(kind, target),
      labels: labels.join(","),
      signal,
    });
    return newestFirst(found.items.map(jsonOf));
  }

  async apply(
    target: ObjectLocator,
    manifest: JsonObject,
    live: JsonObject | undefined,
    options: TransportApplyOptions,
  ): Promise<{ readonly as: TransportApplyResult; readonly live: JsonObject }> {
    return this.#writing(target, async () => {
      const kind = await this.#discovery.kindOf(target, { signal: options.signal });
      const key = keyIn(manifest);
      let found = live;
      let named = live !== undefined && isAt(live, key) ? live : await this.#get(kind, key, options.signal);
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.#applyTo(kind, manifest, found, named, options);
        } catch (error) {
          if (!isConflict(error) || attempt === ATTEMPTS_MAX) throw error;
        }
        named = await this.#get(kind, key, options.signal);
        if (found !== undefined && isAt(found, key)) found = named;
      }
    });
  }

  /**
   * One attempt. `named` is the current object of the manifest's name. Rejects with a Conflict if it has changed since
   * it was read.
   */
  async #applyTo(
    kind: ServedKind,
    manifest: JsonObject,
    found: JsonObject | undefined,
    named: JsonObject | undefined,
    options: TransportApplyOptions,
  ): Promise<{ readonly as: TransportApplyResult; readonly live: JsonObject }> {
    if (named !== undefined) check(named, options);
    const live = found ?? named;
    const { origin, verdict } = this.#evaluate(kind, manifest, live, options);
    if (verdict === "keep" && live !== undefined) return this.#keep(kind, live, options);
    const { owner } = options;
    const target = { writer: owner.resourceId, kind, key: keyIn(manifest), desired: [owner.generation ?? 0, manifest] };
    const contention = this.#contention.of(target);
    if (verdict === "rerun" && live !== undefined) {
      contention.forget();
      await this.#removeFirst(kind, live, options);
    }
    this.#refuse(contention.hold(), manifest, named, owner);
    const base = verdict === "rerun" && live !== undefined && isAt(live, keyIn(manifest)) ? undefined : named;
    const applied = await this.#send(
      kind,
      withOwnerLabels(manifest, owner, base, jobOriginAnnotations(origin)),
      base,
      options,
    );
    this.#subscribers.watch(kind);
    const before = base === undefined ? undefined : objectOf(base);
    this.#refuse(contention.wrote(before, objectOf(applied)), manifest, applied, owner);
    if (verdict === "rerun") return { as: "recreated", live: applied };
    if (base === undefined) return { as: "created", live: applied };
    return { as: versionOf(base) === versionOf(applied) ? "unchanged" : "updated", live: applied };
  }

  /** Throws if an object is contested, and schedules the next run. */
  #refuse(
    contest: Contest | undefined,
    manifest: JsonObject,
    live: JsonObject | undefined,
    { resourceId }: OwnerInfo,
  ): void {
    if (contest === undefined) return;
    this.#runAgain(resourceId, contest.afterMs);
    const { kind, metadata } = objectOf(manifest);
    throw new ContestedObjectError(describeDispute(`${kind.toLowerCase()}/${metadata.name}`, contest.dispute), live);
  }

  /** Schedules a run in `afterMs` or earlier. */
  #runAgain(resourceId: string, afterMs: number): void {
    const at = this.#clock.monotonic() + afterMs;
    const earlier = this.#due.get(resourceId);
    if (earlier !== undefined && earlier.at <= at) return;
    earlier?.timer.cancel();
    const timer = this.#clock.after(afterMs, () => {
      this.#due.delete(resourceId);
      this.#subscribers.notify(resourceId);
    });
    this.#due.set(resourceId, { at, timer });
  }

  /** Leaves the spec unchanged. An adopted object gets the owner labels. */
  async #keep(
    kind: ServedKind,
    live: JsonObject,
    options: TransportApplyOptions,
  ): Promise<{ readonly as: TransportApplyResult; readonly live: JsonObject }> {
    if (ownershipOf(live, options.owner).kind === "ours") return { as: "unchanged", live };
    const { name, namespace } = objectOf(live).metadata;
    const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
    return {
      as: "updated",
      live: await this.#send(kind, withOwnerLabels({ metadata }, options.owner, live), live, options),
    };
  }

  /** Creates only a missing object, and updates only the version that was read. */
  async #send(
    kind: ServedKind,
    desired: JsonObject,
    base: JsonObject | undefined,
    { signal }: TransportApplyOptions,
  ): Promise<JsonObject> {
    const { uid, resourceVersion } =
      base === undefined ? { resourceVersion: UNMATCHED_RESOURCE_VERSION } : objectOf(base).metadata;
    const metadata = { ...metadataOf(desired), ...(uid === undefined ? {} : { uid }), resourceVersion };
    // The server validates the manifest, including its name.
    const body = { ...desired, metadata } as unknown as ApplyConfiguration<ServedKind>;
    return jsonOf(await this.#client.apply(kind, body, { force: true, signal }));
  }

  async delete(target: ObjectLocator, live: JsonObject, options: RemoveOptions): Promise<void> {
    await this.#writing(target, async () => {
      const kind = await this.#served(target, options.signal);
      if (kind !== undefined) await this.#delete(kind, live, options);
    });
  }

  onChange(changed: (resourceId: string) => void): () => void {
    return this.#subscribers.subscribe(changed);
  }

  /** Stops the watches. */
  close(): void {
    for (const { timer } of this.#due.values()) timer.cancel();
    this.#due.clear();
    this.#subscribers.close();
  }

  /**
   * Decides whether an object is applied, kept, or recreated. Only Jobs are ever kept, since a Job's template is
   * immutable.
   */
  #evaluate(
    kind: ServedKind,
    manifest: JsonObject,
    live: JsonObject | undefined,
    { recreate, owner }: TransportApplyOptions,
  ): {
    readonly origin: JobOrigin | undefined;
    readonly verdict: "apply" | JobRerunDecision["kind"];
  } {
    if (kind.group !== "batch" || kind.kind !== "Job") {
      return { origin: undefined, verdict: recreate ? "rerun" : "apply" };
    }
    const hash = hashJson({ manifest, generation: owner.generation ?? null });
    if (live === undefined) return { origin: { hash, attempt: 1 }, verdict: "apply" };
    const verdict = recreate
      ? ({ kind: "rerun", attempt: 1 } as const)
      : decideJobRerun(live, jobOriginOf(live), hash, this.#clock.now());
    return { origin: { hash, attempt: verdict.kind === "rerun" ? verdict.attempt : 1 }, verdict: verdict.kind };
  }

  /**
   * The object must be gone before it can be recreated. If a finalizer blocks the deletion, the next pulse or change
   * continues.
   */
  async #removeFirst(kind: ServedKind, live: JsonObject, options: TransportApplyOptions): Promise<void> {
    await this.#delete(kind, live, { ...options, policy: "Background" });
    const { metadata } = objectOf(live);
    const still = await this.#get(kind, metadata, options.signal);
    if (still !== undefined && objectOf(still).metadata.uid === metadata.uid) {
      throw new AdapterTransportError(`${kind.kind} ${metadata.name} is still being deleted`, true, {
        means: "progressing",
      });
    }
  }

  /**
   * Deletes only the version that was checked against the claim. An object of another owner with the same name is left
   * alone.
   */
  async #delete(kind: ServedKind, object: JsonObject, { policy, signal, ...claim }: RemoveOptions): Promise<void> {
    let live: JsonObject | undefined = object;
    for (let attempt = 1; live !== undefined && isClaimed(ownershipOf(live, claim.owner), claim); attempt += 1) {
      const { metadata } = objectOf(live);
      if (metadata.deletionTimestamp !== undefined) return;
      const { uid, resourceVersion } = metadata;
      try {
        await this.#client.delete(kind, metadata, { propagationPolicy: policy, uid, resourceVersion, signal });
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        if (!isConflict(error) || attempt === ATTEMPTS_MAX) throw error;
      }
      live = await this.#get(kind, metadata, signal);
    }
  }

  async #get(kind: ServedKind, key: ObjectKey, signal: AbortSignal): Promise<JsonObject | undefined> {
    try {
      return jsonOf(await this.#client.get(kind, key, { signal }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Returns the kind if the cluster serves it. Objects of an unserved kind do not exist. */
  async #served(target: ObjectLocator, signal: AbortSignal): Promise<ServedKind | undefined> {
    try {
      return await this.#discovery.kindOf(target, { signal });
    } catch (error) {
      if (error instanceof InputError) return undefined;
      throw error;
    }
  }

  #writing<Out>(target: ObjectLocator, work: () => Promise<Out>): Promise<Out> {
    return this.#convertErrors(target, () => this.#subscribers.during(work));
  }

  async #convertErrors<Out>({ kind, by }: ObjectLocator, work: () => Promise<Out>): Promise<Out> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AdapterTransportError || isAbortError(error)) throw error;
      const what = by.kind === "name" ? `${kind} ${by.name}` : kind;
      if (error instanceof StatusError) {
        // Permissions and names in use can change without a change of the manifest.
        const isTransient = error.retryStrategy !== "never" || isAlreadyExists(error) || error.reason === "Forbidden";
        const means = error.reason === "Invalid" || error.reason === "BadRequest" ? "failed" : "undetermined";
        throw new AdapterTransportError(`${what}: ${error.message}`, isTransient, { cause: error, means });
      }
      if (error instanceof TransportError || error instanceof InputError) {
        throw new AdapterTransportError(`${what}: ${error.message}`, true, { cause: error });
      }
      throw error;
    }
  }
}

function keyOf(kind: ServedKind, target: ObjectLocator, name: string): ObjectKey {
  const namespace = namespaceOf(kind, target);
  return namespace === undefined ? { name } : { namespace, name };
}

/** Returns the default namespace of a namespaced kind if none is given. */
function namespaceOf(kind: ServedKind, { namespace }: ObjectLocator): string | undefined {
  return kind.scope === "Namespaced" ? (namespace ?? "default") : undefined;
}

function versionOf(object: JsonObject): string | undefined {
  return objectOf(object).metadata.resourceVersion;
}

/** Throws a NotOwnedError if the claim does not cover the object. */
function check(object: JsonObject, claim: OwnerClaim): void {
  const ownership = ownershipOf(object, claim.owner);
  if (!isClaimed(ownership, claim)) throw new NotOwnedError(object, ownership);
}

/** Returns name and namespace of a manifest. */
function keyIn(manifest: JsonObject): ObjectKey {
  const { namespace } = metadataOf(manifest);
  return { name: nameOf(manifest), ...(typeof namespace === "string" ? { namespace } : {}) };
}

function isAt(object: JsonObject, { namespace, name }: ObjectKey): boolean {
  const { metadata } = objectOf(object);
  return metadata.name === name && (metadata.namespace ?? "") === (namespace ?? "");
}

/** Casts an object of the server to JSON data. */
function jsonOf(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}

/** Casts JSON data of the server to an object. */
function objectOf(object: JsonObject): KubeObject {
  return object as unknown as KubeObject;
}
