import type { RequestHeaders } from "../route.ts";
import { InputError } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import { decodeJwt, errors } from "jose";
import type { JwtConfig } from "./auth-config.ts";
import { headerValue } from "./header.ts";
import { Issuer } from "./issuer.ts";
import type { TokenCheckResult } from "./issuer.ts";

/** Validates tokens of all trusted issuers. */
export class TokenVerifier {
  readonly #issuers: readonly Issuer[];
  /** The headers that may carry tokens, in lookup order. */
  readonly #headers: readonly string[];

  /** Throws an `InputError` that names the invalid field. */
  constructor(config: JwtConfig, world: { readonly clock: Clock; readonly logger: Logger }) {
    if (config.issuers.length === 0) throw new InputError("jwt.issuers: must contain at least one issuer");
    this.#issuers = config.issuers.map((issuer, at) => new Issuer(issuer, config, `jwt.issuers[${at}]`, world));
    this.#headers = [...new Set(this.#issuers.map(({ header }) => header))];
  }

  /** Validates the token of a request with the issuer that it names. */
  async verify(headers: RequestHeaders): Promise<TokenCheckResult | { readonly kind: "none" }> {
    const header = this.#headers.find((name) => headerValue(headers, name) !== undefined);
    if (header === undefined) return { kind: "none" };
    const token = tokenIn(header, headerValue(headers, header) ?? "");
    if (token === undefined) return { kind: "invalid", why: "the credentials must be a Bearer token" };
    const from = issuerIn(token);
    const issuer = this.#issuers.find(({ url, header: own }) => url === from && own === header);
    if (issuer === undefined) {
      return {
        kind: "invalid",
        why: from === undefined ? "the token is malformed" : "the token's iss is not accepted",
      };
    }
    return await issuer.verify(token, headers);
  }
}

/** In a dedicated header the token may come without a scheme. */
function tokenIn(header: string, text: string): string | undefined {
  const bearer = /^bearer +(\S+)$/i.exec(text)?.[1];
  if (bearer !== undefined) return bearer;
  return header !== "authorization" && /^\S+$/.test(text) ? text : undefined;
}

/** Returns the unverified issuer: it only selects the key set. */
function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss ?? "";
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
