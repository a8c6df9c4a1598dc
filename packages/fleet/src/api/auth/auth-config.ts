import type { TenantConfig } from "./tenant-config.ts";

/** Authentication and authorisation settings. */
export interface AuthConfig {
  /** Trusted token issuers. Without it no token is required, and every caller is `system@hyperfleet.local`. */
  readonly jwt?: JwtConfig;
  /** Tenant isolation. Without it there are no tenants. */
  readonly tenants?: TenantConfig;
  /**
   * Which identities may report under which adapter names. Without it every caller may report as any adapter; with it,
   * an identity without a binding may not report.
   */
  readonly adapters?: readonly AdapterBinding[];
}

/** Token validation settings. */
export interface JwtConfig {
  /** At least one. */
  readonly issuers: readonly IssuerConfig[];
  /** The allowed clock skew. Default 60 s. */
  readonly leewayMs?: number;
  /** How long keys from a URL are cached. Default one hour. */
  readonly keyRefreshMs?: number;
  /** The minimum time between two key requests, however many tokens name an unknown key. Default 10 s. */
  readonly keyCooldownMs?: number;
}

/** A trusted token issuer. */
export interface IssuerConfig {
  /** The `iss` of its tokens. An https URL, or http on loopback. */
  readonly issuerUrl: string;
  readonly keys: KeysConfig;
  /** The header that carries the token. Default `Authorization`, with the `Bearer` scheme. */
  readonly header?: string;
  /** The accepted audiences. */
  readonly audience?: string | readonly string[];
  /** The claim that contains the identity. Default `email`. */
  readonly identityClaim?: string;
  /** The RE2 pattern that the whole claim must match. */
  readonly identityClaimPattern?: string;
  /** A header set by a trusted gateway that contains the identity instead of the claim. */
  readonly identityHeader?: string;
}

/** Location of an issuer's JSON Web Key Set. A file is read again when it changes. */
export type KeysConfig =
  | { readonly kind: "url"; readonly url: string; readonly caFile?: string }
  | { readonly kind: "file"; readonly path: string };

/** The adapter names under which matching identities may report. */
export interface AdapterBinding {
  /** The RE2 pattern that the whole identity must match. */
  readonly identity: string;
  readonly adapters: readonly string[];
}
