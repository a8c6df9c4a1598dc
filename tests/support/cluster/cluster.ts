import { isNotFound } from "@levelset/core";
import type {
  AnyCustomKind,
  Fetch,
  JsonObject,
  Kind,
  NewMeta,
  NewOf,
  ObjectKey,
  ObjectOf,
  Runnable,
} from "@levelset/core";
import type { FaultyFetch } from "@levelset/core/testing";
import type { RunnableHandle } from "@levelset/apiserver/testing";
import { Client, manager } from "@levelset/operator";
import type { ManagedOperator } from "@levelset/operator";
import { pollUntil } from "../poll-until.ts";
import type { Polled } from "../poll-until.ts";

/** A manifest without namespace: that of the test is added. */
export type Manifest<K extends Kind> = Omit<NewOf<K>, "metadata"> & {
  readonly metadata: NewMeta & { readonly name: string };
};

/** What kinds of clusters differ in. */
export interface ClusterSetup {
  /** Namespace of the test. */
  readonly namespace: string;
  /** Fetch of the test itself. */
  readonly fetch: Fetch;
  /** Faults between the cluster and the processes under test. */
  readonly faults: FaultyFetch;
  /** Factor for the time limits of tests. */
  readonly timeoutFactor: number;
}

/**
 * A cluster with a namespace for one test: objects by kind and name, processes under test, and waits. A
 * {@link file://./virtual-cluster.ts VirtualCluster} runs in memory under a virtual clock, a
 * {@link file://./server-cluster.ts ServerCluster} on a socket: the embedded server or kube-apiserver.
 */
export abstract class Cluster implements AsyncDisposable {
  readonly namespace: string;
  readonly fetch: Fetch;
  readonly faults: FaultyFetch;
  readonly timeoutFactor: number;
  readonly client: Client;

  protected constructor({ namespace, fetch, faults, timeoutFactor }: ClusterSetup) {
    this.namespace = namespace;
    this.fetch = fetch;
    this.faults = faults;
    this.timeoutFactor = timeoutFactor;
    this.client = new Client({ fetch, fieldManager: "scenario" });
  }

  abstract now(): number;
  abstract install(kind: AnyCustomKind): Promise<void>;
  /** Starts a process. It is stopped with the cluster. */
  abstract start(runnable: Runnable): RunnableHandle;
  /** Returns the value of a promise, advancing the clock until it settles. */
  abstract advanceUntil<T>(promise: Promise<T>): Promise<T>;
  /** Advances the clock while no change is expected. On a real server it waits only a short time. */
  abstract idle(ms: number): Promise<void>;
  abstract [Symbol.asyncDispose](): Promise<void>;

  /** Polls until there is a value that is neither undefined nor false. */
  eventually<T>(what: string, poll: () => Polled<T>): Promise<T> {
    const clock = { now: () => this.now(), sleep: (ms: number) => this.idle(ms) };
    const timeoutMs = this.timeoutFactor > 1 ? 120_000 : 30_000;
    return pollUntil(what, poll, { clock, timeoutMs, pollMs: 50 });
  }

  /** Starts operators in one process, for the objects of this namespace. */
  async run(...operators: readonly ManagedOperator[]): Promise<RunnableHandle> {
    for (const kind of operators.flatMap(({ kinds }) => kinds)) await this.install(kind);
    return this.start(manager(operators, { namespaces: [this.namespace] }));
  }

