/**
 * Keeps resources in a Kubernetes cluster by server-side apply: only what a manifest names is touched, and applying it again changes
 * nothing. What was applied carries a label and is watched, so that a finished Job or a drifted object is noticed when it happens.
 *
 * Every write is guarded: a create succeeds only where nothing is, a change and a deletion only on the very version that was seen to be
 * covered by the claim.
 */
import {
  hashOf,
  InputError,
  isAbort,
  isAlreadyExists,
  isConflict,
  isNotFound,
  StatusError,
  TransportError,
} from "@levelset/core";
import type { Clock, JsonObject, KubeObject, ObjectKey, Timer } from "@levelset/core";
import { Contention, describeDispute, Discovery, NO_VERSION } from "@levelset/operator";
import type { Applied, Cache, Client, Contest, ServedKind } from "@levelset/operator";
import { metadataOf, nameOf } from "../../json-parts.ts";
import { ContestedFailure } from "../contested-failure.ts";
import { newestFirst } from "../generation.ts";
import { marked } from "../marks.ts";
import type { Mark } from "../marks.ts";
import { isClaimed, NotOurs, ownershipOf } from "../ownership.ts";
import type { Claim, Ownership } from "../ownership.ts";
import type { AppliedAs, ApplyOptions, RemoveOptions, Target, Transport } from "../transport.ts";
import { TransportFailure } from "../transport-failure.ts";
import { Followers } from "./followers.ts";
import { madeAnnotations, madeFrom } from "./job-marks.ts";
import { judgeJob } from "./job-rerun.ts";
import type { JobMade, JobVerdict } from "./job-rerun.ts";

/** How often a write is tried that was refused because the object changed since it was read. */
const ATTEMPTS_MAX = 5;

/** What the transport needs. */
export interface KubernetesTransportOptions {
  readonly cache: Cache;
  /** The adapter's name: the manager of the fields that it applies. */
  readonly adapter: string;
  readonly clock: Clock;
}

/** The transport. */
export class KubernetesTransport implements Transport {
  readonly kind = "kubernetes";
  readonly #client: Client;
  readonly #discovery: Discovery;
  readonly #followers: Followers;
  readonly #clock: Clock;
  readonly #contention: Contention;
  /** When contested objects are due again, by the id of the fleet's resource. */
  readonly #due = new Map<string, { readonly at: number; readonly timer: Timer }>();

