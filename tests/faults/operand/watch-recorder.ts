import { isAbortError } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { Fetch, Kind, KubeObject } from "@levelset/core";
import { Client } from "@levelset/operator";
import { kindName } from "./invariants.ts";
import type { ObservedEvent } from "./invariants.ts";

/** Watches kinds and records their events until they are taken. */
export class WatchRecorder {
  readonly #client: Client;
  readonly #stop = new AbortController();
  readonly #watches: Promise<void>[] = [];
  #seen: ObservedEvent[] = [];
  #failure: Error | undefined;

  private constructor(fetch: Fetch) {
    this.#client = new Client({ fetch, fieldManager: "observer" });
  }

  /** Starts with the existing objects. */
  static async of(fetch: Fetch, kinds: readonly Kind[]): Promise<WatchRecorder> {
    const observer = new WatchRecorder(fetch);
    for (const kind of kinds) {
      const { items, resourceVersion } = await observer.#client.list(kind);
      observer.#seen.push(...items.map((object: KubeObject) => ({ kind: kindName(kind), isGone: false, object })));
      observer.#watches.push(observer.#watch(kind, resourceVersion));
    }
    return observer;
  }

  /** Returns all events since the last call. */
  take(): readonly ObservedEvent[] {
    if (this.#failure !== undefined) throw this.#failure;
    const seen = this.#seen;
    this.#seen = [];
    return seen;
  }

  /** Closes the watches. */
  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#watches);
  }

  async #watch(kind: Kind, resourceVersion: string): Promise<void> {
    const { signal } = this.#stop;
    let from = resourceVersion;
    try {
      while (!signal.aborted) {
        const options = { resourceVersion: from, timeoutSeconds: 86_400, signal };
        for await (const event of this.#client.watch(kind, options)) {
          from = event.type === "BOOKMARK" ? event.resourceVersion : event.object.metadata.resourceVersion;
          if (event.type === "BOOKMARK") continue;
          this.#seen.push({ kind: kindName(kind), isGone: event.type === "DELETED", object: event.object });
        }
      }
    } catch (error) {
      if (!isAbortError(error) && !signal.aborted) this.#failure = toError(error);
    }
  }
}
