import type { Clock, Logger } from "@levelset/core";
import { LOCAL_IDENTITY } from "../../service/index.ts";
import type { Caller } from "../../service/index.ts";
import { EVERY_TENANT } from "../../store/index.ts";
import type { Authenticator } from "../authenticator.ts";
import { Problem } from "../problem.ts";
import type { Access, RequestHeaders } from "../route.ts";
import { AdapterNames } from "./adapter-names.ts";
import type { AuthConfig } from "./auth-config.ts";
import type { FoundIdentity } from "./identity.ts";
import { Tenants } from "./tenants.ts";
import { Tokens } from "./tokens.ts";

const CHALLENGE = { "www-authenticate": "Bearer" };
/** When to ask again while the keys of an issuer cannot be had. */
const RETRY_SECONDS = "5";

/** Finds out who calls by tokens, whose the request is by headers, and what that caller may do. */
export class CallerAuthenticator implements Authenticator {
  readonly #tokens: Tokens | undefined;
  readonly #tenants: Tenants | undefined;
  readonly #adapters: AdapterNames | undefined;

  /** Throws an InputError that names the field of what cannot be used. */
  constructor(config: AuthConfig, world: { readonly clock: Clock; readonly logger: Logger }) {
    this.#tokens = config.jwt === undefined ? undefined : new Tokens(config.jwt, world);
    this.#tenants = config.tenants === undefined ? undefined : new Tenants(config.tenants);
    this.#adapters = config.adapters === undefined ? undefined : new AdapterNames(config.adapters);
  }

  async authenticate(request: {
    readonly headers: RequestHeaders;
    readonly needs: Access;
    readonly requestId: string;
  }): Promise<Caller> {
    const { headers, needs, requestId } = request;
    const nobody = { identity: "", scope: { kind: "tenant", tenancy: {} }, tenancy: {}, isSystem: false } as const;
    if (needs === "none") return { ...nobody, requestId };
    const identity = await this.#identity(headers, needs);
    const adapters = this.#adapters === undefined ? {} : { adapters: this.#adapters.of(identity) };
    const caller = { identity, ...adapters, requestId };
    const tenant = this.#tenants?.of(headers, identity);
    if (tenant === undefined) return { ...caller, scope: EVERY_TENANT, tenancy: {}, isSystem: false };
    switch (tenant.kind) {
      case "tenant":
        return { ...caller, scope: tenant, tenancy: tenant.tenancy, isSystem: false };
      case "system":
        if (needs === "read" || needs === "report") {
          return { ...caller, scope: EVERY_TENANT, tenancy: {}, isSystem: true };
        }
        throw new Problem("AUZ-001", "the system may not change resources, only report their status");
      case "refused":
        throw new Problem("AUZ-001", tenant.why);
      default:
        return tenant satisfies never;
    }
  }

  /** Empty for a reader whose token does not say who it is. */
  async #identity(headers: RequestHeaders, needs: Access): Promise<string> {
    const checked = await this.#tokens?.check(headers);
    if (checked === undefined) return LOCAL_IDENTITY;
    switch (checked.kind) {
      case "valid":
        return knownIdentity(checked.identity, needs);
      case "none":
        throw refused("AUT-001", "a Bearer token is required");
      case "expired":
        throw refused("AUT-003", "the token has expired");
      case "invalid":
        throw refused("AUT-002", checked.why);
      case "unavailable": {
        const wait = { "retry-after": RETRY_SECONDS };
        throw new Problem("SVC-002", "the token cannot be checked just now", { headers: wait });
      }
      default:
        return checked satisfies never;
    }
  }
}

function knownIdentity(found: FoundIdentity, needs: Access): string {
  switch (found.kind) {
    case "identity":
      return found.identity;
    case "none":
      if (needs === "read") return "";
      throw refused("AUT-001", "the token does not say who makes the change");
    case "invalid":
      throw refused("AUT-002", found.why);
    default:
      return found satisfies never;
  }
}

function refused(code: "AUT-001" | "AUT-002" | "AUT-003", detail: string): Problem {
  return new Problem(code, detail, { headers: CHALLENGE });
}