  constructor({ cache, adapter, clock }: KubernetesTransportOptions) {
    this.#clock = clock;
    this.#contention = new Contention(clock);
    this.#followers = new Followers({
      cache,
      adapter,
      clock,
      onExpired: (writer, kind, { metadata }) =>
        this.#contention.of({ writer, kind, key: metadata, desired: null }).forget(),
    });
    this.#client = cache.client(`levelset-adapter-${adapter}`, this.#followers);
    this.#discovery = new Discovery(this.#client);
  }

  ownership(object: JsonObject, mark: Mark): Ownership {
    return ownershipOf(object, mark);
  }

  async find(target: Target, signal: AbortSignal): Promise<readonly JsonObject[]> {
    return this.#guarded(target, async () => {
      const kind = await this.#served(target, signal);
      if (kind === undefined) return [];
      const found = await this.#find(kind, target, signal);
      if (found.length > 0) this.#followers.follow(kind);
      return found;
    });
  }

  async #find(kind: ServedKind, target: Target, signal: AbortSignal): Promise<readonly JsonObject[]> {
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
    target: Target,
    manifest: JsonObject,
    live: JsonObject | undefined,
    options: ApplyOptions,
  ): Promise<{ readonly as: AppliedAs; readonly live: JsonObject }> {
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

  /** One try. `named` is what has the manifest's name now. Rejects with a Conflict if that has changed since it was read. */
  async #applyTo(
    kind: ServedKind,
    manifest: JsonObject,
    found: JsonObject | undefined,
    named: JsonObject | undefined,
    options: ApplyOptions,
  ): Promise<{ readonly as: AppliedAs; readonly live: JsonObject }> {
    if (named !== undefined) check(named, options);
    const live = found ?? named;
    const { made, verdict } = this.#judge(kind, manifest, live, options);
    if (verdict === "keep" && live !== undefined) return this.#keep(kind, live, options);
    const { mark } = options;
    const target = { writer: mark.resourceId, kind, key: keyIn(manifest), desired: [mark.generation ?? 0, manifest] };
    const contention = this.#contention.of(target);
    if (verdict === "rerun" && live !== undefined) {
      contention.forget();
      await this.#removeFirst(kind, live, options);
    }
    this.#refuse(contention.hold(), manifest, named, mark);
    const base = verdict === "rerun" && live !== undefined && isAt(live, keyIn(manifest)) ? undefined : named;
    const applied = await this.#send(kind, marked(manifest, mark, base, madeAnnotations(made)), base, options);
    this.#followers.follow(kind);
    const before = base === undefined ? undefined : objectOf(base);
    this.#refuse(contention.wrote(before, objectOf(applied)), manifest, applied, mark);
    if (verdict === "rerun") return { as: "recreated", live: applied };
    if (base === undefined) return { as: "created", live: applied };
    return { as: versionOf(base) === versionOf(applied) ? "unchanged" : "updated", live: applied };
  }

  /** Throws if an object is contested, and asks for another run when it is due. */
  #refuse(
    contest: Contest | undefined,
    manifest: JsonObject,
    live: JsonObject | undefined,
    { resourceId }: Mark,
  ): void {
    if (contest === undefined) return;
    this.#runAgain(resourceId, contest.afterMs);
    const { kind, metadata } = objectOf(manifest);
    throw new ContestedFailure(describeDispute(`${kind.toLowerCase()}/${metadata.name}`, contest.dispute), live);
  }

  /** Asks for a run in `afterMs` at the latest. */
  #runAgain(resourceId: string, afterMs: number): void {
    const at = this.#clock.monotonic() + afterMs;
    const earlier = this.#due.get(resourceId);
    if (earlier !== undefined && earlier.at <= at) return;
    earlier?.timer.cancel();
    const timer = this.#clock.after(afterMs, () => {
      this.#due.delete(resourceId);
      this.#followers.notify(resourceId);
    });
    this.#due.set(resourceId, { at, timer });
  }

  /** An object whose spec is left alone. One that is adopted gets the marks of its owner. */
  async #keep(
    kind: ServedKind,
    live: JsonObject,
    options: ApplyOptions,
  ): Promise<{ readonly as: AppliedAs; readonly live: JsonObject }> {
    if (ownershipOf(live, options.mark).kind === "ours") return { as: "unchanged", live };
    const { name, namespace } = objectOf(live).metadata;
    const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
    return { as: "updated", live: await this.#send(kind, marked({ metadata }, options.mark, live), live, options) };
  }

  /** Creates only where nothing is, and changes only the version that was read. */
  async #send(
    kind: ServedKind,
    desired: JsonObject,
    base: JsonObject | undefined,
    { signal }: ApplyOptions,
  ): Promise<JsonObject> {
    const { uid, resourceVersion } = base === undefined ? { resourceVersion: NO_VERSION } : objectOf(base).metadata;
    const metadata = { ...metadataOf(desired), ...(uid === undefined ? {} : { uid }), resourceVersion };
    // A manifest is data that the server checks; its metadata has a name, or the server says so.
    const body = { ...desired, metadata } as unknown as Applied<ServedKind>;
    return jsonOf(await this.#client.apply(kind, body, { force: true, signal }));
  }

  async remove(target: Target, live: JsonObject, options: RemoveOptions): Promise<void> {
    await this.#writing(target, async () => {
      const kind = await this.#served(target, options.signal);
      if (kind !== undefined) await this.#delete(kind, live, options);
    });
  }

  onChange(changed: (resourceId: string) => void): () => void {
    return this.#followers.listen(changed);
  }

  /** Ends the watches. */
  close(): void {
    for (const { timer } of this.#due.values()) timer.cancel();
    this.#due.clear();
    this.#followers.close();
  }

  /** Whether an object is applied, left alone, or made anew. Only Jobs are ever left alone: their template cannot be changed. */
  #judge(
    kind: ServedKind,
    manifest: JsonObject,
    live: JsonObject | undefined,
    { isRecreated, mark }: ApplyOptions,
  ): {
    readonly made: JobMade | undefined;
    readonly verdict: "apply" | JobVerdict["kind"];
  } {
    if (kind.group !== "batch" || kind.kind !== "Job") {
      return { made: undefined, verdict: isRecreated ? "rerun" : "apply" };
    }
    const hash = hashOf({ manifest, generation: mark.generation ?? null });
    if (live === undefined) return { made: { hash, attempt: 1 }, verdict: "apply" };
    const verdict = isRecreated
      ? ({ kind: "rerun", attempt: 1 } as const)
      : judgeJob(live, madeFrom(live), hash, this.#clock.now());
    return { made: { hash, attempt: verdict.kind === "rerun" ? verdict.attempt : 1 }, verdict: verdict.kind };
  }

  /** The object must be gone before it can be made anew; one that stays, because something holds it, is waited for by the next pulse or change. */
  async #removeFirst(kind: ServedKind, live: JsonObject, options: ApplyOptions): Promise<void> {
    await this.#delete(kind, live, { ...options, policy: "Background" });
    const { metadata } = objectOf(live);
    const still = await this.#get(kind, metadata, options.signal);
    if (still !== undefined && objectOf(still).metadata.uid === metadata.uid) {
      throw new TransportFailure(`${kind.kind} ${metadata.name} is still being deleted`, true, {
        means: "progressing",
      });
    }
  }

  /** Deletes only the very version that was seen to be covered by the claim; what another owner has in its place now is left alone. */
  async #delete(kind: ServedKind, object: JsonObject, { policy, signal, ...claim }: RemoveOptions): Promise<void> {
    let live: JsonObject | undefined = object;
    for (let attempt = 1; live !== undefined && isClaimed(ownershipOf(live, claim.mark), claim); attempt += 1) {
      const { metadata } = objectOf(live);
      if (metadata.deletionTimestamp !== undefined) return;
      const { uid, resourceVersion } = metadata;
      try {
        await this.#client.delete(kind, metadata, { propagation: policy, uid, resourceVersion, signal });
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

  /** The kind, if the cluster has it: what is of a kind that it does not have is not there. */
  async #served(target: Target, signal: AbortSignal): Promise<ServedKind | undefined> {
    try {
      return await this.#discovery.kindOf(target, { signal });
    } catch (error) {
      if (error instanceof InputError) return undefined;
      throw error;
    }
  }

  #writing<Out>(target: Target, work: () => Promise<Out>): Promise<Out> {
    return this.#guarded(target, () => this.#followers.during(work));
  }

  async #guarded<Out>({ kind, by }: Target, work: () => Promise<Out>): Promise<Out> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof TransportFailure || isAbort(error)) throw error;
      const what = by.kind === "name" ? `${kind} ${by.name}` : kind;
      if (error instanceof StatusError) {
        // Rights and names in use change without any change of the manifest.
        const isTransient = error.remedy !== "never" || isAlreadyExists(error) || error.reason === "Forbidden";
        const means = error.reason === "Invalid" || error.reason === "BadRequest" ? "failed" : "unjudged";
        throw new TransportFailure(`${what}: ${error.message}`, isTransient, { cause: error, means });
      }
      if (error instanceof TransportError || error instanceof InputError) {
        throw new TransportFailure(`${what}: ${error.message}`, true, { cause: error });
      }
      throw error;
    }
  }
}

