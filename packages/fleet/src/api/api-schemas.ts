/** Schemas of the API's requests and responses. The same schemas validate and appear in the OpenAPI document. */
import { s } from "@levelset/core";
import type { AnySchema } from "@levelset/core/schema";
import type { FleetKind } from "../resource/index.ts";
import type { NamedSchema } from "./route.ts";

const CONDITION_STATUS: AnySchema = s.enum("True", "False", "Unknown");

const WANTED_REFERENCES: AnySchema = s
  .map(s.array(s.object({ id: s.string(), kind: s.string().optional(), href: s.string().optional() })))
  .describe("References, by reference type.")
  .nullable()
  .optional();

const LABELS: AnySchema = s
  .map(s.string())
  .describe("Labels, with the syntax of Kubernetes labels.")
  .nullable()
  .optional();

const SPEC: AnySchema = s.record().describe("The declared state, in the schema of the kind.");

const DECLARATION_FIELDS = { spec: SPEC, labels: LABELS, references: WANTED_REFERENCES };

/** The request that creates a resource of any kind. */
export const CREATE_SCHEMA: NamedSchema = {
  name: "ResourceCreate",
  schema: s.object({ kind: s.string(), name: s.string(), ...DECLARATION_FIELDS }),
};

const NAME_PATTERN = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";

/** The request that creates a resource of one kind: the same, with the name limits of the kind. */
export function kindCreateSchema({ kind, nameMin, nameMax }: FleetKind): NamedSchema {
  const name = s.string().min(nameMin).max(nameMax).pattern(NAME_PATTERN);
  return { name: `${kind}Create`, schema: s.object({ kind: s.enum(kind), name, ...DECLARATION_FIELDS }) };
}

/** The request that changes a resource. Unknown fields are refused. */
export const PATCH_SCHEMA: NamedSchema = {
  name: "ResourcePatch",
  isClosed: true,
  schema: s.object({ ...DECLARATION_FIELDS, spec: s.record().nullable().optional() }),
};

/** The request that deletes by force. */
export const FORCE_DELETE_SCHEMA: NamedSchema = {
  name: "ForceDelete",
  schema: s.object({ reason: s.string().min(1).max(1_024).describe("Recorded in the audit log.") }),
};

/** An adapter's report. `parseReport` validates it. */
export const REPORT_SCHEMA: NamedSchema = {
  name: "AdapterReport",
  schema: s.object({
    adapter: s.string().min(1).max(255),
    observed_generation: s.int32().min(1),
    observed_time: s.dateTime().describe("Not older than 30 minutes, and at most 5 minutes ahead."),
    conditions: s
      .array(
        s.object({
          type: s.string().min(1),
          status: CONDITION_STATUS,
          reason: s.string().nullable().optional(),
          message: s.string().nullable().optional(),
        }),
      )
      .max(64)
      .describe("Available, Applied and Health at least, each type once."),
    data: s.record().nullable().optional(),
    metadata: s.record().nullable().optional(),
  }),
};

const REFERENCE = s.object({ id: s.string(), kind: s.string(), href: s.string() });

const RESOURCE_CONDITION = s.object({
  type: s.string(),
  status: s.enum("True", "False"),
  reason: s.string().optional(),
  message: s.string().optional(),
  observed_generation: s.int32().min(1),
  created_time: s.dateTime(),
  last_updated_time: s.dateTime(),
  last_transition_time: s.dateTime(),
});

const RESOURCE_FIELDS = {
  kind: s.string(),
  name: s.string(),
  href: s.string(),
  spec: s.record(),
  generation: s.int32().min(1),
  created_time: s.dateTime(),
  updated_time: s.dateTime(),
  created_by: s.string(),
  updated_by: s.string(),
  tenancy: s.map(s.string()),
  status: s.object({ conditions: s.array(RESOURCE_CONDITION) }),
};

const SOMETIMES = {
  labels: s.map(s.string()).optional(),
  deleted_time: s.dateTime().optional(),
  deleted_by: s.string().optional(),
  owner_references: REFERENCE.optional(),
  references: s.map(s.array(REFERENCE)).optional(),
};

/** A complete resource. */
export const RESOURCE_SCHEMA: NamedSchema = {
  name: "Resource",
  schema: s.object({ id: s.string(), ...RESOURCE_FIELDS, ...SOMETIMES }),
};

