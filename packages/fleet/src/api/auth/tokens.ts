import type { RequestHeaders } from "../route.ts";
import { InputError } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import { decodeJwt, errors } from "jose";
import type { JwtConfig } from "./auth-config.ts";
import { headerText } from "./header.ts";
import { Issuer } from "./issuer.ts";
import type { CheckedToken } from "./issuer.ts";

/** All issuers that are trusted. */
export class Tokens {
  readonly #issuers: readonly Issuer[];
  /** Where tokens are looked for, in this order. */
  readonly #headers: readonly string[];

  /** Throws an InputError that names the field of what cannot be used. */
  constructor(config: JwtConfig, world: { readonly clock: Clock; readonly logger: Logger }) {
    if (config.issuers.length === 0) throw new InputError("jwt.issuers: must name at least one");
    this.#issuers = config.issuers.map((issuer, at) => new Issuer(issuer, config, `jwt.issuers[${at}]`, world));
    this.#headers = [...new Set(this.#issuers.map(({ header }) => header))];
  }

  /** Checks the token of a request, by the issuer that it says it is from. */
  async check(headers: RequestHeaders): Promise<CheckedToken | { readonly kind: "none" }> {
    const header = this.#headers.find((name) => headerText(headers, name) !== undefined);
    if (header === undefined) return { kind: "none" };
    const token = tokenIn(header, headerText(headers, header) ?? "");
    if (token === undefined) return { kind: "invalid", why: "the credentials must be a Bearer token" };
    const from = issuerIn(token);
    const issuer = this.#issuers.find(({ url, header: own }) => url === from && own === header);
    if (issuer === undefined) {
      return {
        kind: "invalid",
        why: from === undefined ? "the token is malformed" : "the token's iss is not accepted",
      };
    }
    return await issuer.check(token, headers);
  }
}

/** In a header of its own the token may stand alone. */
function tokenIn(header: string, text: string): string | undefined {
  const bearer = /^bearer +(\S+)$/i.exec(text)?.[1];
  if (bearer !== undefined) return bearer;
  return header !== "authorization" && /^\S+$/.test(text) ? text : undefined;
}

/** What it says, before anything is checked: it only chooses who checks. */
function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss ?? "";
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