function keyOf(kind: ServedKind, target: Target, name: string): ObjectKey {
  const namespace = namespaceOf(kind, target);
  return namespace === undefined ? { name } : { namespace, name };
}

/** Where an object of a namespaced kind is looked for when nothing says so. */
function namespaceOf(kind: ServedKind, { namespace }: Target): string | undefined {
  return kind.scope === "Namespaced" ? (namespace ?? "default") : undefined;
}

function versionOf(object: JsonObject): string | undefined {
  return objectOf(object).metadata.resourceVersion;
}

/** Refuses an object that the claim does not cover. */
function check(object: JsonObject, claim: Claim): void {
  const ownership = ownershipOf(object, claim.mark);
  if (!isClaimed(ownership, claim)) throw new NotOurs(object, ownership);
}

/** The name and namespace that a manifest says. */
function keyIn(manifest: JsonObject): ObjectKey {
  const { namespace } = metadataOf(manifest);
  return { name: nameOf(manifest), ...(typeof namespace === "string" ? { namespace } : {}) };
}

function isAt(object: JsonObject, { namespace, name }: ObjectKey): boolean {
  const { metadata } = objectOf(object);
  return metadata.name === name && (metadata.namespace ?? "") === (namespace ?? "");
}

/** An object of the server, as the data it is. */
function jsonOf(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}

/** Data that came from the server, as the object it is. */
function objectOf(object: JsonObject): KubeObject {
  return object as unknown as KubeObject;
}
