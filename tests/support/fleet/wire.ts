/** Types of responses, as written by a client that only knows the contract. */

/** A condition of a resource. */
export interface WireCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observed_generation: number;
  readonly created_time: string;
  readonly last_updated_time: string;
  readonly last_transition_time: string;
}

/** A reference to a resource. */
export interface WireReference {
  readonly id: string;
  readonly kind: string;
  readonly href: string;
}

/** A resource. */
export interface WireResource {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly href: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly generation: number;
  readonly created_time: string;
  readonly updated_time: string;
  readonly created_by: string;
  readonly updated_by: string;
  readonly deleted_time?: string;
  readonly deleted_by?: string;
  readonly owner_references?: WireReference;
  readonly references?: Readonly<Record<string, readonly WireReference[]>>;
  readonly tenancy: Readonly<Record<string, string>>;
  readonly status: { readonly conditions: readonly WireCondition[] };
}

/** A page of resources. */
export interface WireResourceList {
  readonly items: readonly WireResource[];
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly next?: string;
}

/** A condition of an adapter's report. */
export interface WireReported {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly last_transition_time: string;
}

/** What an adapter reported last. */
export interface WireStatus {
  readonly adapter: string;
  readonly observed_generation: number;
  readonly conditions: readonly WireReported[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_time: string;
  readonly last_report_time: string;
  readonly progress?: { readonly observed_generation: number; readonly observed_time: string };
}

/** A page of statuses. */
export interface WireStatusList {
  readonly items: readonly WireStatus[];
  readonly page: number;
  readonly size: number;
  readonly total: number;
}

/** A problem document (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly timestamp: string;
  readonly trace_id: string;
  readonly errors?: readonly {
    readonly field: string;
    readonly message: string;
    readonly value?: unknown;
    readonly constraint?: string;
  }[];
}
