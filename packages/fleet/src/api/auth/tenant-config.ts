/** How requests are assigned to tenants. A gateway must set these headers, and remove them from client requests. */
export interface TenantConfig {
  /** The parts of a tenant's key. At least one. */
  readonly dimensions: readonly TenantDimension[];
  /** The header that contains `true` for the system itself, which reads everything and writes only statuses. */
  readonly systemHeader?: string;
  /** The RE2 pattern that the whole identity must match to use `systemHeader`. Default: any identity. */
  readonly systemIdentity?: string;
}

/** One part of a tenant's key. */
export interface TenantDimension {
  /** The key in the `tenancy` of a resource. */
  readonly name: string;
  readonly header: string;
  /** Whether a request without it is refused. At least one dimension must be given in any case. */
  readonly isRequired: boolean;
  /**
   * The RE2 pattern that the whole value must match, in addition to being 1 to 63 letters, digits, dots, dashes or
   * underscores.
   */
  readonly pattern?: string;
}
