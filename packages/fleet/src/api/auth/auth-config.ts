import type { TenantConfig } from "./tenant-config.ts";

/** Who may call, and as whom. */
export interface AuthConfig {
  /** Whose tokens are trusted. Without it no token is asked for, and every caller is `system@hyperfleet.local`. */
  readonly jwt?: JwtConfig;
  /** Whose resources a caller sees. Without it there are no tenants. */
  readonly tenants?: TenantConfig;
  /** Who may report under which name. Without it everybody may report as any adapter; with it, whom none of them names may not report. */
  readonly adapters?: readonly AdapterBinding[];
}

/** How tokens are checked. */
export interface JwtConfig {
  /** At least one. */
  readonly issuers: readonly IssuerConfig[];
  /** How much clocks may differ. Default 60 s. */
  readonly leewayMs?: number;
  /** How old keys from a URL may get. Default one hour. */
  readonly keyRefreshMs?: number;
  /** The least time between two requests for keys, however many tokens name an unknown one. Default 10 s. */
  readonly keyCooldownMs?: number;
}

/** Somebody who signs tokens. */
export interface IssuerConfig {
  /** The `iss` of its tokens. With https, or with http on the loopback. */
  readonly issuerUrl: string;
  readonly keys: KeysConfig;
  /** The header that carries the token. Default `Authorization`, where it follows `Bearer`. */
  readonly header?: string;
  /** A token must be for one of these. */
  readonly audience?: string | readonly string[];
  /** The claim that says who it is. Default `email`. */
  readonly identityClaim?: string;
  /** What all of that claim must match, in the syntax of RE2. */
  readonly identityClaimPattern?: string;
  /** A header, set by a gateway that can be trusted, that says who it is instead of the claim. */
  readonly identityHeader?: string;
}

/** Where the keys of an issuer are, as a JSON Web Key Set. A file is read again when it changes. */
export type KeysConfig =
  | { readonly kind: "url"; readonly url: string; readonly caFile?: string }
  | { readonly kind: "file"; readonly path: string };

/** The names under which some identities may report. */
export interface AdapterBinding {
  /** What all of an identity must match, in the syntax of RE2. */
  readonly identity: string;
  readonly adapters: readonly string[];
}
