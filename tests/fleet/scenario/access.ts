import { realClock } from "@levelset/core";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { KeyServer, signingKey, tokenBy } from "../../../packages/fleet/src/api/auth/issuer.fixture.ts";
import type { SigningKey } from "../../../packages/fleet/src/api/auth/issuer.fixture.ts";
import { B } from "../http.ts";
import type { Headers } from "../http.ts";
import { TENANTS } from "../running-fleet.ts";
import type { RunningFleet, StartFleet } from "../running-fleet.ts";
import { freshName } from "../user.ts";
import type { FleetUser } from "../user.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

const ISSUER = "https://issuer.example";
const AUDIENCE = "fleet";

/** Scenarios 60 and 61: who may do what. */
export function describeAccess(start: StartFleet): void {
  describeTokens(start);
  describeOn("tenants", start, describeTenants, { auth: TENANTS });
  describeOn("limits", start, describeLimits, { limits: { perIdentity: { perSecond: 0.01, burst: 3 } } });
  describeOn("adapter names", start, describeBinding, {
    auth: { adapters: [{ identity: "system@hyperfleet\\.local", adapters: ["dns"] }] },
  });
}

/** A fleet that asks for tokens, and who signs them. */
class Guarded implements AsyncDisposable {
  readonly fleet: RunningFleet;
  readonly #server: KeyServer;
  readonly #key: SigningKey;

  constructor(fleet: RunningFleet, server: KeyServer, key: SigningKey) {
    this.fleet = fleet;
    this.#server = server;
    this.#key = key;
  }

  static async start(start: StartFleet): Promise<Guarded> {
    const server = await new KeyServer().start();
    const key = await signingKey("one");
    server.keys = [key.jwk];
    const keys = { kind: "url", url: server.url } as const;
    const issuer = { issuerUrl: ISSUER, audience: AUDIENCE, keys, identityHeader: "x-identity" };
    return new Guarded(await start({ auth: { jwt: { issuers: [issuer] } } }), server, key);
  }

  get claims(): Readonly<Record<string, unknown>> {
    return { iss: ISSUER, aud: AUDIENCE, email: "ann@example.com", exp: Math.floor(realClock.now() / 1_000) + 600 };
  }

  async token(claims: Readonly<Record<string, unknown>> = {}): Promise<Headers> {
    return { authorization: `Bearer ${await tokenBy(this.#key, { ...this.claims, ...claims })}` };
  }

