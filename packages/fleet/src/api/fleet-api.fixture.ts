import { parseJson, silentLogger } from "@levelset/core";
import type { JsonObject, JsonValue, Logger } from "@levelset/core";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { BASE_PATH, readKinds, timeText } from "../resource/index.ts";
import type { FleetKinds } from "../resource/index.ts";
import { Fleet } from "../service/index.ts";
import { openStore } from "../store/index.ts";
import type { FleetStore } from "../store/index.ts";
import { FleetApi } from "./server.ts";
import type { FleetApiOptions } from "./server.ts";

/** Kinds with a parent, a grandparent, references, and every way to be deleted. */
export const ENTITIES: readonly JsonObject[] = [
  { kind: "Cluster", plural: "clusters", required_adapters: ["dns", "validation"], name_min_len: 3, name_max_len: 53 },
  {
    kind: "NodePool",
    plural: "nodepools",
    parent_kind: "Cluster",
    on_parent_delete: "cascade",
    required_adapters: ["validation"],
    name_min_len: 3,
    name_max_len: 15,
  },
  { kind: "Disk", plural: "disks", parent_kind: "NodePool", on_parent_delete: "cascade" },
  { kind: "Channel", plural: "channels" },
  { kind: "Version", plural: "versions", parent_kind: "Channel", on_parent_delete: "restrict" },
  {
    kind: "Upgrade",
    plural: "upgrades",
    references: [{ ref_type: "version", target_kind: "Version", min: 1, max: 2 }],
  },
];

/** An answer, with its body read. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body; `{}` where there is none. */
  readonly json: JsonObject;
}

/** What a test may choose. */
export interface TestFleetOptions {
  readonly entities?: readonly JsonObject[];
  readonly schemas?: JsonObject;
  readonly logger?: Logger;
  readonly api?: Partial<FleetApiOptions>;
  readonly wrap?: (store: FleetStore) => FleetStore;
}

/** An API over a store in memory, under a virtual clock. */
export class TestFleet implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly store: FleetStore;
  readonly kinds: FleetKinds;
  readonly fleet: Fleet;
  readonly api: FleetApi;

  private constructor(clock: VirtualClock, store: FleetStore, options: TestFleetOptions) {
    const { entities = ENTITIES, schemas, logger = silentLogger, api = {}, wrap = (same) => same } = options;
    const random = seededRandom(7);
    this.clock = clock;
    this.store = store;
    this.kinds = readKinds(entities, schemas);
    const wrapped = wrap(store);
    const parts = { store: wrapped, kinds: this.kinds, clock, random, logger };
    this.fleet = new Fleet(parts);
    this.api = new FleetApi({ ...parts, fleet: this.fleet, port: 0, version: "test", ...api });
  }

  static async open(options: TestFleetOptions = {}): Promise<TestFleet> {
    const clock = new VirtualClock();
    const world = { clock, random: seededRandom(1), logger: silentLogger };
    return new TestFleet(clock, await openStore({ kind: "sqlite", path: ":memory:" }, world), options);
  }

  /** Sends a request to a path below the API's own, or from the root if it begins with `//`. A text is sent as it is. */
  async call(method: string, path: string, body?: JsonValue, headers: Record<string, string> = {}): Promise<Answered> {
    const target = path.startsWith("//") ? path.slice(1) : BASE_PATH + path;
    const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const response = await this.api.fetch(new Request(`http://fleet.test${target}`, { method, headers, ...sent }));
    const text = await response.text();
    const json = text.startsWith("{") ? (parseJson(text) as JsonObject) : {}; // an answer that begins so is an object
    return { status: response.status, headers: response.headers, text, json };
  }

  /** Creates a resource and gives its id. */
  async create(path: string, kind: string, name: string, more: JsonObject = {}): Promise<string> {
    const answered = await this.call("POST", path, { kind, name, spec: { region: "x" }, ...more });
    if (answered.status !== 201) throw new TypeError(`cannot create ${name}: ${answered.text}`);
    return textIn(answered, "id");
  }

  /** Reports on a resource, one millisecond later than the report before. */
  async report(
    path: string,
    adapter: string,
    generation: number,
    available: "True" | "False" | "Unknown",
    finalized?: "True" | "False",
  ): Promise<Answered> {
    await this.clock.advance(1);
    return this.call(
      "PUT",
      `${path}/statuses`,
      reportBody(this.clock.now(), adapter, generation, available, finalized),
    );
  }

  /** Takes the work that is due now, the oldest first, and says why it was. */
  async takeWork(): Promise<readonly { readonly id: string; readonly cause: string }[]> {
    const now = this.clock.now();
    const kinds = this.kinds.all.map(({ kind }) => kind);
    const claims = await this.store.claim({ holder: "test", now, leaseMs: 1_000, limit: 100, kinds });
    const done = { holder: "test", pulsedTime: now, refreshTime: undefined };
    await this.store.complete(claims.map(({ stored, plan }) => ({ ...done, resourceId: stored.resource.id, plan })));
    return claims.map(({ stored, cause }) => ({ id: stored.resource.id, cause }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.api.close();
    await this.store.close();
  }
}

/** The body of a report. */
export function reportBody(
  now: number,
  adapter: string,
  generation: number,
  available: "True" | "False" | "Unknown",
  finalized?: "True" | "False",
): JsonObject {
  const conditions = [
    { type: "Available", status: available },
    { type: "Applied", status: "True" },
    { type: "Health", status: "True" },
    ...(finalized === undefined ? [] : [{ type: "Finalized", status: finalized }]),
  ];
  return { adapter, observed_generation: generation, observed_time: timeText(now), conditions };
}

/** A text in an answer. */
export function textIn({ json }: Answered, member: string): string {
  const value = json[member];
  if (typeof value !== "string") throw new TypeError(`${member} is no text`);
  return value;
}

/** The status of a condition in a resource's JSON. */
export function conditionIn({ json }: Answered, type: string): string | undefined {
  const status = json["status"] as {
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
  };
  return status.conditions.find((condition) => condition.type === type)?.status;
}