/** A resource, or the selected fields of it. */
export const PARTIAL_RESOURCE_SCHEMA: NamedSchema = {
  name: "ResourceParts",
  schema: s.object({
    id: s.string(),
    ...Object.fromEntries(Object.entries(RESOURCE_FIELDS).map(([name, field]) => [name, field.optional()])),
    ...SOMETIMES,
    status: s.record().optional(),
    owner_references: s.record().optional(),
    references: s.record().optional(),
  }),
};

/** A page of a list: numbered with `page` and `total`, or cursor-based with `next` while there is more. */
export const RESOURCE_LIST_SCHEMA: NamedSchema = {
  name: "ResourceList",
  schema: s.object({
    items: s.array(PARTIAL_RESOURCE_SCHEMA.schema),
    page: s.int32().min(1).optional(),
    size: s.int32().min(0),
    total: s.int32().min(0).optional(),
    next: s.string().optional(),
  }),
};

const ADAPTER_CONDITION = s.object({
  type: s.string(),
  status: CONDITION_STATUS,
  reason: s.string().optional(),
  message: s.string().optional(),
  last_transition_time: s.dateTime(),
});

const KEPT_REPORT_FIELDS = {
  observed_generation: s.int32().min(1),
  conditions: s.array(ADAPTER_CONDITION),
  data: s.record(),
  metadata: s.record().optional(),
};

/** The status of one adapter for a resource. */
export const ADAPTER_STATUS_SCHEMA: NamedSchema = {
  name: "AdapterStatus",
  schema: s.object({
    adapter: s.string(),
    ...KEPT_REPORT_FIELDS,
    created_time: s.dateTime(),
    last_report_time: s.dateTime(),
    progress: s.object({ ...KEPT_REPORT_FIELDS, observed_time: s.dateTime() }).optional(),
  }),
};

/** A page of adapter statuses. */
export const ADAPTER_STATUS_LIST_SCHEMA: NamedSchema = {
  name: "AdapterStatusList",
  schema: s.object({
    items: s.array(ADAPTER_STATUS_SCHEMA.schema),
    page: s.int32().min(1),
    size: s.int32().min(0),
    total: s.int32().min(0),
  }),
};

/** When a resource was last pulsed, and when it and each of its adapters is due. */
export const PULSE_SCHEMA: NamedSchema = {
  name: "Pulse",
  schema: s.object({
    last_time: s.dateTime().optional(),
    next_time: s.dateTime().optional(),
    reason: s.enum("create", "change", "delete", "wake", "refresh").optional(),
    adapters: s.array(s.object({ adapter: s.string(), due_time: s.dateTime() })),
  }),
};

/** A page of the journal, newest first. */
export const JOURNAL_SCHEMA: NamedSchema = {
  name: "Journal",
  schema: s.object({
    items: s.array(
      s.object({
        id: s.string(),
        time: s.dateTime(),
        action: s.enum("create", "patch", "delete", "force-delete", "report"),
        resource_id: s.string(),
        kind: s.string(),
        name: s.string(),
        by: s.string(),
        request_id: s.string(),
        generation: s.int32().min(1),
        adapter: s.string().optional(),
        details: s.record().optional(),
      }),
    ),
    size: s.int32().min(0),
    next: s.string().optional(),
  }),
};

/** Version information of this API. */
export const API_INFO_SCHEMA: NamedSchema = {
  name: "ApiInfo",
  schema: s.object({
    id: s.string(),
    kind: s.string(),
    href: s.string(),
    version: s.string(),
    build_time: s.string(),
  }),
};

/** A problem document (RFC 9457). Every error response is one. */
export const PROBLEM_SCHEMA: NamedSchema = {
  name: "Problem",
  schema: s.object({
    type: s.string(),
    title: s.string(),
    status: s.int32(),
    detail: s.string(),
    instance: s.string(),
    code: s.string(),
    timestamp: s.dateTime(),
    trace_id: s.string(),
    errors: s
      .array(
        s.object({
          field: s.string(),
          message: s.string(),
          value: s.string().optional(),
          constraint: s.enum("min", "max", "format", "required").optional(),
        }),
      )
      .optional(),
  }),
};
