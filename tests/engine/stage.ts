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
import type { Running } from "@levelset/apiserver/testing";
import { Client, manager } from "@levelset/operator";
import type { Managed } from "@levelset/operator";

/** A cluster that scenarios play on, and its time. */
export interface Place extends AsyncDisposable {
  /** Where the objects of the scenario live. */
  readonly namespace: string;
  /** The cluster as the test itself reaches it. */
  readonly fetch: Fetch;
  /** Between the cluster and what runs on it. */
  readonly faults: FaultyFetch;
  /** How much longer than a scenario says things may take here. */
  readonly patience: number;
  now(): number;
  install(kind: AnyCustomKind): Promise<void>;
  start(runnable: Runnable): Running;
  /** Answers with what is promised, and lets time pass until it comes. */
  expecting<T>(promise: Promise<T>): Promise<T>;
  /** Lets time pass while nothing should happen. On a real server a little of it must do. */
  idle(ms: number): Promise<void>;
}

/** What is created, without the ceremony: the scenario's namespace is added. */
export type Manifest<K extends Kind> = Omit<NewOf<K>, "metadata"> & {
  readonly metadata: NewMeta & { readonly name: string };
};

/** A scenario's view of a cluster: its objects by kind and name, operators that it starts, and ways to see what came of it. */
export class Stage implements AsyncDisposable {
  readonly place: Place;
  readonly client: Client;

  constructor(place: Place) {
    this.place = place;
    this.client = new Client({ fetch: place.fetch, fieldManager: "scenario" });
  }

  /** Starts operators in one process, for the objects of this scenario. */
  async run(...operators: readonly Managed[]): Promise<Running> {
    for (const kind of operators.flatMap(({ kinds }) => kinds)) await this.place.install(kind);
    return this.place.start(manager(operators, { namespaces: [this.place.namespace] }));
  }

  async create<K extends Kind>(kind: K, manifest: Manifest<K>): Promise<ObjectOf<K>> {
    const metadata = { ...manifest.metadata, ...this.#key(kind, manifest.metadata.name) };
    // The fields are those of the kind; only a namespace was added.
    const object = { ...manifest, metadata } as unknown as NewOf<K>;
    return this.place.expecting(this.client.create(kind, object));
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

  /** The object as it is now; undefined when absent. */
  async find<K extends Kind>(kind: K, name: string): Promise<ObjectOf<K> | undefined> {
    try {
      return await this.client.get(kind, this.#key(kind, name));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Follows an object until it is as wanted, and answers with that version. Two seconds are enough unless the scenario says more. */
  until<K extends Kind>(
    kind: K,
    name: string,
    wanted: (object: ObjectOf<K>) => boolean,
    limitMs: number = LIMIT_MS,
  ): Promise<ObjectOf<K>> {
    return this.place.expecting(this.#until(kind, name, wanted, limitMs));
  }

  async #until<K extends Kind>(
    kind: K,
    name: string,
    wanted: (object: ObjectOf<K>) => boolean,
    limitMs: number,
  ): Promise<ObjectOf<K>> {
    let seen: ObjectOf<K> | undefined;
    for await (seen of this.#follow(kind, name, limitMs)) if (seen !== undefined && wanted(seen)) return seen;
    throw new Error(`${kind.kind} ${name} is never as wanted: ${JSON.stringify(seen)}`);
  }

  /** Resolves when the object is gone. */
  gone(kind: Kind, name: string, limitMs: number = LIMIT_MS): Promise<void> {
    return this.place.expecting(this.#gone(kind, name, limitMs));
  }

  async #gone(kind: Kind, name: string, limitMs: number): Promise<void> {
    let seen: ObjectOf<Kind> | undefined;
    for await (seen of this.#follow(kind, name, limitMs)) if (seen === undefined) return;
    throw new Error(`${kind.kind} ${name} is still there: ${JSON.stringify(seen?.metadata)}`);
  }

  /** Every version of an object from one to another, both included; without another, to its end: the version that was deleted. */
  versions<K extends Kind>(kind: K, from: ObjectOf<K>, to?: ObjectOf<K>): Promise<readonly ObjectOf<K>[]> {
    return this.place.expecting(this.#versions(kind, from, to));
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
    return { namespace: this.place.namespace, name };
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.place[Symbol.asyncDispose]();
  }

  #key(kind: Kind, name: string): ObjectKey {
    return kind.scope === "Namespaced" ? this.at(name) : { name };
  }

  #only(kind: Kind, name: string): { readonly namespace?: string; readonly fields: string } {
    const fields = `metadata.name=${name}`;
    return kind.scope === "Namespaced" ? { namespace: this.place.namespace, fields } : { fields };
  }

  /** The object as it is now, then each of its versions; undefined while there is none. Ends with the time that is allowed. */
  async *#follow<K extends Kind>(
    kind: K,
    name: string,
    limitMs: number,
  ): AsyncGenerator<ObjectOf<K> | undefined, void, undefined> {
    const { items, resourceVersion } = await this.client.list(kind, this.#only(kind, name));
    yield items[0];
    const timeoutSeconds = Math.ceil((limitMs * this.place.patience) / 1_000);
    for await (const event of this.client.watch(kind, { ...this.#only(kind, name), resourceVersion, timeoutSeconds })) {
      if (event.type !== "BOOKMARK") yield event.type === "DELETED" ? undefined : event.object;
    }
  }
}

const LIMIT_MS = 2_000;