  async create(headers: Headers): Promise<string> {
    const body = { kind: "Cluster", name: freshName(), spec: {} };
    const answer = await this.fleet.user.http.post(`${B}/clusters`, body, headers);
    return answer.status === 201 ? `201 ${answer.resource.created_by}` : answer.refusal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fleet[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
  }
}

function describeTokens(start: StartFleet): void {
  describe("tokens", () => {
    test("60. a token is asked for, checked, and says who it was", async () => {
      await using guarded = await Guarded.start(start);
      expect(await guarded.create({})).toBe("401 AUT-001");
      expect(await guarded.create({ authorization: "Basic eDp5" })).toBe("401 AUT-002");
      expect(await guarded.create(await guarded.token({ exp: 1_000 }))).toBe("401 AUT-003");
      expect(await guarded.create(await guarded.token({ iss: "https://other.example" }))).toBe("401 AUT-002");
      expect(await guarded.create(await guarded.token({ aud: "others" }))).toBe("401 AUT-002");
      const hmac = await new SignJWT(guarded.claims)
        .setProtectedHeader({ alg: "HS256", kid: "one" })
        .sign(new TextEncoder().encode("x".repeat(32)));
      expect(await guarded.create({ authorization: `Bearer ${hmac}` })).toBe("401 AUT-002");
      expect(await guarded.create(await guarded.token())).toBe("201 ann@example.com");
    });

    test("60. who does not say who they are may read; the gateway's word goes before the claim", async () => {
      await using guarded = await Guarded.start(start);
      const nameless = await guarded.token({ email: undefined });
      const { http } = guarded.fleet.user;
      expect((await http.get(`${B}/clusters`, nameless)).status).toBe(200);
      expect((await http.get(`${B}/clusters`)).refusal).toBe("401 AUT-001");
      expect(await guarded.create(nameless)).toBe("401 AUT-001");
      const token = await guarded.token();
      expect(await guarded.create({ ...token, "x-identity": "bob" })).toBe("201 bob");
      expect(await guarded.create({ ...token, "x-identity": "b".repeat(257) })).toMatch(/^401 AUT/u);
      for (const path of ["/api/hyperfleet", `${B}/openapi`, `${B}/openapi.html`]) {
        expect((await http.get(path)).status).toBe(200);
      }
    });

    test("a refusal never shows the token", async () => {
      await using guarded = await Guarded.start(start);
      const token = await guarded.token({ aud: "others" });
      const answer = await guarded.fleet.user.http.get(`${B}/clusters`, token);
      const secret = String(token["authorization"]).slice("Bearer ".length);
      expect(answer.text).not.toContain(secret.slice(0, 40));
      expect(answer.headers["www-authenticate"]).toMatch(/^Bearer/u);
    });
  });
}

function describeTenants(shared: () => Shared): void {
  const as = (org: string): FleetUser => shared().user.with({ "x-org": org });

  test("61. a request says whose it is; the system may only report", async () => {
    const { user } = shared();
    expect((await user.http.get(`${B}/clusters`)).refusal).toBe("403 AUZ-001");
    expect((await user.http.get(`${B}/clusters`, { "x-project": "p" })).refusal).toBe("403 AUZ-001");
    expect((await user.http.get(`${B}/clusters`, { "x-org": "a b" })).refusal).toBe("403 AUZ-001");
    const cluster = await as("a").cluster();
    expect(cluster.tenancy).toEqual({ org: "a" });
    const system = user.with({ "x-system": "true" });
    const body = { kind: "Cluster", name: freshName(), spec: {} };
    for (const answer of [
      await system.http.post(`${B}/clusters`, body),
      await system.http.patch(cluster.href, { spec: { a: 1 } }),
      await system.http.delete(cluster.href),
      await system.http.post(`${cluster.href}/force-delete`, { reason: "x" }),
    ]) {
      expect(answer.refusal).toBe("403 AUZ-001");
    }
    expect((await system.report(cluster.id, "dns", 1, "True")).status).toBe(201);
    expect(await system.read(cluster)).toMatchObject({ id: cluster.id, generation: 1 });
  });

  test("61. two tenants may use one name, one tenant may not use it twice", async () => {
    const name = freshName();
    await as("a").cluster({ name });
    await as("b").cluster({ name });
    const again = await as("a").http.post(`${B}/clusters`, { kind: "Cluster", name, spec: {} });
    expect(again.refusal).toBe("409 CNF-001");
  });

  test("an idempotency key of one tenant means nothing to another", async () => {
    const body = { kind: "Cluster", name: freshName(), spec: {} };
    const key = { "idempotency-key": freshName() };
    const answers = [];
    for (const org of ["a", "b", "a"]) answers.push(await as(org).http.post(`${B}/clusters`, body, key));
    const [first, second, again] = answers.map(({ resource }) => resource);
    expect([first?.tenancy, second?.tenancy]).toEqual([{ org: "a" }, { org: "b" }]);
    expect(again).toEqual(first);
  });

  test("decided: what belongs to another tenant is not there, for reading neither", async () => {
    const [own, other] = [as("own"), as("other")];
    const cluster = await own.cluster();
    const missing = async (send: (href: string) => Promise<{ refusal: string; text: string }>) => {
      const [theirs, absent] = [await send(cluster.href), await send(`${B}/clusters/nope`)];
      expect(theirs.refusal).toBe("404 NTF-001");
      expect(absent.refusal).toBe("404 NTF-001");
    };
    await missing((href) => other.http.get(href));
    await missing((href) => other.http.get(`${href}/statuses`));
    await missing((href) => other.http.patch(href, { spec: { a: 1 } }));
    await missing((href) => other.http.delete(href));
    await missing((href) => other.http.post(`${href}/force-delete`, { reason: "x" }));
    await missing((href) => other.http.post(`${href}/nodepools`, { kind: "NodePool", name: "abc", spec: {} }));
    await missing((href) => other.report(href, "dns", 1, "True"));
    expect((await other.http.get(`${B}/clusters`)).resources.total).toBe(0);
    expect(await own.read(cluster)).toEqual(cluster);
  });
}

function describeLimits(shared: () => Shared): void {
  test("who asks for more than their share is told to wait, and for how long; what is open to all stays open", async () => {
    const { user } = shared();
    const answers = await Promise.all(Array.from({ length: 12 }, () => user.http.get(`${B}/clusters`)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(5);
    for (const answer of refused) {
      expect(answer.refusal).toBe("429 LMT-001");
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    }
    expect((await user.http.get("/api/hyperfleet")).status).toBe(200);
  });
}

function describeBinding(shared: () => Shared): void {
  test("who reports under a name that is not theirs is refused, and nothing is kept", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    const forged = await user.report(id, "validation", 1, "True");
    expect(forged.refusal).toBe("403 AUZ-001");
    expect(forged.problem.errors?.map(({ field }) => field)).toEqual(["adapter"]);
    expect((await user.report(id, "dns", 1, "True")).status).toBe(201);
    const { items } = (await user.http.get(`${B}/clusters/${id}/statuses`)).statuses;
    expect(items.map(({ adapter }) => adapter)).toEqual(["dns"]);
  });
}
