import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@levelset/core";
import { VirtualClock } from "@levelset/core/testing";
import { UnsecuredJWT, SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../../service/index.ts";
import { Problem } from "../problem.ts";
import type { Access } from "../route.ts";
import type { AuthConfig, IssuerConfig, JwtConfig } from "./auth-config.ts";
import { CallerAuthenticator } from "./caller-authenticator.ts";
import { KeyServer, requestHeaders, signingKey, tokenBy } from "./issuer.fixture.ts";
import type { SigningKey } from "./issuer.fixture.ts";

const ISSUER = "https://issuer.example/fleet";
let first: SigningKey;
let second: SigningKey;

beforeAll(async () => {
  [first, second] = await Promise.all([signingKey("first"), signingKey("second")]);
});

/** An authenticator and the world around it. */
class Door implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly server = new KeyServer();
  #authenticator: CallerAuthenticator | undefined;

  async open(
    issuer: Partial<IssuerConfig> = {},
    jwt: Partial<JwtConfig> = {},
    rest: Omit<AuthConfig, "jwt"> = {},
  ): Promise<this> {
    await this.server.start();
    this.server.keys = [first.jwk];
    const keys = { kind: "url", url: this.server.url } as const;
    const issuers = [{ issuerUrl: ISSUER, keys, ...issuer }];
    this.#authenticator = new CallerAuthenticator(
      { jwt: { issuers, ...jwt }, ...rest },
      { clock: this.clock, logger: silentLogger },
    );
    return this;
  }

  /** Claims that are accepted. */
  get claims(): Readonly<Record<string, unknown>> {
    return { iss: ISSUER, email: "ann@example.com", exp: this.clock.now() / 1_000 + 600 };
  }

  async as(claims: Readonly<Record<string, unknown>> = {}, key = first): Promise<Readonly<Record<string, string>>> {
    return { authorization: `Bearer ${await tokenBy(key, { ...this.claims, ...claims })}` };
  }

  async asks(headers: Readonly<Record<string, string>>, needs: Access = "declare"): Promise<Caller> {
    if (this.#authenticator === undefined) throw new TypeError("open it first");
    return await this.#authenticator.authenticate({ headers: requestHeaders(headers), needs, requestId: "r" });
  }

  async refusal(headers: Readonly<Record<string, string>>, needs: Access = "declare"): Promise<string> {
    return await refusalOf(this.asks(headers, needs));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}

async function refusalOf(asked: Promise<unknown>): Promise<string> {
  const problem = await asked.then(
    () => "let in",
    (error: unknown) => error,
  );
  return problem instanceof Problem ? `${problem.status} ${problem.code}: ${problem.message}` : String(problem);
}

describe("tokens", () => {
  test("a caller with a token of a trusted issuer is who the claim says", async () => {
    await using door = await new Door().open();
    expect(await door.asks(await door.as())).toEqual({
      identity: "ann@example.com",
      scope: { kind: "all" },
      tenancy: {},
      isSystem: false,
      requestId: "r",
    });
  });

  test("what needs nothing is open to everybody", async () => {
    await using door = await new Door().open();
    expect(await door.asks({}, "none")).toMatchObject({ identity: "" });
  });

  test("without credentials it is AUT-001, also for a reader", async () => {
    await using door = await new Door().open();
    expect(await door.refusal({}, "read")).toBe("401 AUT-001: a Bearer token is required");
    expect(await door.refusal({})).toBe("401 AUT-001: a Bearer token is required");
  });

  test.for([
    ["Basic eDp5", "the credentials must be a Bearer token"],
    ["Bearer", "the credentials must be a Bearer token"],
    ["Bearer a b", "the credentials must be a Bearer token"],
    ["Bearer nonsense", "the token is malformed"],
    ["Bearer a.b.c", "the token is malformed"],
  ] as const)("'%s' is AUT-002: %s", async ([authorization, why]) => {
    await using door = await new Door().open();
    expect(await door.refusal({ authorization })).toBe(`401 AUT-002: ${why}`);
  });

  test.for([
    [{ iss: "https://other.example" }, "the token's iss is not accepted"],
    [{ iss: undefined }, "the token's iss is not accepted"],
    [{ aud: "others" }, "the token's aud is not accepted"],
    [{ aud: undefined }, "the token has no aud"],
    [{ exp: undefined }, "the token has no exp"],
    [{ exp: "soon" }, "the token's exp is not accepted"],
    [{ nbf: 4_102_444_800 }, "the token's nbf is not accepted"],
    [{ email: "a\u0007@b" }, "the identity must not have control characters"],
    [
      { email: "a\ud800@b" },
      "the identity must be well-formed Unicode (found the lone surrogate U+D800 at position 1)",
    ],
    [{ email: "a".repeat(257) }, "the identity must be at most 256 characters"],
    [{ email_verified: false }, "the token's email is not verified"],
  ] as const)("the claims %o are AUT-002: %s", async ([claims, why]) => {
    await using door = await new Door().open({ audience: ["fleet", "spare"] });
    expect(await door.refusal(await door.as({ aud: "spare", ...claims }))).toBe(`401 AUT-002: ${why}`);
    expect(await door.asks(await door.as({ aud: ["x", "fleet"] }))).toMatchObject({ identity: "ann@example.com" });
  });

  test("an expired token is AUT-003, after the leeway", async () => {
    await using door = await new Door().open({}, { leewayMs: 30_000 });
    const headers = await door.as({ exp: door.clock.now() / 1_000 + 10 });
    await door.clock.advance(39_000);
    expect(await door.asks(headers)).toMatchObject({ identity: "ann@example.com" });
    await door.clock.advance(1_000);
    expect(await door.refusal(headers)).toBe("401 AUT-003: the token has expired");
  });

  test("another algorithm than RS256, or none, is AUT-002 even with the right key", async () => {
    await using door = await new Door().open();
    const unsigned = new UnsecuredJWT(door.claims).encode();
    expect(await door.refusal({ authorization: `Bearer ${unsigned}` })).toContain("401 AUT-002");
    const secret = new TextEncoder().encode(first.jwk.n);
    const hmac = await new SignJWT(door.claims).setProtectedHeader({ alg: "HS256", kid: "first" }).sign(secret);
    expect(await door.refusal({ authorization: `Bearer ${hmac}` })).toBe(
      "401 AUT-002: the token must be signed with RS256",
    );
  });

  test("a token whose claims were changed is AUT-002", async () => {
    await using door = await new Door().open();
    const [head, , signature] = (await tokenBy(first, door.claims)).split(".");
    const claims = Buffer.from(JSON.stringify({ ...door.claims, email: "root@example.com" })).toString("base64url");
    expect(await door.refusal({ authorization: `Bearer ${head}.${claims}.${signature}` })).toBe(
      "401 AUT-002: the token's signature is wrong",
    );
  });

  test("two issuers each bring their own header, claim and keys", async () => {
    await using other = await new KeyServer().start();
    other.keys = [second.jwk];
    const clock = new VirtualClock();
    await using door = await new Door().open();
    const config = {
      issuers: [
        { issuerUrl: ISSUER, keys: { kind: "url", url: door.server.url } },
        {
          issuerUrl: "http://127.0.0.1/robots",
          keys: { kind: "url", url: other.url },
          header: "X-Robot-Token",
          identityClaim: "sub",
        },
      ],
    } as const;
    const both = new CallerAuthenticator({ jwt: config }, { clock, logger: silentLogger });
    const ask = (headers: Readonly<Record<string, string>>): Promise<Caller> =>
      both.authenticate({ headers: requestHeaders(headers), needs: "declare", requestId: "r" });
    const claims = { ...door.claims, iss: "http://127.0.0.1/robots", sub: "robot" };
    expect(await ask(await door.as())).toMatchObject({ identity: "ann@example.com" });
    expect(await ask({ "x-robot-token": await tokenBy(second, claims) })).toMatchObject({ identity: "robot" });
    expect(await refusalOf(ask({ authorization: `Bearer ${await tokenBy(second, claims)}` }))).toContain("iss");
    expect(await refusalOf(ask({ "x-robot-token": await tokenBy(first, claims) }))).toContain("unknown key");
  });
});

describe("identities", () => {
  test("a reader needs no identity, whoever changes something does", async () => {
    await using door = await new Door().open();
    const headers = await door.as({ email: undefined });
    expect(await door.asks(headers, "read")).toMatchObject({ identity: "" });
    for (const needs of ["declare", "force", "report"] as const) {
      expect(await door.refusal(headers, needs)).toBe("401 AUT-001: the token does not say who makes the change");
    }
  });

  test("the header of the gateway goes before the claim, and is held to the same limits", async () => {
    await using door = await new Door().open({ identityHeader: "X-Identity" });
    const token = await door.as();
    expect(await door.asks({ ...token, "x-identity": "bob" })).toMatchObject({ identity: "bob" });
    expect(await door.asks({ ...token, "x-identity": "ü".repeat(256) })).toMatchObject({ identity: "ü".repeat(256) });
    expect(await door.refusal({ ...token, "x-identity": "b".repeat(257) }, "read")).toContain("401 AUT-002");
    expect(await door.refusal({ "x-identity": "bob" })).toContain("401 AUT-001");
  });

  test("the claim must match the whole pattern", async () => {
    await using door = await new Door().open({ identityClaimPattern: "[a-z]+@example\\.com|robot" });
    expect(await door.asks(await door.as())).toMatchObject({ identity: "ann@example.com" });
    expect(await door.refusal(await door.as({ email: "ann@example.com.evil" }))).toContain("none that is accepted");
    expect(await door.refusal(await door.as({ email: "xrobot" }))).toContain("none that is accepted");
  });
});

describe("keys", () => {
  test("a new key is found by its first token, and the old one goes with the next refresh", async () => {
    await using door = await new Door().open({}, { keyRefreshMs: 60_000, keyCooldownMs: 5_000 });
    await door.asks(await door.as());
    door.server.keys = [second.jwk];
    await door.clock.advance(5_000);
    expect(await door.asks(await door.as({}, second))).toMatchObject({ identity: "ann@example.com" });
    expect(await door.refusal(await door.as({}, first))).toContain("unknown key");
    expect(door.server.requests).toBe(2);
  });

  test("a token that was good is not good any more with other keys, or after its end", async () => {
    await using door = await new Door().open({}, { keyRefreshMs: 60_000, keyCooldownMs: 5_000, leewayMs: 0 });
    const short = await door.as({ exp: door.clock.now() / 1_000 + 30 });
    const long = await door.as();
    for (const headers of [short, long, short, long])
      expect(await door.asks(headers)).toMatchObject({ identity: "ann@example.com" });
    await door.clock.advance(30_000);
    expect(await door.refusal(short)).toContain("401 AUT-003");
    door.server.keys = [second.jwk];
    await door.clock.advance(30_000);
    expect(await door.refusal(long)).toContain("unknown key");
  });

  test("keys are asked for once for many tokens, and not again before the cool-down ends", async () => {
    await using door = await new Door().open({}, { keyCooldownMs: 5_000 });
    const headers = await door.as({}, second);
    await Promise.all(Array.from({ length: 20 }, () => door.refusal(headers)));
    expect(door.server.requests).toBe(1);
    await door.clock.advance(5_000);
    await Promise.all(Array.from({ length: 20 }, () => door.refusal(headers)));
    expect(door.server.requests).toBe(2);
  });

  test("old keys serve while the issuer is away; without any the caller may try again later", async () => {
    await using door = await new Door().open({}, { keyRefreshMs: 60_000, keyCooldownMs: 5_000 });
    door.server.status = 302;
    expect(await door.refusal(await door.as())).toBe("503 SVC-002: the token cannot be checked just now");
    door.server.status = 200;
    await door.clock.advance(5_000);
    await door.asks(await door.as());
    door.server.status = 500;
    await door.clock.advance(60_000);
    expect(await door.asks(await door.as())).toMatchObject({ identity: "ann@example.com" });
  });

  test("a token without the id of its key is tried with every key", async () => {
    await using door = await new Door().open();
    door.server.keys = [first.jwk, second.jwk];
    const sign = async ({ privateKey }: SigningKey): Promise<Readonly<Record<string, string>>> => {
      const token = await new SignJWT(door.claims).setProtectedHeader({ alg: "RS256" }).sign(privateKey);
      return { authorization: `Bearer ${token}` };
    };
    expect(await door.asks(await sign(second))).toMatchObject({ identity: "ann@example.com" });
    expect(await door.refusal(await sign(await signingKey("third")))).toContain("signature is wrong");
  });

  test("a file of keys is read again when it changes", async () => {
    const folder = await mkdtemp(join(tmpdir(), "levelset-keys-"));
    try {
      const path = join(folder, "keys.json");
      await writeFile(path, JSON.stringify({ keys: [first.jwk] }));
      await using door = await new Door().open({ keys: { kind: "file", path } });
      await door.asks(await door.as());
      await writeFile(path, JSON.stringify({ keys: [second.jwk, first.jwk] }));
      await door.clock.advance(1_000);
      expect(await door.asks(await door.as({}, second))).toMatchObject({ identity: "ann@example.com" });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("tenants", () => {
  const tenants = {
    dimensions: [
      { name: "org", header: "X-Org", isRequired: true },
      { name: "project", header: "X-Project", isRequired: false, pattern: "p-[0-9]+" },
    ],
    systemHeader: "X-System",
  };
  const gate = new CallerAuthenticator({ tenants }, { clock: new VirtualClock(), logger: silentLogger });
  const ask = (headers: Readonly<Record<string, string>>, needs: Access = "declare"): Promise<Caller> =>
    gate.authenticate({ headers: requestHeaders(headers), needs, requestId: "r" });

  test("a caller sees and stamps exactly its tenant", async () => {
    const tenancy = { org: "acme", project: "p-1" };
    expect(await ask({ "x-org": "acme", "x-project": "p-1" })).toMatchObject({
      scope: { kind: "tenant", tenancy },
      tenancy,
      identity: "system@hyperfleet.local",
    });
  });

  test.for([
    [{}, "the tenant's org is missing: header X-Org"],
    [{ "x-org": "a b" }, "the tenant's org is not valid: header X-Org"],
    [{ "x-org": "a".repeat(64) }, "the tenant's org is not valid: header X-Org"],
    [{ "x-org": "acme, other" }, "the tenant's org is not valid: header X-Org"],
    [{ "x-org": "acme", "x-project": "q-1" }, "the tenant's project is not valid: header X-Project"],
  ] as const)("%o is AUZ-001, for readers too: %s", async ([headers, why]) => {
    expect(await refusalOf(ask(headers, "read"))).toBe(`403 AUZ-001: ${why}`);
  });

  test("the system reads everything and writes nothing but statuses", async () => {
    const headers = { "x-system": "true" };
    for (const needs of ["read", "report"] as const) {
      expect(await ask(headers, needs)).toMatchObject({ scope: { kind: "all" }, isSystem: true, tenancy: {} });
    }
    for (const needs of ["declare", "force"] as const) {
      expect(await refusalOf(ask(headers, needs))).toContain("403 AUZ-001");
    }
    expect(await refusalOf(ask({ "x-system": "yes" }, "read"))).toContain("org is missing");
  });

  test("only a trusted identity may act for the system", async () => {
    const systemIdentity = "sentinel@example\\.com";
    const rest = { tenants: { ...tenants, systemIdentity } };
    await using door = await new Door().open({}, {}, rest);
    expect(await door.refusal({ ...(await door.as()), "x-system": "true" }, "read")).toContain("403 AUZ-001");
    const trusted = await door.as({ email: "sentinel@example.com" });
    expect(await door.asks({ ...trusted, "x-system": "true" }, "read")).toMatchObject({ isSystem: true });
  });

  test("where no dimension is required, one is nevertheless", async () => {
    const loose = { dimensions: [{ name: "org", header: "X-Org", isRequired: false }] };
    const open = new CallerAuthenticator({ tenants: loose }, { clock: new VirtualClock(), logger: silentLogger });
    const asked = open.authenticate({ headers: requestHeaders({}), needs: "read", requestId: "r" });
    expect(await refusalOf(asked)).toBe("403 AUZ-001: the request names no tenant");
  });
});

test("an identity may report as the adapters of all its bindings, and as none without one", async () => {
  const adapters = [
    { identity: "dns@example\\.com", adapters: ["dns"] },
    { identity: ".*@example\\.com", adapters: ["validation", "dns"] },
  ];
  await using door = await new Door().open({}, {}, { adapters });
  const namesOf = async (email: string): Promise<unknown> =>
    (await door.asks(await door.as({ email }), "report")).adapters;
  expect(await namesOf("dns@example.com")).toEqual(["dns", "validation"]);
  expect(await namesOf("ann@example.com")).toEqual(["validation", "dns"]);
  expect(await namesOf("ann@elsewhere.com")).toEqual([]);
});

test.for([
  [{ jwt: { issuers: [] } }, "jwt.issuers"],
  [{ jwt: { issuers: [{ issuerUrl: "http://issuer.example", keys: { kind: "file", path: "k" } }] } }, "issuer_url"],
  [{ jwt: { issuers: [{ issuerUrl: ISSUER, keys: { kind: "url", url: "http://10.0.0.1/keys" } }] } }, "keys.url"],
  [{ tenants: { dimensions: [] } }, "tenants.dimensions"],
  [{ tenants: { dimensions: [{ name: "org", header: "X Org", isRequired: true }] } }, "dimensions[0].header"],
  [{ adapters: [{ identity: "a)(b", adapters: ["dns"] }] }, "adapters[0].identity"],
  [{ adapters: [{ identity: "a", adapters: [] }] }, "adapters[0].adapters"],
] as const satisfies readonly (readonly [AuthConfig, string])[])(
  "%o does not start, and %s is named",
  ([config, named]) => {
    const make = (): unknown => new CallerAuthenticator(config, { clock: new VirtualClock(), logger: silentLogger });
    expect(make).toThrow(named);
  },
);
