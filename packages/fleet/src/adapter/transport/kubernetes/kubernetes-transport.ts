/**
 * Keeps resources in a Kubernetes cluster by server-side apply: only what a manifest names is touched, and applying it again changes
 * nothing. What was applied carries a label and is watched, so that a finished Job or a drifted object is noticed when it happens.
 */
import { hashOf, InputError, isAbort, isAlreadyExists, isNotFound, StatusError, TransportError } from "@levelset/core";
import type { Clock, JsonObject, KubeObject, ObjectKey } from "@levelset/core";
import { Discovery } from "@levelset/operator";
import type { Applied, Cache, Client, ServedKind } from "@levelset/operator";
import type { PropagationPolicy } from "../../task/index.ts";
import { TransportFailure } from "../transport.ts";
import type { AppliedAs, ApplyOptions, Target, Transport } from "../transport.ts";
import { Followers } from "./followers.ts";
import { judgeJob } from "./job-rerun.ts";
import type { JobVerdict } from "./job-rerun.ts";
import { madeFrom, marked } from "./marks.ts";
import { newest } from "../generation.ts";

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

  constructor({ cache, adapter, clock }: KubernetesTransportOptions) {
    this.#followers = new Followers(cache, adapter);
    this.#client = cache.client(`levelset-adapter-${adapter}`, this.#followers);
    this.#discovery = new Discovery(this.#client);
    this.#clock = clock;
  }

  async find(target: Target, signal: AbortSignal): Promise<JsonObject | undefined> {
    return this.#guarded(target, async () => {
      const kind = await this.#served(target, signal);
      if (kind === undefined) return undefined;
      const found = await this.#find(kind, target, signal);
      if (found !== undefined) this.#followers.follow(kind);
      return found;
    });
  }

  async #find(kind: ServedKind, target: Target, signal: AbortSignal): Promise<JsonObject | undefined> {
    const { by } = target;
    if (by.kind === "name") return this.#get(kind, keyOf(kind, target, by.name), signal);
    const labels = Object.entries(by.labels).map(([key, value]) => `${key}=${value}`);
    const found = await this.#client.list(kind, {
      namespace: namespaceOf(kind, target),
      labels: labels.join(","),
      signal,
    });
    return newest(found.items.map(jsonOf));
  }

  async apply(
    target: Target,
    manifest: JsonObject,
    live: JsonObject | undefined,
    options: ApplyOptions,
  ): Promise<{ readonly as: AppliedAs; readonly live: JsonObject }> {
    return this.#writing(target, async () => {
      const kind = await this.#discovery.kindOf(target, { signal: options.signal });
      const { made, verdict } = this.#judge(kind, manifest, live, options);
      if (verdict === "keep" && live !== undefined) return { as: "unchanged", live };
      const desired = marked(manifest, options.mark, made);
      if (verdict === "rerun" && live !== undefined) await this.#removeFirst(kind, live, options.signal);
      // A manifest is data that the server checks; its metadata has a name, or the server says so.
      const applied = jsonOf(
        await this.#client.apply(kind, desired as unknown as Applied<ServedKind>, {
          force: true,
          signal: options.signal,
        }),
      );
      this.#followers.follow(kind);
      if (live === undefined) return { as: "created", live: applied };
      if (verdict === "rerun") return { as: "recreated", live: applied };
      return { as: versionOf(live) === versionOf(applied) ? "unchanged" : "updated", live: applied };
    });
  }

  async remove(target: Target, live: JsonObject, policy: PropagationPolicy, signal: AbortSignal): Promise<void> {
    await this.#writing(target, async () => {
      const kind = await this.#served(target, signal);
      if (kind !== undefined) await this.#delete(kind, live, policy, signal);
    });
  }

  onChange(changed: (resourceId: string) => void): () => void {
    return this.#followers.listen(changed);
  }

  /** Ends the watches. */
  close(): void {
    this.#followers.close();
  }

  /** Whether an object is applied, left alone, or made anew. Only Jobs are ever left alone: their template cannot be changed. */
  #judge(
    kind: ServedKind,
    manifest: JsonObject,
    live: JsonObject | undefined,
    { isRecreated, mark }: ApplyOptions,
  ): {
    readonly made: { readonly hash: string; readonly attempt: number } | undefined;
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
  async #removeFirst(kind: ServedKind, live: JsonObject, signal: AbortSignal): Promise<void> {
    await this.#delete(kind, live, "Background", signal);
    const { metadata } = objectOf(live);
    const still = await this.#get(kind, metadata, signal);
    if (still !== undefined && objectOf(still).metadata.uid === metadata.uid) {
      throw new TransportFailure(`${kind.kind} ${metadata.name} is still being deleted`, true);
    }
  }

  async #delete(kind: ServedKind, live: JsonObject, policy: PropagationPolicy, signal: AbortSignal): Promise<void> {
    const { metadata } = objectOf(live);
    if (metadata.deletionTimestamp !== undefined) return;
    const uid = metadata.uid === undefined ? {} : { uid: metadata.uid };
    try {
      await this.#client.delete(kind, metadata, { propagation: policy, ...uid, signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
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
        throw new TransportFailure(`${what}: ${error.message}`, isTransient, { cause: error });
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

/** An object of the server, as the data it is. */
function jsonOf(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}

/** Data that came from the server, as the object it is. */
function objectOf(object: JsonObject): KubeObject {
  return object as unknown as KubeObject;
}
