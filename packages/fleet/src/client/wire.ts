import type { JsonObject } from "@levelset/core";
import type { FieldProblem, ReportedCondition, ReportedStatus } from "../resource/index.ts";

/** A pointer to another resource, as the API sends it. */
export interface WireReference {
  readonly id: string;
  readonly kind: string;
  readonly href: string;
}

/** A condition of a resource, as the API sends it. Times are texts of RFC 3339. */
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

/** A resource as the API sends it: what `resourceJson` makes. */
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
  /** Only there while it is being deleted. */
  readonly deleted_time?: string;
  readonly deleted_by?: string;
  readonly owner_references?: WireReference;
  readonly references?: Readonly<Record<string, readonly WireReference[]>>;
  readonly tenancy?: Readonly<Record<string, string>>;
  readonly status: { readonly conditions: readonly WireCondition[] };
}

/** A condition of an adapter, as the API sends it. */
export interface WireAdapterCondition {
  readonly type: string;
  readonly status: ReportedStatus;
  readonly reason?: string;
  readonly message?: string;
  readonly last_transition_time: string;
}

/** A report as the API keeps it. */
export interface WireKeptReport {
  readonly observed_generation: number;
  readonly conditions: readonly WireAdapterCondition[];
  readonly data?: JsonObject;
  readonly metadata?: JsonObject;
}

/** What is known of one adapter's work on a resource: what `adapterStatusJson` makes. */
export interface WireAdapterStatus extends WireKeptReport {
  readonly adapter: string;
  readonly created_time: string;
  readonly last_report_time: string;
  /** Work under way since the verdict. */
  readonly progress?: WireKeptReport & { readonly observed_time: string };
}

/** One page of a list. `next` leads to what follows; it is absent at the end, and from servers that only number their pages. */
export interface WirePage<Item> {
  readonly items: readonly Item[];
  readonly page?: number;
  readonly size: number;
  readonly total?: number;
  readonly next?: string;
}

/** What becomes a resource. */
export interface NewWireResource<Spec extends JsonObject = JsonObject> {
  readonly name: string;
  readonly spec: Spec;
  readonly labels?: Readonly<Record<string, string>>;
  readonly references?: Readonly<Record<string, readonly { readonly id: string }[]>>;
}

/** What to change of a declaration. Each given member replaces the one before as a whole. */
export type WirePatch<Spec extends JsonObject = JsonObject> = Partial<Omit<NewWireResource<Spec>, "name">>;

/** What an adapter reports. */
export interface WireReport {
  readonly adapter: string;
  readonly observed_generation: number;
  /** A time of RFC 3339. */
  readonly observed_time: string;
  readonly conditions: readonly ReportedCondition[];
  readonly data?: JsonObject;
  readonly metadata?: JsonObject;
}

/** A problem document of RFC 9457, as the API sends it. */
export interface WireProblem {
  readonly type?: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly instance?: string;
  /** `HYPERFLEET-NTF-001` and the like. */
  readonly code?: string;
  readonly timestamp?: string;
  readonly trace_id?: string;
  readonly errors?: readonly FieldProblem[];
}

/** When adapters were last asked about a resource, and when they are next unless they report before. */
export interface WirePulse {
  /** Absent if nobody was asked yet, or where a Sentinel polls the API. */
  readonly last_time?: string;
  readonly next_time?: string;
  /** Why it is next. */
  readonly reason?: "create" | "change" | "delete" | "wake" | "refresh";
  readonly adapters: readonly { readonly adapter: string; readonly due_time: string }[];
}

/** One thing that happened to a resource. */
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
