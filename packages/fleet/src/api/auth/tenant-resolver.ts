import type { RequestHeaders } from "../route.ts";
import { InputError } from "@levelset/core";
import type { TextMap } from "../../resource/index.ts";
import { checkHeaderName, headerValue } from "./header.ts";
import type { TenantConfig, TenantDimension } from "./tenant-config.ts";
import { fullMatchPattern } from "./full-match-pattern.ts";

const VALUE = /^[A-Za-z0-9._-]{1,63}$/;

/** The tenant of a request. */
export type TenantResult =
  | { readonly kind: "tenant"; readonly tenancy: TextMap }
  | { readonly kind: "system" }
  | { readonly kind: "refused"; readonly why: string };

/** Determines the tenant of requests. */
export class TenantResolver {
  readonly #dimensions: readonly (TenantDimension & { readonly fits: (value: string) => boolean })[];
  readonly #systemHeader: string | undefined;
  readonly #maySystem: (identity: string) => boolean;

  /** Throws an `InputError` that names the invalid field. */
  constructor(config: TenantConfig) {
    const { dimensions, systemHeader, systemIdentity } = config;
    if (dimensions.length === 0) throw new InputError("tenants.dimensions: must contain at least one dimension");
    const names = dimensions.map(({ name }) => name);
    if (new Set(names).size < names.length) throw new InputError("tenants.dimensions: names must be unique");
    this.#dimensions = dimensions.map((dimension, at) => {
      const field = `tenants.dimensions[${at}]`;
      if (!VALUE.test(dimension.name)) throw new InputError(`${field}.name: must be 1 to 63 of A-Z a-z 0-9 . _ -`);
      checkHeaderName(dimension.header, `${field}.header`);
      const { pattern } = dimension;
      return { ...dimension, fits: pattern === undefined ? () => true : fullMatchPattern(pattern, `${field}.pattern`) };
    });
    if (systemHeader !== undefined) checkHeaderName(systemHeader, "tenants.system_header");
    this.#systemHeader = systemHeader;
    this.#maySystem =
      systemIdentity === undefined ? () => true : fullMatchPattern(systemIdentity, "tenants.system_identity");
  }

  /** Returns the tenant of a request. */
  resolve(headers: RequestHeaders, identity: string): TenantResult {
    if (this.#systemHeader !== undefined && headerValue(headers, this.#systemHeader)?.toLowerCase() === "true") {
      if (this.#maySystem(identity)) return { kind: "system" };
      return { kind: "refused", why: "this identity may not act for the system" };
    }
    const tenancy: [string, string][] = [];
    for (const { name, header, isRequired, fits } of this.#dimensions) {
      const value = headerValue(headers, header);
      if (value === undefined && isRequired)
        return { kind: "refused", why: `the tenant's ${name} is missing: header ${header}` };
      if (value === undefined) continue;
      if (!VALUE.test(value) || !fits(value)) {
        return { kind: "refused", why: `the tenant's ${name} is invalid: header ${header}` };
      }
      tenancy.push([name, value]);
    }
    if (tenancy.length === 0) return { kind: "refused", why: "the request names no tenant" };
    return { kind: "tenant", tenancy: Object.fromEntries(tenancy) };
  }
}
