import { realClock, realRandom, silentLogger } from "@levelset/core";
import { expect, test } from "vitest";
import { BASE_PATH, readKinds, timeText } from "../resource/index.ts";
import { openStore } from "../store/index.ts";
import type { FleetStore } from "../store/index.ts";
import { createFleetApi } from "./create-fleet-api.ts";
import type { CreateFleetApiOptions } from "./create-fleet-api.ts";
import { KeyServer, signingKey, signToken } from "./auth/issuer.fixture.ts";
import type { FleetApi } from "./fleet-api.ts";

const ISSUER = "https://issuer.example";
const WORLD = { clock: realClock, random: realRandom, logger: silentLogger };

/** A response. */
interface TestResponse {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A complete in-memory API. */
class Assembled implements AsyncDisposable {
  readonly #store: FleetStore;
  readonly api: FleetApi;

  private constructor(store: FleetStore, options: Partial<CreateFleetApiOptions>) {
    const kinds = readKinds([{ kind: "Cluster", plural: "clusters", required_adapters: ["dns"] }]);
    const listen = { host: "127.0.0.1", port: 0 };
    this.#store = store;
    this.api = createFleetApi({ ...WORLD, ...listen, metrics: listen, store, kinds, version: "1.2.3", ...options });
  }

  static async start(options: Partial<CreateFleetApiOptions> = {}): Promise<Assembled> {
    return new Assembled(await openStore({ kind: "sqlite", path: ":memory:" }, WORLD), options);
  }

  async request(
    method: string,
    path: string,
    { body, ...headers }: Readonly<Record<string, string>> = {},
  ): Promise<TestResponse> {
    const sent = body === undefined ? {} : { body };
    const url = `http://fleet.invalid${BASE_PATH}/${path}`;
    const response = await this.api.fetch(
      new Request(url, { method, headers: { "content-type": "application/json", ...headers }, ...sent }),
    );
    const text = await response.text();
    // Every response body of the API is an object.
    const json = (text === "" ? {} : JSON.parse(text)) as TestResponse["body"];
    return { status: response.status, retryAfter: response.headers.get("retry-after"), body: json };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.api.close();
    await this.#store.close();
  }
}

const CLUSTER = JSON.stringify({ kind: "Cluster", name: "prod", spec: {} });

test("an adapter reports under its own name, and a forged name is refused with the field", async () => {
  await using server = await new KeyServer().start();
  const key = await signingKey("k");
  server.keys = [key.jwk];
  const issuers = [{ issuerUrl: ISSUER, keys: { kind: "url", url: server.url } as const }];
  const adapters = [{ identity: "dns@example\\.com", adapters: ["dns"] }];
  await using fleet = await Assembled.start({ auth: { jwt: { issuers }, adapters } });
  const as = async (email: string): Promise<Readonly<Record<string, string>>> => {
    const token = await signToken(key, { iss: ISSUER, email, exp: realClock.now() / 1_000 + 60 });
    return { authorization: `Bearer ${token}` };
  };
  const created = await fleet.request("POST", "clusters", { ...(await as("ann@example.com")), body: CLUSTER });
  expect(created).toMatchObject({ status: 201, body: { created_by: "ann@example.com" } });
  const conditions = ["Available", "Applied", "Health"].map((type) => ({ type, status: "True" }));
  const report = (adapter: string): string =>
    JSON.stringify({ adapter, observed_generation: 1, observed_time: timeText(realClock.now()), conditions });
  const statuses = `clusters/${String(created.body["id"])}/statuses`;
  const forged = await fleet.request("PUT", statuses, { ...(await as("dns@example.com")), body: report("validation") });
  expect(forged).toMatchObject({ status: 403, body: { code: "HYPERFLEET-AUZ-001", errors: [{ field: "adapter" }] } });
  const unbound = await fleet.request("PUT", statuses, { ...(await as("ann@example.com")), body: report("dns") });
  expect(unbound.status).toBe(403);
  const own = await fleet.request("PUT", statuses, { ...(await as("dns@example.com")), body: report("dns") });
  expect(own.status).toBe(201);
});

test("tenants neither see nor reach each other's resources, and have separate names", async () => {
  const dimensions = [{ name: "org", header: "X-Org", isRequired: true }];
  await using fleet = await Assembled.start({ auth: { tenants: { dimensions, systemHeader: "X-System" } } });
  const acme = { "x-org": "acme" };
  const other = { "x-org": "other" };
  const created = await fleet.request("POST", "clusters", { ...acme, body: CLUSTER });
  expect(created).toMatchObject({ status: 201, body: { tenancy: { org: "acme" } } });
  expect((await fleet.request("POST", "clusters", { ...acme, body: CLUSTER })).status).toBe(409);
  expect((await fleet.request("POST", "clusters", { ...other, body: CLUSTER })).status).toBe(201);
  const path = `clusters/${String(created.body["id"])}`;
  for (const [method, at, body] of [
    ["GET", path, undefined],
    ["GET", `${path}/statuses`, undefined],
    ["GET", `${path}/history`, undefined],
    ["GET", `${path}/pulse`, undefined],
    ["GET", `resources/${String(created.body["id"])}`, undefined],
    ["PATCH", path, '{"spec":{"a":1}}'],
    ["DELETE", path, undefined],
    ["POST", `${path}/force-delete`, '{"reason":"mine now"}'],
  ] as const) {
    const response = await fleet.request(method, at, { ...other, ...(body === undefined ? {} : { body }) });
    expect([method, at, response.status]).toEqual([method, at, 404]);
  }
  expect((await fleet.request("GET", "resources", acme)).body).toMatchObject({ total: 1 });
  expect((await fleet.request("GET", "audit", other)).body).toMatchObject({ size: 1 });
  expect((await fleet.request("GET", "resources", { "x-system": "true" })).body).toMatchObject({ total: 2 });
  expect((await fleet.request("DELETE", path, { "x-system": "true" })).status).toBe(403);
  expect((await fleet.request("GET", "resources")).body).toMatchObject({ code: "HYPERFLEET-AUZ-001" });
});

test("a rate-limited caller gets a Retry-After, and the OpenAPI document stays available", async () => {
  await using fleet = await Assembled.start({ limits: { perIdentity: { perSecond: 0.01, burst: 2 } } });
  expect((await fleet.request("GET", "clusters")).status).toBe(200);
  expect((await fleet.request("GET", "clusters")).status).toBe(200);
  expect(await fleet.request("GET", "clusters")).toMatchObject({
    status: 429,
    retryAfter: "100",
    body: { code: "HYPERFLEET-LMT-001" },
  });
  expect((await fleet.request("GET", "openapi")).status).toBe(200);
});

test("metrics are served on a separate port, and a traced fleet responds like any other", async () => {
  await using fleet = await Assembled.start({ isTraced: true });
  const { metricsUrl } = await fleet.api.listen();
  const created = await fleet.request("POST", "clusters", { body: CLUSTER });
  expect((await fleet.request("GET", `clusters/${String(created.body["id"])}`)).status).toBe(200);
  const figures = await (await fetch(`${metricsUrl}/metrics`)).text();
  expect(figures).toMatch(
    /hyperfleet_api_requests_total\{method="GET",path="\/api\/hyperfleet\/v1\/clusters\/-",code="200"/,
  );
  expect(figures).toMatch(/hyperfleet_api_resource_pending_reconciliation\{resource_type="Cluster",.*\} 1/);
});
