import { realClock } from "@levelset/core";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { KeyServer, signingKey, signToken } from "../../../../packages/fleet/src/api/auth/issuer.fixture.ts";
import type { SigningKey } from "../../../../packages/fleet/src/api/auth/issuer.fixture.ts";
import { API_BASE } from "../../../support/fleet/http.ts";
import type { Headers } from "../../../support/fleet/http.ts";
import { TENANTS } from "../../../support/fleet/running-fleet.ts";
import type { RunningFleet, StartFleet } from "../../../support/fleet/running-fleet.ts";
import { freshName } from "../../../support/fleet/fleet-user.ts";
import type { FleetUser } from "../../../support/fleet/fleet-user.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

const ISSUER = "https://issuer.example";
const AUDIENCE = "fleet";

/** Authentication, authorisation and tenants. */
export function describeAccess(start: StartFleet): void {
  describeTokens(start);
  describeOn("tenants", start, describeTenants, { auth: TENANTS });
  describeOn("limits", start, describeLimits, { limits: { perIdentity: { perSecond: 0.01, burst: 3 } } });
  describeOn("adapter names", start, describeBinding, {
    auth: { adapters: [{ identity: "system@hyperfleet\\.local", adapters: ["dns"] }] },
  });
}

/** A fleet that requires tokens, and the issuer of them. */
class AuthenticatedFleet implements AsyncDisposable {
  readonly fleet: RunningFleet;
  readonly #server: KeyServer;
  readonly #key: SigningKey;

  constructor(fleet: RunningFleet, server: KeyServer, key: SigningKey) {
    this.fleet = fleet;
    this.#server = server;
    this.#key = key;
  }

  static async start(start: StartFleet): Promise<AuthenticatedFleet> {
    const server = await new KeyServer().start();
    const key = await signingKey("one");
    server.keys = [key.jwk];
    const keys = { kind: "url", url: server.url } as const;
    const issuer = { issuerUrl: ISSUER, audience: AUDIENCE, keys, identityHeader: "x-identity" };
    return new AuthenticatedFleet(await start({ auth: { jwt: { issuers: [issuer] } } }), server, key);
  }

  get claims(): Readonly<Record<string, unknown>> {
    return { iss: ISSUER, aud: AUDIENCE, email: "ann@example.com", exp: Math.floor(realClock.now() / 1_000) + 600 };
  }

  async token(claims: Readonly<Record<string, unknown>> = {}): Promise<Headers> {
    return { authorization: `Bearer ${await signToken(this.#key, { ...this.claims, ...claims })}` };
  }

