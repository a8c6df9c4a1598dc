/**
 * Model of a task configuration: resolve inputs (params), decide whether to act (preconditions), act (resources), and
 * report (post). Everything is parsed, compiled and validated before the first pulse.
 */
import type { JsonValue } from "@levelset/core";
import type { Expression } from "../expression/index.ts";
import type { Template } from "../template/index.ts";

/** A task configuration. */
export interface AdapterTask {
  readonly params: readonly Param[];
  readonly preconditions: readonly Precondition[];
  readonly resources: readonly TaskResource[];
  readonly payloads: readonly Payload[];
  readonly actions: readonly PostAction[];
}

/** A named value that everything after it may use. */
export interface Param {
  readonly name: string;
  readonly source: ParamSource;
  /** Target type of strings and files. */
  readonly type: ParamType | undefined;
  readonly defaultValue: JsonValue | undefined;
  readonly isRequired: boolean;
}

/** Source of a param. `path` starts with the name of a variable: `event`, `config`, or an earlier param. */
export type ParamSource =
  | { readonly kind: "path"; readonly path: readonly string[] }
  | { readonly kind: "env"; readonly variable: string }
  | { readonly kind: "api_call"; readonly call: ApiCall }
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "file"; readonly path: string; readonly isTrimmed: boolean };

/** Types that a string can be converted to. */
export type ParamType = "string" | "int" | "float" | "bool";

/** A request to the fleet API or any other HTTP API. */
export interface ApiCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: Template;
  readonly headers: readonly { readonly name: string; readonly value: Template }[];
  readonly body: Template | undefined;
  readonly timeoutMs: number | undefined;
  readonly attemptsMax: number | undefined;
  readonly backoff: Backoff | undefined;
}

/** How the delay between attempts grows. */
export type Backoff = "exponential" | "linear" | "constant";

/** A log line. */
export interface LogTemplate {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: Template;
}

/** A precondition of the resources phase. Evaluation stops at the first that is not met. */
export interface Precondition {
  readonly name: string;
  readonly log: LogTemplate | undefined;
  readonly call: ApiCall | undefined;
  readonly captures: readonly Capture[];
  readonly test: PreconditionTest;
}

/** A value captured from the response of a precondition's request. */
export interface Capture {
  readonly name: string;
  readonly source:
    | { readonly kind: "field"; readonly path: TaskFieldPath; readonly defaultValue: JsonValue | undefined }
    | { readonly kind: "expression"; readonly expression: Expression };
}

/** A path in JSON data: `a.b.c` or JSONPath. Yields undefined if there is no match. */
export interface TaskFieldPath {
  readonly text: string;
  find(data: JsonValue): JsonValue | undefined;
}

/** How a precondition is decided; `none` is always met. */
export type PreconditionTest =
  | { readonly kind: "none" }
  | { readonly kind: "conditions"; readonly conditions: readonly FieldCondition[] }
  | { readonly kind: "expression"; readonly expression: Expression };

/** Compares a field with a value. */
export interface FieldCondition {
  readonly field: TaskFieldPath;
  readonly operator: FieldOperator;
  readonly value: JsonValue | undefined;
}

/** Comparison operators. */
export type FieldOperator =
  | "equals"
  | "notEquals"
  | "in"
  | "notIn"
  | "contains"
  | "greaterThan"
  | "lessThan"
  | "exists";

/** An object or HTTP resource that the adapter manages. */
export interface TaskResource {
  readonly name: string;
  readonly transport: ResourceTransport;
  readonly manifest: ManifestTemplate;
  readonly discovery: DiscoverySpec;
  readonly nested: readonly { readonly name: string; readonly discovery: DiscoverySpec }[];
  readonly recreateOnChange: boolean;
  /** Whether an existing object without an owner is adopted. */
  readonly adopt: boolean;
  /**
   * Expression over `object`: whether work on it is in progress. Replaces the default rule. Undefined for http, which
   * has its own.
   */
  readonly inProgress: Expression | undefined;
  readonly createWhen: Expression | undefined;
  readonly recreateWhen: Expression | undefined;
  readonly delete: { readonly when: Expression; readonly policy: PropagationPolicy } | undefined;
}

/** Transport of a resource. */
export type ResourceTransport =
  | { readonly kind: "kubernetes" }
  | { readonly kind: "maestro"; readonly targetCluster: Template }
  | { readonly kind: "http"; readonly http: HttpResource };

/** Kubernetes deletion propagation policies. */
export type PropagationPolicy = "Background" | "Foreground" | "Orphan";

/**
 * A manifest before rendering: a tree whose strings are templates, which cannot change its shape; or one template text
 * that is parsed as YAML after rendering. In the latter every rendered value is inserted as a YAML scalar.
 */
export type ManifestTemplate =
  | { readonly kind: "tree"; readonly tree: TemplateTree }
  | { readonly kind: "text"; readonly template: Template };

/** JSON data whose strings are templates. */
export type TemplateTree =
  | { readonly kind: "text"; readonly template: Template }
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "computed"; readonly source: ComputedValue }
  | { readonly kind: "list"; readonly items: readonly TemplateTree[] }
  | { readonly kind: "map"; readonly entries: readonly (readonly [Template, TemplateTree])[] };

/** A leaf of a payload that is looked up or computed. */
export interface ComputedValue {
  readonly from:
    | { readonly kind: "field"; readonly path: TaskFieldPath }
    | { readonly kind: "expression"; readonly expression: Expression };
  readonly defaultValue: JsonValue | undefined;
}

/** How an object is found: by name or by labels. */
export type DiscoverySpec = { readonly namespace: Template | undefined } & (
  | { readonly kind: "name"; readonly name: Template }
  | { readonly kind: "labels"; readonly labels: readonly (readonly [string, Template])[] }
);

/** A resource of an HTTP API: requests to observe, apply and delete it, and a rule for work in progress. */
export interface HttpResource {
  readonly observe: ApiCall;
  readonly apply: ApiCall;
  readonly remove: ApiCall | undefined;
  /** Expression over `response`: whether work is in progress. */
  readonly inProgress: Expression | undefined;
}

/** A document that is built for the report. */
export interface Payload {
  readonly name: string;
  readonly when: Expression | undefined;
  readonly build: TemplateTree;
}

/** An action at the end of a run, whatever its outcome. */
export interface PostAction {
  readonly name: string;
  readonly when: Expression | undefined;
  readonly log: LogTemplate | undefined;
  readonly call: ApiCall | undefined;
}
