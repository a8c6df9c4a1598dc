import type { RequestHeaders } from "../route.ts";
import { InputError } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import { errors, jwtVerify } from "jose";
import type { JWTPayload, JWTVerifyOptions } from "jose";
import type { IssuerConfig, JwtConfig } from "./auth-config.ts";
import { checkHeaderName, headerValue } from "./header.ts";
import { parseIdentity } from "./identity.ts";
import type { IdentityResult } from "./identity.ts";
import { KeySet, KeysUnavailableError } from "./key-set.ts";
import { keySource, secureUrl } from "./key-source.ts";
import { TokenCache } from "./token-cache.ts";
import { fullMatchPattern } from "./full-match-pattern.ts";

const LEEWAY_MS = 60_000;
const KEY_REFRESH_MS = 3_600_000;
const KEY_COOLDOWN_MS = 10_000;
/** How often a key file is checked for changes. */
const FILE_LOOK_MS = 1_000;

/** The result of a token validation. */
export type TokenCheckResult =
  | { readonly kind: "valid"; readonly identity: IdentityResult }
  | { readonly kind: "expired" }
  | { readonly kind: "invalid"; readonly why: string }
  | { readonly kind: "unavailable" };

/** A trusted token issuer. */
export class Issuer {
  readonly url: string;
  /** The header that carries its tokens, in lower case. */
  readonly header: string;
  readonly #config: IssuerConfig;
  readonly #clock: Clock;
  readonly #keys: KeySet;
  readonly #options: JWTVerifyOptions;
  readonly #leewayMs: number;
  readonly #verified = new TokenCache();
  readonly #isIdentity: (text: string) => boolean;

  /** Throws an `InputError` that names the invalid field. */
  constructor(config: IssuerConfig, jwt: JwtConfig, field: string, world: { clock: Clock; logger: Logger }) {
    const { clock, logger } = world;
    this.#config = config;
    this.#clock = clock;
    secureUrl(config.issuerUrl, `${field}.issuer_url`);
    this.url = config.issuerUrl;
    this.header = (config.header ?? "authorization").toLowerCase();
    checkHeaderName(this.header, `${field}.header`);
    if (config.identityHeader !== undefined) checkHeaderName(config.identityHeader, `${field}.identity_header`);
    const pattern = config.identityClaimPattern;
    this.#isIdentity =
      pattern === undefined ? () => true : fullMatchPattern(pattern, `${field}.identity_claim_pattern`);
    const isFile = config.keys.kind === "file";
    this.#keys = new KeySet({
      source: keySource(config.keys, `${field}.keys`, clock),
      clock,
      logger,
      refreshMs: isFile ? FILE_LOOK_MS : (jwt.keyRefreshMs ?? KEY_REFRESH_MS),
      cooldownMs: isFile ? FILE_LOOK_MS : (jwt.keyCooldownMs ?? KEY_COOLDOWN_MS),
    });
    this.#leewayMs = jwt.leewayMs ?? LEEWAY_MS;
    this.#options = {
      // A single algorithm, so that a token cannot choose a weaker one.
      algorithms: ["RS256"],
      issuer: config.issuerUrl,
      requiredClaims: ["exp"],
      clockTolerance: this.#leewayMs / 1_000,
      ...(config.audience === undefined ? {} : { audience: audiences(config.audience, field) }),
    };
  }

  /** Validates a token of this issuer and extracts the identity. */
  async verify(token: string, headers: RequestHeaders): Promise<TokenCheckResult> {
    try {
      return { kind: "valid", identity: this.#identity(await this.#verify(token), headers) };
    } catch (error) {
      if (error instanceof errors.JWTExpired) return { kind: "expired" };
      if (error instanceof KeysUnavailableError) return { kind: "unavailable" };
      if (error instanceof errors.JOSEError) return { kind: "invalid", why: whyInvalid(error) };
      // A key of the set cannot be imported, or the platform cannot read the token.
      if (error instanceof TypeError || error instanceof DOMException)
        return { kind: "invalid", why: "the token cannot be checked" };
      throw error;
    }
  }

  async #verify(token: string): Promise<JWTPayload> {
    await this.#keys.refresh();
    const now = this.#clock.now();
    const { version } = this.#keys;
    const known = this.#verified.claimsOf(token, version, now);
    if (known !== undefined) return known;
    const claims = await this.#verifyAnew(token, { ...this.#options, currentDate: new Date(now) });
    const endTime = (claims.exp ?? 0) * 1_000 + this.#leewayMs;
    // If the keys changed in the meantime, it is unknown which key set validated the token.
    if (version === this.#keys.version) this.#verified.add(token, { claims, keysVersion: version, endTime });
    return claims;
  }

  async #verifyAnew(token: string, options: JWTVerifyOptions): Promise<JWTPayload> {
    try {
      return (await jwtVerify(token, (header, input) => this.#keys.keyOf(header, input), options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      return await verifyByOneOf(error, token, options);
    }
  }

  #identity(claims: JWTPayload, headers: RequestHeaders): IdentityResult {
    const { identityHeader, identityClaim = "email" } = this.#config;
    const headerIdentity = identityHeader === undefined ? undefined : headerValue(headers, identityHeader);
    if (headerIdentity !== undefined) return parseIdentity(headerIdentity);
    const claim = Object.hasOwn(claims, identityClaim) ? claims[identityClaim] : undefined;
    if (typeof claim !== "string") return { kind: "none" };
    if (identityClaim === "email" && claims["email_verified"] === false) {
      return { kind: "invalid", why: "the token's email is not verified" };
    }
    const found = parseIdentity(claim);
    if (found.kind !== "identity" || this.#isIdentity(found.identity)) return found;
    return { kind: "invalid", why: `the token's ${identityClaim} is not accepted here` };
  }
}

/** A token without a key ID may be signed by any key. */
async function verifyByOneOf(
  keys: errors.JWKSMultipleMatchingKeys,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  for await (const key of keys) {
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
}

function audiences(audience: string | readonly string[], field: string): string[] {
  const all = typeof audience === "string" ? [audience] : [...audience];
  if (all.length === 0 || all.includes("")) throw new InputError(`${field}.audience: must not be empty`);
  return all;
}

/** Returns a message that lets the caller fix the token without revealing the keys. */
function whyInvalid(error: errors.JOSEError): string {
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.reason === "missing"
      ? `the token has no ${error.claim}`
      : `the token's ${error.claim} is not accepted`;
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return "the token must be signed with RS256";
  if (error instanceof errors.JWKSNoMatchingKey) return "the token is signed by an unknown key";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "the token's signature is wrong";
  return "the token is malformed";
}
