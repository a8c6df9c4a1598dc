import { parseJson } from "@levelset/core/internal";
import { silentLogger } from "@levelset/core";
import type { JsonObject, JsonValue, Logger } from "@levelset/core";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { BASE_PATH, readKinds, timeText } from "../resource/index.ts";
import type { FleetKinds } from "../resource/index.ts";
import { Fleet } from "../service/index.ts";
import { openStore } from "../store/index.ts";
import type { FleetStore } from "../store/index.ts";
import { FleetApi } from "./fleet-api.ts";
import type { FleetApiOptions } from "./fleet-api.ts";

/** Kinds with a parent, a grandparent, references, and every deletion policy. */
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

/** A response with its parsed body. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body; `{}` if empty. */
  readonly json: JsonObject;
}

/** Options of {@link TestFleet}. */
export interface TestFleetOptions {
  readonly entities?: readonly JsonObject[];
  readonly schemas?: JsonObject;
  readonly logger?: Logger;
  readonly api?: Partial<FleetApiOptions>;
  readonly wrap?: (store: FleetStore) => FleetStore;
}

/** An API with an in-memory store and a virtual clock. */
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

  /**
   * Sends a request to a path below the base path, or an absolute one if it starts with `//`. A string body is sent
   * unchanged.
   */
  async call(
    method: string,
    path: string,
    body?: JsonValue,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    const target = path.startsWith("//") ? path.slice(1) : BASE_PATH + path;
    const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const response = await this.api.fetch(new Request(`http://fleet.test${target}`, { method, headers, ...sent }));
    const text = await response.text();
    const json = text.startsWith("{") ? (parseJson(text) as JsonObject) : {}; // a body that starts with a brace is an object
    return { status: response.status, headers: response.headers, text, json };
  }

  /** Creates a resource and returns its ID. */
  async create(path: string, kind: string, name: string, more: JsonObject = {}): Promise<string> {
    const response = await this.call("POST", path, { kind, name, spec: { region: "x" }, ...more });
    if (response.status !== 201) throw new TypeError(`cannot create ${name}: ${response.text}`);
    return bodyText(response, "id");
  }

  /** Reports on a resource, one millisecond after the previous report. */
  async report(
    path: string,
    adapter: string,
    generation: number,
    available: "True" | "False" | "Unknown",
    finalized?: "True" | "False",
  ): Promise<TestResponse> {
    await this.clock.advance(1);
    return this.call(
      "PUT",
      `${path}/statuses`,
      reportBody(this.clock.now(), adapter, generation, available, finalized),
    );
  }

  /** Claims the due work, oldest first, and returns the causes. */
  async claimWork(): Promise<readonly { readonly id: string; readonly cause: string }[]> {
    const now = this.clock.now();
    const kinds = this.kinds.all.map(({ kind }) => kind);
    const claims = await this.store.claim({ holder: "test", now, leaseMs: 1_000, limit: 100, kinds });
    const done = { holder: "test", pulsedTime: now, refreshTime: undefined };
    await this.store.complete(
      claims.map(({ resource, counters }) => ({ ...done, resourceId: resource.resource.id, counters })),
    );
    return claims.map(({ resource, cause }) => ({ id: resource.resource.id, cause }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.api.close();
    await this.store.close();
  }
}

/** Returns the body of a report. */
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

/** Returns a string field of a response. */
export function bodyText({ json }: TestResponse, member: string): string {
  const value = json[member];
  if (typeof value !== "string") throw new TypeError(`${member} is not a string`);
  return value;
}

/** Returns the status of a condition in a resource's JSON. */
export function conditionIn({ json }: TestResponse, type: string): string | undefined {
  const status = json["status"] as {
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
  };
  return status.conditions.find((condition) => condition.type === type)?.status;
}
