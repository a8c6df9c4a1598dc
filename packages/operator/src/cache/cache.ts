import { apiVersionOf, isDeleting, keyOf, kindId } from "@levelset/core";
import type { Clock, Fetch, Kind, KubeObject, Logger, ObjectKey, Random } from "@levelset/core";
import { Client, isMetadataOnly } from "../client/index.ts";
import type { Selection, WriteObserver } from "../client/index.ts";
import { Following } from "./following.ts";
import { Informer } from "./informer.ts";
import type { InformerHealth } from "./informer.ts";
import { selects } from "./selects.ts";
import { watchPhase } from "./watch-failure.ts";
import type { WatchPhase } from "./watch-failure.ts";

/** What a cache needs. */
export interface CacheOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** How long to wait at most before a watch that failed is tried again. Default 30 s. */
  readonly retryMaxMs?: number;
}

/** How an informer is doing, and whether the process works without it. */
export interface CacheHealth extends InformerHealth {
  readonly isOptional: boolean;
  /** Whether its copies can be read. */
  readonly phase: WatchPhase;
}

interface Shared {
  readonly informer: Informer<Kind>;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  followers: number;
  /** Followers that cannot work without it. */
  required: number;
}

/**
 * Local copies of the collections that a process follows: one watch per kind and selection, however many follow it, for as long as
 * one does. It also hears of the writes of the clients that it makes, so that a reader sees them before the watch tells of them;
 * and of writes whose fate is unknown, after which `certain` waits until what is cached is the truth again.
 */
export class Cache implements WriteObserver {
  readonly #options: CacheOptions;
  readonly #reader: Client;
  readonly #shared = new Map<string, Shared>();
  readonly #uncertain = new Map<Informer<Kind>, Promise<void>>();

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#reader = new Client({ fetch: options.fetch, fieldManager: "levelset-cache" });
  }

  /** A client whose writes this cache hears of, and `also`. */
  client(fieldManager: string, also?: WriteObserver): Client {
    const { fetch, clock, random, logger } = this.#options;
    return new Client({
      fetch,
      fieldManager,
      retry: { clock, random },
      observer: also === undefined ? this : bothOf(also, this),
      onWarning: (warning) => logger.warn("server warns", { warning }),
    });
  }

  /**
   * Follows a kind, or a part of its objects, until the answer is closed. Who says `isOptional` reads the copy only while its phase is
   * `watching`; then a list that fails or does not come holds up nothing else.
   */
  follow<K extends Kind>(
    kind: K,
    selection: Selection = {},
    { isOptional = false }: { readonly isOptional?: boolean } = {},
  ): Following<K> {
    const id = idOf(kind, selection);
    const shared = this.#shared.get(id) ?? this.#start(id, kind, selection);
    shared.followers++;
    if (!isOptional) shared.required++;
    const onClose = (): void => {
      shared.followers--;
      if (!isOptional) shared.required--;
      if (shared.followers > 0) return;
      this.#shared.delete(id);
      shared.stop.abort();
    };
    // The id names the kind and the form of its objects.
    return new Following(shared.informer as unknown as Informer<K>, onClose);
  }

  #start(id: string, kind: Kind, selection: Selection): Shared {
    const { clock, random, logger, retryMaxMs } = this.#options;
    const informer = new Informer<Kind>({ client: this.#reader, kind, selection, clock, random, logger, retryMaxMs });
    const stop = new AbortController();
    const shared = { informer, stop, ended: informer.run(stop.signal), followers: 0, required: 0 };
    this.#shared.set(id, shared);
    return shared;
  }

  /** How every informer is doing. */
  get health(): readonly CacheHealth[] {
    return [...this.#shared.values()].map(({ informer, required }) => {
      const { health, kind } = informer;
      return { ...health, isOptional: required === 0, phase: watchPhase(kind, health) };
    });
  }

  written(kind: Kind, object: KubeObject): void {
    for (const shared of this.#sharedOf(kind)) {
      const { informer } = shared;
      const selected = selects(informer.selection, object);
      if (selected === undefined) this.#doubt(shared);
      else if (selected && !tookLastFinalizer(informer.get(keyOf(object)), object)) {
        informer.observe(formOf(informer.kind, object));
      } else informer.forget(object);
    }
  }

  deleted(kind: Kind, key: ObjectKey, uid: string): void {
    for (const { informer } of this.#sharedOf(kind)) {
      const known = informer.get(key);
      if (known?.metadata.uid === uid) informer.forget(known);
    }
  }

  unknown(kind: Kind): void {
    for (const shared of this.#sharedOf(kind)) this.#doubt(shared);
  }

  /** Whether everything cached includes the outcome of all our own writes. */
  get isCertain(): boolean {
    return this.#uncertain.size === 0;
  }

  /** Resolves when it does: at once as a rule, after new lists where the fate of a write was unknown. */
  async certain(): Promise<void> {
    while (!this.isCertain) await Promise.all(this.#uncertain.values());
  }

  /** Starts over with new lists, as after a change of the server behind `fetch`. `certain` waits for them. */
  refresh(): void {
    for (const shared of this.#shared.values()) this.#doubt(shared);
  }

  /** Ends all watches. */
  async close(): Promise<void> {
    const shared = [...this.#shared.values()];
    this.#shared.clear();
    for (const { stop } of shared) stop.abort();
    await Promise.all(shared.map(({ ended }) => ended));
  }

  #doubt({ informer, required }: Shared): void {
    const list = informer.refresh();
    // Its readers ask for its phase: a list that the server refuses must not hold up every worker of the process.
    if (required === 0) return;
    const refreshed = list.finally(() => {
      // A doubt that came later has its own answer to wait for.
      if (this.#uncertain.get(informer) === refreshed) this.#uncertain.delete(informer);
    });
    this.#uncertain.set(informer, refreshed);
  }

  #sharedOf(kind: Kind): readonly Shared[] {
    const id = kindId(kind);
    return [...this.#shared.values()].filter(
      ({ informer }) => kindId(informer.kind) === id && informer.kind.version === kind.version,
    );
  }
}

function bothOf(one: WriteObserver, other: WriteObserver): WriteObserver {
  return {
    written: (kind, object) => {
      one.written(kind, object);
      other.written(kind, object);
    },
    deleted: (kind, key, uid) => {
      one.deleted(kind, key, uid);
      other.deleted(kind, key, uid);
    },
    unknown: (kind) => {
      one.unknown(kind);
      other.unknown(kind);
    },
  };
}

function idOf(kind: Kind, selection: Selection): string {
  const { namespace, labels, fields } = selection;
  return JSON.stringify([apiVersionOf(kind), kind.plural, isMetadataOnly(kind), namespace, labels, fields]);
}

/** What an informer of a kind would have read of an object. */
function formOf(kind: Kind, object: KubeObject): KubeObject {
  const { apiVersion, kind: name, metadata } = object;
  return isMetadataOnly(kind) ? { apiVersion, kind: name, metadata } : object;
}

/** Whether a write ended an object: the answer then has the version that the object had before, for it was never stored. */
function tookLastFinalizer(before: KubeObject | undefined, answer: KubeObject): boolean {
  const isHeld = (object: KubeObject): boolean => (object.metadata.finalizers ?? []).length > 0;
  const isStored = before?.metadata.resourceVersion !== answer.metadata.resourceVersion;
  return before !== undefined && !isStored && isDeleting(answer) && isHeld(before) && !isHeld(answer);
}
