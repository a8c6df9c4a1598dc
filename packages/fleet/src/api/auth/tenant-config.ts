/** How a request says whose it is. A gateway in front sets these headers, and removes what its clients send under their names. */
export interface TenantConfig {
  /** What makes up a tenant. At least one. */
  readonly dimensions: readonly TenantDimension[];
  /** The header that says `true` for the system itself: it reads everything, and writes nothing but statuses. */
  readonly systemHeader?: string;
  /** What all of an identity must match, in the syntax of RE2, to be believed when it says so. Default: everybody is. */
  readonly systemIdentity?: string;
}

/** A part of what names a tenant. */
export interface TenantDimension {
  /** Its name in the `tenancy` of a resource. */
  readonly name: string;
  readonly header: string;
  /** Whether a request without it is refused. Of several dimensions one must be given in any case. */
  readonly isRequired: boolean;
  /** What all of the value must match, in the syntax of RE2, besides being 1 to 63 letters, digits, dots, dashes or underscores. */
  readonly pattern?: string;
}
