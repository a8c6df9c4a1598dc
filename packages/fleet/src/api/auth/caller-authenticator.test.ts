import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@levelset/core";
import { VirtualClock } from "@levelset/core/testing";
import { UnsecuredJWT, SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../../service/index.ts";
import { HttpProblem } from "../http-problem.ts";
import type { Permission } from "../route.ts";
import type { AuthConfig, IssuerConfig, JwtConfig } from "./auth-config.ts";
import { CallerAuthenticator } from "./caller-authenticator.ts";
import { KeyServer, requestHeaders, signingKey, signToken } from "./issuer.fixture.ts";
import type { SigningKey } from "./issuer.fixture.ts";

const ISSUER = "https://issuer.example/fleet";
let first: SigningKey;
let second: SigningKey;

beforeAll(async () => {
  [first, second] = await Promise.all([signingKey("first"), signingKey("second")]);
});

/** An authenticator with its dependencies. */
class TestAuthenticator implements AsyncDisposable {
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

  /** Valid claims. */
  get claims(): Readonly<Record<string, unknown>> {
    return { iss: ISSUER, email: "ann@example.com", exp: this.clock.now() / 1_000 + 600 };
  }

  async as(claims: Readonly<Record<string, unknown>> = {}, key = first): Promise<Readonly<Record<string, string>>> {
    return { authorization: `Bearer ${await signToken(key, { ...this.claims, ...claims })}` };
  }

  async authenticate(headers: Readonly<Record<string, string>>, needs: Permission = "declare"): Promise<Caller> {
    if (this.#authenticator === undefined) throw new TypeError("open it first");
    return await this.#authenticator.authenticate({ headers: requestHeaders(headers), needs, requestId: "r" });
  }

  async refusal(headers: Readonly<Record<string, string>>, needs: Permission = "declare"): Promise<string> {
    return await refusalOf(this.authenticate(headers, needs));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}

async function refusalOf(pending: Promise<unknown>): Promise<string> {
  const problem = await pending.then(
    () => "allowed",
    (error: unknown) => error,
  );
  return problem instanceof HttpProblem ? `${problem.status} ${problem.code}: ${problem.message}` : String(problem);
}

describe("tokens", () => {
  test("a caller with a token of a trusted issuer has the identity in the claim", async () => {
    await using auth = await new TestAuthenticator().open();
    expect(await auth.authenticate(await auth.as())).toEqual({
      identity: "ann@example.com",
      scope: { kind: "all" },
      tenancy: {},
      isSystem: false,
      requestId: "r",
    });
  });

  test("a route without permission needs no authentication", async () => {
    await using auth = await new TestAuthenticator().open();
    expect(await auth.authenticate({}, "none")).toMatchObject({ identity: "" });
  });

  test("missing credentials are AUT-001, also for readers", async () => {
    await using auth = await new TestAuthenticator().open();
    expect(await auth.refusal({}, "read")).toBe("401 AUT-001: a Bearer token is required");
    expect(await auth.refusal({})).toBe("401 AUT-001: a Bearer token is required");
  });

  test.for([
    ["Basic eDp5", "the credentials must be a Bearer token"],
    ["Bearer", "the credentials must be a Bearer token"],
    ["Bearer a b", "the credentials must be a Bearer token"],
    ["Bearer nonsense", "the token is malformed"],
    ["Bearer a.b.c", "the token is malformed"],
  ] as const)("'%s' is AUT-002: %s", async ([authorization, why]) => {
    await using auth = await new TestAuthenticator().open();
    expect(await auth.refusal({ authorization })).toBe(`401 AUT-002: ${why}`);
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
    await using auth = await new TestAuthenticator().open({ audience: ["fleet", "spare"] });
    expect(await auth.refusal(await auth.as({ aud: "spare", ...claims }))).toBe(`401 AUT-002: ${why}`);
    expect(await auth.authenticate(await auth.as({ aud: ["x", "fleet"] }))).toMatchObject({
      identity: "ann@example.com",
    });
  });

  test("an expired token is AUT-003, after the leeway", async () => {
    await using auth = await new TestAuthenticator().open({}, { leewayMs: 30_000 });
    const headers = await auth.as({ exp: auth.clock.now() / 1_000 + 10 });
    await auth.clock.advance(39_000);
    expect(await auth.authenticate(headers)).toMatchObject({ identity: "ann@example.com" });
    await auth.clock.advance(1_000);
    expect(await auth.refusal(headers)).toBe("401 AUT-003: the token has expired");
  });

  test("an algorithm other than RS256, or none, is AUT-002 even with the right key", async () => {
    await using auth = await new TestAuthenticator().open();
    const unsigned = new UnsecuredJWT(auth.claims).encode();
    expect(await auth.refusal({ authorization: `Bearer ${unsigned}` })).toContain("401 AUT-002");
    const secret = new TextEncoder().encode(first.jwk.n);
    const hmac = await new SignJWT(auth.claims).setProtectedHeader({ alg: "HS256", kid: "first" }).sign(secret);
    expect(await auth.refusal({ authorization: `Bearer ${hmac}` })).toBe(
      "401 AUT-002: the token must be signed with RS256",
    );
  });

  test("a token with modified claims is AUT-002", async () => {
    await using auth = await new TestAuthenticator().open();
    const [head, , signature] = (await signToken(first, auth.claims)).split(".");
    const claims = Buffer.from(JSON.stringify({ ...auth.claims, email: "root@example.com" })).toString("base64url");
    expect(await auth.refusal({ authorization: `Bearer ${head}.${claims}.${signature}` })).toBe(
      "401 AUT-002: the token's signature is wrong",
    );
  });

  test("two issuers have separate headers, claims and keys", async () => {
    await using other = await new KeyServer().start();
    other.keys = [second.jwk];
    const clock = new VirtualClock();
    await using auth = await new TestAuthenticator().open();
    const config = {
      issuers: [
        { issuerUrl: ISSUER, keys: { kind: "url", url: auth.server.url } },
        {
          issuerUrl: "http://127.0.0.1/robots",
          keys: { kind: "url", url: other.url },
          header: "X-Robot-Token",
          identityClaim: "sub",
        },
      ],
    } as const;
    const both = new CallerAuthenticator({ jwt: config }, { clock, logger: silentLogger });
    const authenticate = (headers: Readonly<Record<string, string>>): Promise<Caller> =>
      both.authenticate({ headers: requestHeaders(headers), needs: "declare", requestId: "r" });
    const claims = { ...auth.claims, iss: "http://127.0.0.1/robots", sub: "robot" };
    expect(await authenticate(await auth.as())).toMatchObject({ identity: "ann@example.com" });
    expect(await authenticate({ "x-robot-token": await signToken(second, claims) })).toMatchObject({
      identity: "robot",
    });
    expect(await refusalOf(authenticate({ authorization: `Bearer ${await signToken(second, claims)}` }))).toContain(
      "iss",
    );
    expect(await refusalOf(authenticate({ "x-robot-token": await signToken(first, claims) }))).toContain("unknown key");
  });
});

describe("identities", () => {
  test("a reader needs no identity, a writer does", async () => {
    await using auth = await new TestAuthenticator().open();
    const headers = await auth.as({ email: undefined });
    expect(await auth.authenticate(headers, "read")).toMatchObject({ identity: "" });
    for (const needs of ["declare", "force", "report"] as const) {
      expect(await auth.refusal(headers, needs)).toBe(
        "401 AUT-001: the token contains no identity, which is required for changes",
      );
    }
  });

  test("the gateway header takes precedence over the claim and has the same limits", async () => {
    await using auth = await new TestAuthenticator().open({ identityHeader: "X-Identity" });
    const token = await auth.as();
    expect(await auth.authenticate({ ...token, "x-identity": "bob" })).toMatchObject({ identity: "bob" });
    expect(await auth.authenticate({ ...token, "x-identity": "ü".repeat(256) })).toMatchObject({
      identity: "ü".repeat(256),
    });
    expect(await auth.refusal({ ...token, "x-identity": "b".repeat(257) }, "read")).toContain("401 AUT-002");
    expect(await auth.refusal({ "x-identity": "bob" })).toContain("401 AUT-001");
  });

  test("the claim must match the whole pattern", async () => {
    await using auth = await new TestAuthenticator().open({
      identityClaimPattern: "[a-z]+@example\\.com|robot",
    });
    expect(await auth.authenticate(await auth.as())).toMatchObject({ identity: "ann@example.com" });
    expect(await auth.refusal(await auth.as({ email: "ann@example.com.evil" }))).toContain("is not accepted here");
    expect(await auth.refusal(await auth.as({ email: "xrobot" }))).toContain("is not accepted here");
  });
});

describe("keys", () => {
  test("a new key is loaded with its first token, and the old one is dropped at the next refresh", async () => {
    await using auth = await new TestAuthenticator().open({}, { keyRefreshMs: 60_000, keyCooldownMs: 5_000 });
    await auth.authenticate(await auth.as());
    auth.server.keys = [second.jwk];
    await auth.clock.advance(5_000);
    expect(await auth.authenticate(await auth.as({}, second))).toMatchObject({
      identity: "ann@example.com",
    });
    expect(await auth.refusal(await auth.as({}, first))).toContain("unknown key");
    expect(auth.server.requests).toBe(2);
  });

  test("a cached token is refused after the keys change or the token expires", async () => {
    await using auth = await new TestAuthenticator().open(
      {},
      { keyRefreshMs: 60_000, keyCooldownMs: 5_000, leewayMs: 0 },
    );
    const short = await auth.as({ exp: auth.clock.now() / 1_000 + 30 });
    const long = await auth.as();
    for (const headers of [short, long, short, long])
      expect(await auth.authenticate(headers)).toMatchObject({ identity: "ann@example.com" });
    await auth.clock.advance(30_000);
    expect(await auth.refusal(short)).toContain("401 AUT-003");
    auth.server.keys = [second.jwk];
    await auth.clock.advance(30_000);
    expect(await auth.refusal(long)).toContain("unknown key");
  });

  test("keys are requested once for many tokens, and not again before the cool-down ends", async () => {
    await using auth = await new TestAuthenticator().open({}, { keyCooldownMs: 5_000 });
    const headers = await auth.as({}, second);
    await Promise.all(Array.from({ length: 20 }, () => auth.refusal(headers)));
    expect(auth.server.requests).toBe(1);
    await auth.clock.advance(5_000);
    await Promise.all(Array.from({ length: 20 }, () => auth.refusal(headers)));
    expect(auth.server.requests).toBe(2);
  });

  test("old keys are used while the issuer is unavailable; without keys the caller gets 503", async () => {
    await using auth = await new TestAuthenticator().open({}, { keyRefreshMs: 60_000, keyCooldownMs: 5_000 });
    auth.server.status = 302;
    expect(await auth.refusal(await auth.as())).toBe("503 SVC-002: the token cannot be checked just now");
    auth.server.status = 200;
    await auth.clock.advance(5_000);
    await auth.authenticate(await auth.as());
    auth.server.status = 500;
    await auth.clock.advance(60_000);
    expect(await auth.authenticate(await auth.as())).toMatchObject({ identity: "ann@example.com" });
  });

  test("a token without a key ID is checked with every key", async () => {
    await using auth = await new TestAuthenticator().open();
    auth.server.keys = [first.jwk, second.jwk];
    const sign = async ({ privateKey }: SigningKey): Promise<Readonly<Record<string, string>>> => {
      const token = await new SignJWT(auth.claims).setProtectedHeader({ alg: "RS256" }).sign(privateKey);
      return { authorization: `Bearer ${token}` };
    };
    expect(await auth.authenticate(await sign(second))).toMatchObject({ identity: "ann@example.com" });
    expect(await auth.refusal(await sign(await signingKey("third")))).toContain("signature is wrong");
  });

  test("a key file is read again when it changes", async () => {
    const folder = await mkdtemp(join(tmpdir(), "levelset-keys-"));
    try {
      const path = join(folder, "keys.json");
      await writeFile(path, JSON.stringify({ keys: [first.jwk] }));
      await using auth = await new TestAuthenticator().open({ keys: { kind: "file", path } });
      await auth.authenticate(await auth.as());
      await writeFile(path, JSON.stringify({ keys: [second.jwk, first.jwk] }));
      await auth.clock.advance(1_000);
      expect(await auth.authenticate(await auth.as({}, second))).toMatchObject({
        identity: "ann@example.com",
      });
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
  const authenticate = (headers: Readonly<Record<string, string>>, needs: Permission = "declare"): Promise<Caller> =>
    gate.authenticate({ headers: requestHeaders(headers), needs, requestId: "r" });

  test("a caller reads and writes exactly its tenant", async () => {
    const tenancy = { org: "acme", project: "p-1" };
    expect(await authenticate({ "x-org": "acme", "x-project": "p-1" })).toMatchObject({
      scope: { kind: "tenant", tenancy },
      tenancy,
      identity: "system@hyperfleet.local",
    });
  });

  test.for([
    [{}, "the tenant's org is missing: header X-Org"],
    [{ "x-org": "a b" }, "the tenant's org is invalid: header X-Org"],
    [{ "x-org": "a".repeat(64) }, "the tenant's org is invalid: header X-Org"],
    [{ "x-org": "acme, other" }, "the tenant's org is invalid: header X-Org"],
    [{ "x-org": "acme", "x-project": "q-1" }, "the tenant's project is invalid: header X-Project"],
  ] as const)("%o is AUZ-001, for readers too: %s", async ([headers, why]) => {
    expect(await refusalOf(authenticate(headers, "read"))).toBe(`403 AUZ-001: ${why}`);
  });

  test("the system reads everything and writes only statuses", async () => {
    const headers = { "x-system": "true" };
    for (const needs of ["read", "report"] as const) {
      expect(await authenticate(headers, needs)).toMatchObject({ scope: { kind: "all" }, isSystem: true, tenancy: {} });
    }
    for (const needs of ["declare", "force"] as const) {
      expect(await refusalOf(authenticate(headers, needs))).toContain("403 AUZ-001");
    }
    expect(await refusalOf(authenticate({ "x-system": "yes" }, "read"))).toContain("org is missing");
  });

  test("only a trusted identity may act for the system", async () => {
    const systemIdentity = "sentinel@example\\.com";
    const rest = { tenants: { ...tenants, systemIdentity } };
    await using auth = await new TestAuthenticator().open({}, {}, rest);
    expect(await auth.refusal({ ...(await auth.as()), "x-system": "true" }, "read")).toContain("403 AUZ-001");
    const trusted = await auth.as({ email: "sentinel@example.com" });
    expect(await auth.authenticate({ ...trusted, "x-system": "true" }, "read")).toMatchObject({
      isSystem: true,
    });
  });

  test("at least one dimension is required even if each is optional", async () => {
    const loose = { dimensions: [{ name: "org", header: "X-Org", isRequired: false }] };
    const open = new CallerAuthenticator({ tenants: loose }, { clock: new VirtualClock(), logger: silentLogger });
    const pending = open.authenticate({ headers: requestHeaders({}), needs: "read", requestId: "r" });
    expect(await refusalOf(pending)).toBe("403 AUZ-001: the request names no tenant");
  });
});

test("an identity may report as the adapters of all its bindings, and without a binding not at all", async () => {
  const adapters = [
    { identity: "dns@example\\.com", adapters: ["dns"] },
    { identity: ".*@example\\.com", adapters: ["validation", "dns"] },
  ];
  await using auth = await new TestAuthenticator().open({}, {}, { adapters });
  const namesOf = async (email: string): Promise<unknown> =>
    (await auth.authenticate(await auth.as({ email }), "report")).adapters;
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
  "%o is refused at startup, and %s is named",
  ([config, named]) => {
    const make = (): unknown => new CallerAuthenticator(config, { clock: new VirtualClock(), logger: silentLogger });
    expect(make).toThrow(named);
  },
);
