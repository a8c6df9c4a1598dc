import type { JsonObject } from "@levelset/core";
import type { FieldProblem, ReportedCondition, ReportedStatus } from "../resource/index.ts";

/** A reference to another resource in the API. */
export interface WireReference {
  readonly id: string;
  readonly kind: string;
  readonly href: string;
}

/** A condition of a resource in the API. Times are RFC 3339 strings. */
export interface WireCondition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason?: string;
  readonly message?: string;
  readonly observed_generation: number;
  readonly created_time: string;
  readonly last_updated_time: string;
  readonly last_transition_time: string;
}

/** A resource in the API, as produced by `resourceJson`. */
export interface WireResource<Spec extends JsonObject = JsonObject> {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly href: string;
  readonly spec: Spec;
  readonly labels?: Readonly<Record<string, string>>;
  readonly generation: number;
  readonly created_time: string;
  readonly updated_time: string;
  readonly created_by: string;
  readonly updated_by: string;
  /** Only present while the resource is being deleted. */
  readonly deleted_time?: string;
  readonly deleted_by?: string;
  readonly owner_references?: WireReference;
  readonly references?: Readonly<Record<string, readonly WireReference[]>>;
  readonly tenancy?: Readonly<Record<string, string>>;
  readonly status: { readonly conditions: readonly WireCondition[] };
}

/** A condition of an adapter in the API. */
export interface WireAdapterCondition {
  readonly type: string;
  readonly status: ReportedStatus;
  readonly reason?: string;
  readonly message?: string;
  readonly last_transition_time: string;
}

/** A stored report in the API. */
export interface WireStoredReport {
  readonly observed_generation: number;
  readonly conditions: readonly WireAdapterCondition[];
  readonly data?: JsonObject;
  readonly metadata?: JsonObject;
}

/** The status of one adapter for a resource, as produced by `adapterStatusJson`. */
export interface WireAdapterStatus extends WireStoredReport {
  readonly adapter: string;
  readonly created_time: string;
  readonly last_report_time: string;
  /** Progress reported since the last result. */
  readonly progress?: WireStoredReport & { readonly observed_time: string };
}

/**
 * One page of a list. `next` is the cursor of the next page; absent at the end, and from servers that only have page
 * numbers.
 */
export interface WirePage<Item> {
  readonly items: readonly Item[];
  readonly page?: number;
  readonly size: number;
  readonly total?: number;
  readonly next?: string;
}

/** A resource to create. */
export interface NewWireResource<Spec extends JsonObject = JsonObject> {
  readonly name: string;
  readonly spec: Spec;
  readonly labels?: Readonly<Record<string, string>>;
  readonly references?: Readonly<Record<string, readonly { readonly id: string }[]>>;
}

/** A change of a declaration. Each given field replaces its previous value as a whole. */
export type WirePatch<Spec extends JsonObject = JsonObject> = Partial<Omit<NewWireResource<Spec>, "name">>;

/** An adapter's report. */
export interface WireReport {
  readonly adapter: string;
  readonly observed_generation: number;
  /** RFC 3339. */
  readonly observed_time: string;
  readonly conditions: readonly ReportedCondition[];
  readonly data?: JsonObject;
  readonly metadata?: JsonObject;
}

/** A problem document (RFC 9457) of the API. */
export interface WireProblem {
  readonly type?: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly instance?: string;
  /** For example `HYPERFLEET-NTF-001`. */
  readonly code?: string;
  readonly timestamp?: string;
  readonly trace_id?: string;
  readonly errors?: readonly FieldProblem[];
}

/** When a resource was last pulsed, and when it is due next unless adapters report before. */
export interface WirePulse {
  /** Absent if it was never pulsed, or if a Sentinel polls the API. */
  readonly last_time?: string;
  readonly next_time?: string;
  /** Why it is due next. */
  readonly reason?: "create" | "change" | "delete" | "wake" | "refresh";
  readonly adapters: readonly { readonly adapter: string; readonly due_time: string }[];
}

/** A journal entry of a resource. */
export interface WireJournalEntry {
  readonly id: string;
  readonly time: string;
  readonly action: "create" | "patch" | "delete" | "force-delete" | "report";
  readonly resource_id: string;
  readonly kind: string;
  readonly name: string;
  readonly by: string;
  readonly request_id: string;
  readonly generation: number;
  readonly adapter?: string;
  readonly details?: JsonObject;
}