  async create<K extends Kind>(kind: K, manifest: Manifest<K>): Promise<ObjectOf<K>> {
    const metadata = { ...manifest.metadata, ...this.#key(kind, manifest.metadata.name) };
    // The fields are those of the kind; only a namespace was added.
    const object = { ...manifest, metadata } as unknown as NewOf<K>;
    return this.advanceUntil(this.client.create(kind, object));
  }

  patch<K extends Kind>(kind: K, name: string, patch: JsonObject): Promise<ObjectOf<K>> {
    return this.client.mergePatch(kind, this.#key(kind, name), patch);
  }

  patchStatus<K extends Kind>(kind: K, name: string, status: JsonObject): Promise<ObjectOf<K>> {
    return this.client.mergePatch(kind, this.#key(kind, name), { status }, { subresource: "status" });
  }

  delete(kind: Kind, name: string): Promise<void> {
    return this.client.delete(kind, this.#key(kind, name));
  }

  /** Returns the current object; undefined if it does not exist. */
  async find<K extends Kind>(kind: K, name: string): Promise<ObjectOf<K> | undefined> {
    try {
      return await this.client.get(kind, this.#key(kind, name));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Watches an object until the condition holds, and returns that version. The default limit is two seconds. */
  until<K extends Kind>(
    kind: K,
    name: string,
    desired: (object: ObjectOf<K>) => boolean,
    limitMs: number = LIMIT_MS,
  ): Promise<ObjectOf<K>> {
    return this.advanceUntil(this.#until(kind, name, desired, limitMs));
  }

  async #until<K extends Kind>(
    kind: K,
    name: string,
    desired: (object: ObjectOf<K>) => boolean,
    limitMs: number,
  ): Promise<ObjectOf<K>> {
    let seen: ObjectOf<K> | undefined;
    for await (seen of this.#watch(kind, name, limitMs)) if (seen !== undefined && desired(seen)) return seen;
    throw new Error(`${kind.kind} ${name} does not reach the expected state: ${JSON.stringify(seen)}`);
  }

  /** Resolves when the object is gone. */
  untilDeleted(kind: Kind, name: string, limitMs: number = LIMIT_MS): Promise<void> {
    return this.advanceUntil(this.#gone(kind, name, limitMs));
  }

  async #gone(kind: Kind, name: string, limitMs: number): Promise<void> {
    let seen: ObjectOf<Kind> | undefined;
    for await (seen of this.#watch(kind, name, limitMs)) if (seen === undefined) return;
    throw new Error(`${kind.kind} ${name} still exists: ${JSON.stringify(seen?.metadata)}`);
  }

  /** Returns every version of an object between two versions, inclusive; without `to`, up to its deletion. */
  versions<K extends Kind>(kind: K, from: ObjectOf<K>, to?: ObjectOf<K>): Promise<readonly ObjectOf<K>[]> {
    return this.advanceUntil(this.#versions(kind, from, to));
  }

  async #versions<K extends Kind>(kind: K, from: ObjectOf<K>, to?: ObjectOf<K>): Promise<readonly ObjectOf<K>[]> {
    const seen = [from];
    const { name, resourceVersion } = from.metadata;
    for await (const event of this.client.watch(kind, {
      ...this.#only(kind, name),
      resourceVersion,
      timeoutSeconds: 10,
    })) {
      if (event.type === "BOOKMARK") continue;
      seen.push(event.object);
      const isLast = event.object.metadata.resourceVersion === to?.metadata.resourceVersion;
      if (to === undefined ? event.type === "DELETED" : isLast) return seen;
    }
    throw new Error(`${kind.kind} ${name} was never ${to === undefined ? "deleted" : to.metadata.resourceVersion}`);
  }

  at(name: string): Required<ObjectKey> {
    return { namespace: this.namespace, name };
  }

  #key(kind: Kind, name: string): ObjectKey {
    return kind.scope === "Namespaced" ? this.at(name) : { name };
  }

  #only(kind: Kind, name: string): { readonly namespace?: string; readonly fields: string } {
    const fields = `metadata.name=${name}`;
    return kind.scope === "Namespaced" ? { namespace: this.namespace, fields } : { fields };
  }

  /**
   * Yields the current object, then each of its versions; undefined while it does not exist. Ends at the time limit.
   */
  async *#watch<K extends Kind>(
    kind: K,
    name: string,
    limitMs: number,
  ): AsyncGenerator<ObjectOf<K> | undefined, void, undefined> {
    const { items, resourceVersion } = await this.client.list(kind, this.#only(kind, name));
    yield items[0];
    const timeoutSeconds = Math.ceil((limitMs * this.timeoutFactor) / 1_000);
    for await (const event of this.client.watch(kind, { ...this.#only(kind, name), resourceVersion, timeoutSeconds })) {
      if (event.type !== "BOOKMARK") yield event.type === "DELETED" ? undefined : event.object;
    }
  }
}

const LIMIT_MS = 2_000;
