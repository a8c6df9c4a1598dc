import type { Clock, Logger } from "@levelset/core";
import { LOCAL_IDENTITY } from "../../service/index.ts";
import type { Caller } from "../../service/index.ts";
import { EVERY_TENANT } from "../../store/index.ts";
import type { Authenticator } from "../authenticator.ts";
import { HttpProblem } from "../http-problem.ts";
import type { Permission, RequestHeaders } from "../route.ts";
import { AdapterNames } from "./adapter-names.ts";
import type { AuthConfig } from "./auth-config.ts";
import type { IdentityResult } from "./identity.ts";
import { TenantResolver } from "./tenant-resolver.ts";
import { TokenVerifier } from "./token-verifier.ts";

const CHALLENGE = { "www-authenticate": "Bearer" };
/** Retry-After while the keys of an issuer are unavailable, in seconds. */
const RETRY_SECONDS = "5";

/** Authenticates callers by token, determines the tenant from headers, and checks permissions. */
export class CallerAuthenticator implements Authenticator {
  readonly #tokens: TokenVerifier | undefined;
  readonly #tenants: TenantResolver | undefined;
  readonly #adapters: AdapterNames | undefined;

  /** Throws an `InputError` that names the invalid field. */
  constructor(config: AuthConfig, world: { readonly clock: Clock; readonly logger: Logger }) {
    this.#tokens = config.jwt === undefined ? undefined : new TokenVerifier(config.jwt, world);
    this.#tenants = config.tenants === undefined ? undefined : new TenantResolver(config.tenants);
    this.#adapters = config.adapters === undefined ? undefined : new AdapterNames(config.adapters);
  }

  async authenticate(request: {
    readonly headers: RequestHeaders;
    readonly needs: Permission;
    readonly requestId: string;
  }): Promise<Caller> {
    const { headers, needs, requestId } = request;
    const anonymous = { identity: "", scope: { kind: "tenant", tenancy: {} }, tenancy: {}, isSystem: false } as const;
    if (needs === "none") return { ...anonymous, requestId };
    const identity = await this.#identity(headers, needs);
    const adapters = this.#adapters === undefined ? {} : { adapters: this.#adapters.of(identity) };
    const caller = { identity, ...adapters, requestId };
    const tenant = this.#tenants?.resolve(headers, identity);
    if (tenant === undefined) return { ...caller, scope: EVERY_TENANT, tenancy: {}, isSystem: false };
    switch (tenant.kind) {
      case "tenant":
        return { ...caller, scope: tenant, tenancy: tenant.tenancy, isSystem: false };
      case "system":
        if (needs === "read" || needs === "report") {
          return { ...caller, scope: EVERY_TENANT, tenancy: {}, isSystem: true };
        }
        throw new HttpProblem("AUZ-001", "the system may not change resources, only report statuses");
      case "refused":
        throw new HttpProblem("AUZ-001", tenant.why);
      default:
        return tenant satisfies never;
    }
  }

  /** Returns the identity. Empty for a reader whose token contains none. */
  async #identity(headers: RequestHeaders, needs: Permission): Promise<string> {
    const checked = await this.#tokens?.verify(headers);
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
        throw new HttpProblem("SVC-002", "the token cannot be checked just now", { headers: wait });
      }
      default:
        return checked satisfies never;
    }
  }
}

function knownIdentity(found: IdentityResult, needs: Permission): string {
  switch (found.kind) {
    case "identity":
      return found.identity;
    case "none":
      if (needs === "read") return "";
      throw refused("AUT-001", "the token contains no identity, which is required for changes");
    case "invalid":
      throw refused("AUT-002", found.why);
    default:
      return found satisfies never;
  }
}

function refused(code: "AUT-001" | "AUT-002" | "AUT-003", detail: string): HttpProblem {
  return new HttpProblem(code, detail, { headers: CHALLENGE });
}