  async create(headers: Headers): Promise<string> {
    const body = { kind: "Cluster", name: freshName(), spec: {} };
    const response = await this.fleet.user.http.post(`${API_BASE}/clusters`, body, headers);
    return response.status === 201 ? `201 ${response.resource.created_by}` : response.problemSummary;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fleet[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
  }
}

function describeTokens(start: StartFleet): void {
  describe("tokens", () => {
    test("a token is required and validated, and its identity is recorded", async () => {
      await using fleet = await AuthenticatedFleet.start(start);
      expect(await fleet.create({})).toBe("401 AUT-001");
      expect(await fleet.create({ authorization: "Basic eDp5" })).toBe("401 AUT-002");
      expect(await fleet.create(await fleet.token({ exp: 1_000 }))).toBe("401 AUT-003");
      expect(await fleet.create(await fleet.token({ iss: "https://other.example" }))).toBe("401 AUT-002");
      expect(await fleet.create(await fleet.token({ aud: "others" }))).toBe("401 AUT-002");
      const hmac = await new SignJWT(fleet.claims)
        .setProtectedHeader({ alg: "HS256", kid: "one" })
        .sign(new TextEncoder().encode("x".repeat(32)));
      expect(await fleet.create({ authorization: `Bearer ${hmac}` })).toBe("401 AUT-002");
      expect(await fleet.create(await fleet.token())).toBe("201 ann@example.com");
    });

    test("a caller without an identity may read; the gateway header takes precedence over the claim", async () => {
      await using fleet = await AuthenticatedFleet.start(start);
      const nameless = await fleet.token({ email: undefined });
      const { http } = fleet.fleet.user;
      expect((await http.get(`${API_BASE}/clusters`, nameless)).status).toBe(200);
      expect((await http.get(`${API_BASE}/clusters`)).problemSummary).toBe("401 AUT-001");
      expect(await fleet.create(nameless)).toBe("401 AUT-001");
      const token = await fleet.token();
      expect(await fleet.create({ ...token, "x-identity": "bob" })).toBe("201 bob");
      expect(await fleet.create({ ...token, "x-identity": "b".repeat(257) })).toMatch(/^401 AUT/u);
      for (const path of ["/api/hyperfleet", `${API_BASE}/openapi`, `${API_BASE}/openapi.html`]) {
        expect((await http.get(path)).status).toBe(200);
      }
    });

    test("an error response never contains the token", async () => {
      await using fleet = await AuthenticatedFleet.start(start);
      const token = await fleet.token({ aud: "others" });
      const response = await fleet.fleet.user.http.get(`${API_BASE}/clusters`, token);
      const secret = String(token["authorization"]).slice("Bearer ".length);
      expect(response.text).not.toContain(secret.slice(0, 40));
      expect(response.headers["www-authenticate"]).toMatch(/^Bearer/u);
    });
  });
}

function describeTenants(shared: () => Shared): void {
  const as = (org: string): FleetUser => shared().user.with({ "x-org": org });

  test("a request names its tenant; the system may only report", async () => {
    const { user } = shared();
    expect((await user.http.get(`${API_BASE}/clusters`)).problemSummary).toBe("403 AUZ-001");
    expect((await user.http.get(`${API_BASE}/clusters`, { "x-project": "p" })).problemSummary).toBe("403 AUZ-001");
    expect((await user.http.get(`${API_BASE}/clusters`, { "x-org": "a b" })).problemSummary).toBe("403 AUZ-001");
    const cluster = await as("a").cluster();
    expect(cluster.tenancy).toEqual({ org: "a" });
    const system = user.with({ "x-system": "true" });
    const body = { kind: "Cluster", name: freshName(), spec: {} };
    for (const response of [
      await system.http.post(`${API_BASE}/clusters`, body),
      await system.http.patch(cluster.href, { spec: { a: 1 } }),
      await system.http.delete(cluster.href),
      await system.http.post(`${cluster.href}/force-delete`, { reason: "x" }),
    ]) {
      expect(response.problemSummary).toBe("403 AUZ-001");
    }
    expect((await system.report(cluster.id, "dns", 1, "True")).status).toBe(201);
    expect(await system.read(cluster)).toMatchObject({ id: cluster.id, generation: 1 });
  });

  test("two tenants may use the same name, and one tenant may not use it twice", async () => {
    const name = freshName();
    await as("a").cluster({ name });
    await as("b").cluster({ name });
    const again = await as("a").http.post(`${API_BASE}/clusters`, { kind: "Cluster", name, spec: {} });
    expect(again.problemSummary).toBe("409 CNF-001");
  });

  test("idempotency keys are separate for each tenant", async () => {
    const body = { kind: "Cluster", name: freshName(), spec: {} };
    const key = { "idempotency-key": freshName() };
    const responses = [];
    for (const org of ["a", "b", "a"]) responses.push(await as(org).http.post(`${API_BASE}/clusters`, body, key));
    const [first, second, again] = responses.map(({ resource }) => resource);
    expect([first?.tenancy, second?.tenancy]).toEqual([{ org: "a" }, { org: "b" }]);
    expect(again).toEqual(first);
  });

  test("resources of other tenants are not found, also by readers", async () => {
    const [own, other] = [as("own"), as("other")];
    const cluster = await own.cluster();
    const missing = async (send: (href: string) => Promise<{ problemSummary: string; text: string }>) => {
      const [foreign, absent] = [await send(cluster.href), await send(`${API_BASE}/clusters/nope`)];
      expect(foreign.problemSummary).toBe("404 NTF-001");
      expect(absent.problemSummary).toBe("404 NTF-001");
    };
    await missing((href) => other.http.get(href));
    await missing((href) => other.http.get(`${href}/statuses`));
    await missing((href) => other.http.patch(href, { spec: { a: 1 } }));
    await missing((href) => other.http.delete(href));
    await missing((href) => other.http.post(`${href}/force-delete`, { reason: "x" }));
    await missing((href) => other.http.post(`${href}/nodepools`, { kind: "NodePool", name: "abc", spec: {} }));
    await missing((href) => other.report(href, "dns", 1, "True"));
    expect((await other.http.get(`${API_BASE}/clusters`)).resources.total).toBe(0);
    expect(await own.read(cluster)).toEqual(cluster);
  });
}

function describeLimits(shared: () => Shared): void {
  test("a rate-limited caller gets a Retry-After, and public routes stay available", async () => {
    const { user } = shared();
    const responses = await Promise.all(Array.from({ length: 12 }, () => user.http.get(`${API_BASE}/clusters`)));
    const refused = responses.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(5);
    for (const response of refused) {
      expect(response.problemSummary).toBe("429 LMT-001");
      expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
    }
    expect((await user.http.get("/api/hyperfleet")).status).toBe(200);
  });
}

function describeBinding(shared: () => Shared): void {
  test("a report under a foreign adapter name is refused and not stored", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    const forged = await user.report(id, "validation", 1, "True");
    expect(forged.problemSummary).toBe("403 AUZ-001");
    expect(forged.problem.errors?.map(({ field }) => field)).toEqual(["adapter"]);
    expect((await user.report(id, "dns", 1, "True")).status).toBe(201);
    const { items } = (await user.http.get(`${API_BASE}/clusters/${id}/statuses`)).statuses;
    expect(items.map(({ adapter }) => adapter)).toEqual(["dns"]);
  });
}
