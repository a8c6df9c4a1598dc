import { realClock, realRandom, silentLogger } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { EventStreamParser } from "../../client/event-stream.ts";
import type { StreamEvent } from "../../client/event-stream.ts";
import { BASE_PATH, readKinds } from "../../resource/index.ts";
import { Fleet } from "../../service/index.ts";
import { openStore } from "../../store/index.ts";
import type { FleetStore } from "../../store/index.ts";
import { CallerAuthenticator } from "../auth/caller-authenticator.ts";
import { FleetApi } from "../fleet-api.ts";
import { FeedWatcher } from "./feed-watcher.ts";

const ENTITIES = [
  { kind: "Cluster", plural: "clusters", required_adapters: ["validation"] },
  { kind: "Channel", plural: "channels" },
  {
    kind: "Version",
    plural: "versions",
    parent_kind: "Channel",
    on_parent_delete: "cascade",
    required_adapters: ["validation"],
  },
];

/** Options of {@link WatchedFleet}. */
export interface WatchedFleetOptions {
  readonly watchersMax?: number;
  readonly backlogMax?: number;
  readonly hasTenants?: boolean;
  /** The clock of the watches only. */
  readonly clock?: Clock;
}

/** A response body. */
export interface WatchedBody {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly generation: number;
  readonly code: string;
}

/** An in-memory fleet on a loopback port. */
export class WatchedFleet implements AsyncDisposable {
  readonly store: FleetStore;
  readonly watcher: FeedWatcher;
  readonly #api: FleetApi;
  #url = "";

  private constructor(store: FleetStore, options: WatchedFleetOptions) {
    const world = { clock: realClock, random: realRandom, logger: silentLogger };
    const kinds = readKinds(ENTITIES);
    const fleet = new Fleet({ store, kinds, ...world });
    const dimensions = [{ name: "org", header: "x-org", isRequired: true }];
    const auth = options.hasTenants === true ? { tenants: { dimensions } } : {};
    const authenticator = new CallerAuthenticator(auth, world);
    this.store = store;
    this.watcher = new FeedWatcher({ store, ...world, ...options });
    const parts = { fleet, store, kinds, authenticator, watcher: this.watcher };
    this.#api = new FleetApi({ ...world, ...parts, version: "test", host: "127.0.0.1", port: 0 });
  }

  static async start(options: WatchedFleetOptions = {}): Promise<WatchedFleet> {
    const world = { clock: realClock, random: realRandom, logger: silentLogger };
    const started = new WatchedFleet(await openStore({ kind: "sqlite", path: ":memory:" }, world), options);
    started.#url = (await started.#api.listen()).url;
    return started;
  }

  /** Returns the URL of a path below the base path. */
  at(path: string): string {
    return `${this.#url}${BASE_PATH}/${path}`;
  }

  /** Sends a request that must succeed. */
  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<WatchedBody> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(this.at(path), {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...sent,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    // The API's own response; tests read only known fields.
    return (text === "" ? {} : JSON.parse(text)) as WatchedBody;
  }

  async create(name: string, more: object = {}, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const { id } = await this.request("POST", "clusters", { kind: "Cluster", name, spec: {}, ...more }, headers);
    return id;
  }

  async forceDelete(id: string): Promise<void> {
    await this.request("DELETE", `resources/${id}`);
    await this.request("POST", `resources/${id}/force-delete`, { reason: "test" });
  }

  watch(path: string, headers: Readonly<Record<string, string>> = {}): Promise<OpenWatch> {
    return OpenWatch.open(this.at(path), headers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#api.close();
    await this.store.close();
  }
}

/** A watch as a client sees it. */
export class OpenWatch implements AsyncDisposable {
  readonly response: Response;
  readonly #leaving: AbortController;
  readonly #events: AsyncGenerator<StreamEvent, void, undefined>;
  /** The last received position. */
  lastId = "";

  private constructor(response: Response, leaving: AbortController) {
    this.response = response;
    this.#leaving = leaving;
    this.#events = eventsOf(response);
  }

  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<OpenWatch> {
    const leaving = new AbortController();
    return new OpenWatch(await fetch(url, { headers, signal: leaving.signal }), leaving);
  }

  /** Returns the next event; undefined at the end. */
  async next(): Promise<StreamEvent | undefined> {
    const { value, done } = await this.#events.next();
    if (done === true || value === undefined) return undefined;
    if (value.id !== "") this.lastId = value.id;
    return value;
  }

  /** Returns the next events, as `present a@1`, up to the given one. */
  async upTo(last: string): Promise<readonly string[]> {
    const shown: string[] = [];
    for (;;) {
      const event = await this.next();
      if (event === undefined) throw new Error(`the watch ended after ${shown.join(", ")}`);
      shown.push(describeEvent(event));
      if (shown.at(-1) === last) return shown;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
    await this.#events.return();
  }
}

/** Returns `present a@1`: event, name and generation. */
export function describeEvent({ event, data }: StreamEvent): string {
  if (event !== "present" && event !== "gone") return event;
  // The API's JSON of a resource.
  const { name, generation } = JSON.parse(data) as WatchedBody;
  return `${event} ${name}@${generation}`;
}

async function* eventsOf(response: Response): AsyncGenerator<StreamEvent, void, undefined> {
  const parser = new EventStreamParser();
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) yield* parser.push(decoder.decode(chunk, { stream: true }));
  } catch (error) {
    // An aborted client receives no further events.
    if (!(error instanceof DOMException)) throw error;
  }
}
