/**
 * What an adapter is to do for each pulse, as its task configuration says: find out what it needs (params), decide whether to act
 * (preconditions), act (resources), and report (post). Everything in it was read, compiled and checked before the first pulse.
 */
import type { JsonValue } from "@levelset/core";
import type { Expression } from "../expression/index.ts";
import type { Template } from "../template/index.ts";

/** A task. */
export interface AdapterTask {
  readonly params: readonly Param[];
  readonly preconditions: readonly Precondition[];
  readonly resources: readonly TaskResource[];
  readonly payloads: readonly Payload[];
  readonly actions: readonly PostAction[];
}

/** A value with a name, which everything after it may use. */
export interface Param {
  readonly name: string;
  readonly source: ParamSource;
  /** What texts and files are converted to. */
  readonly type: ParamType | undefined;
  readonly defaultValue: JsonValue | undefined;
  readonly isRequired: boolean;
}

/** Where a param comes from. `path` begins with the name of something known: `event`, `config`, or an earlier param. */
export type ParamSource =
  | { readonly kind: "path"; readonly path: readonly string[] }
  | { readonly kind: "env"; readonly variable: string }
  | { readonly kind: "api_call"; readonly call: ApiCall }
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "file"; readonly path: string; readonly isTrimmed: boolean };

/** What a text can be converted to. */
export type ParamType = "string" | "int" | "float" | "bool";

/** A request to the fleet's API, or to any other. */
export interface ApiCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: Template;
  readonly headers: readonly { readonly name: string; readonly value: Template }[];
  readonly body: Template | undefined;
  readonly timeoutMs: number | undefined;
  readonly attemptsMax: number | undefined;
  readonly backoff: Backoff | undefined;
}

/** How the delay between tries grows. */
export type Backoff = "exponential" | "linear" | "constant";

/** A line for the log. */
export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: Template;
}

/** What must hold before anything is done. The first that does not hold ends the looking. */
export interface Precondition {
  readonly name: string;
  readonly log: LogLine | undefined;
  readonly call: ApiCall | undefined;
  readonly captures: readonly Capture[];
  readonly test: PreconditionTest;
}

/** A value taken out of the answer to a precondition's request. */
export interface Capture {
  readonly name: string;
  readonly source:
    | { readonly kind: "field"; readonly path: FieldPath; readonly defaultValue: JsonValue | undefined }
    | { readonly kind: "expression"; readonly expression: Expression };
}

/** A place in JSON data: `a.b.c`, or JSONPath. Undefined if nothing is there. */
export interface FieldPath {
  readonly text: string;
  find(data: JsonValue): JsonValue | undefined;
}

/** How a precondition is decided; `none` always holds. */
export type PreconditionTest =
  | { readonly kind: "none" }
  | { readonly kind: "conditions"; readonly conditions: readonly FieldCondition[] }
  | { readonly kind: "expression"; readonly expression: Expression };

/** A comparison of a field with a value. */
export interface FieldCondition {
  readonly field: FieldPath;
  readonly operator: FieldOperator;
  readonly value: JsonValue | undefined;
}

/** The comparisons there are. */
export type FieldOperator =
  | "equals"
  | "notEquals"
  | "in"
  | "notIn"
  | "contains"
  | "greaterThan"
  | "lessThan"
  | "exists";

/** Something that the adapter keeps in a cluster or elsewhere. */
export interface TaskResource {
  readonly name: string;
  readonly transport: ResourceTransport;
  readonly manifest: Manifest;
  readonly discovery: Discovery;
  readonly nested: readonly { readonly name: string; readonly discovery: Discovery }[];
  readonly isRecreatedOnChange: boolean;
  /** Whether an object that exists already and has no owner is taken over. */
  readonly adopt: boolean;
  /** Over `object`: whether the work on it has not ended. Takes the place of the general rule. Undefined for http, which has its own. */
  readonly inProgress: Expression | undefined;
  readonly createWhen: Expression | undefined;
  readonly recreateWhen: Expression | undefined;
  readonly remove: { readonly when: Expression; readonly policy: PropagationPolicy } | undefined;
}

/** Which way a resource goes. */
export type ResourceTransport =
  | { readonly kind: "kubernetes" }
  | { readonly kind: "maestro"; readonly targetCluster: Template }
  | { readonly kind: "http"; readonly http: HttpResource };

/** How Kubernetes removes what an object owns. */
export type PropagationPolicy = "Background" | "Foreground" | "Orphan";

/**
 * A manifest before its templates are rendered: a tree whose texts are templates, which cannot change its shape; or a text that is a
 * template as a whole and becomes YAML afterwards. In the second, every value that a template writes is written as a YAML scalar.
 */
export type Manifest =
  | { readonly kind: "tree"; readonly tree: TemplateTree }
  | { readonly kind: "text"; readonly template: Template };

/** JSON data whose texts are templates. */
export type TemplateTree =
  | { readonly kind: "text"; readonly template: Template }
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "computed"; readonly source: ComputedValue }
  | { readonly kind: "list"; readonly items: readonly TemplateTree[] }
  | { readonly kind: "map"; readonly entries: readonly (readonly [Template, TemplateTree])[] };

/** A leaf of a payload that is looked up or calculated. */
export interface ComputedValue {
  readonly from:
    | { readonly kind: "field"; readonly path: FieldPath }
    | { readonly kind: "expression"; readonly expression: Expression };
  readonly defaultValue: JsonValue | undefined;
}

/** How a resource is found: by its name, or by labels. */
export type Discovery = { readonly namespace: Template | undefined } & (
  | { readonly kind: "name"; readonly name: Template }
  | { readonly kind: "labels"; readonly labels: readonly (readonly [string, Template])[] }
);

/** A resource of any HTTP API: how to look at it, make it so, tell that it is still being made, and remove it. */
export interface HttpResource {
  readonly observe: ApiCall;
  readonly apply: ApiCall;
  readonly remove: ApiCall | undefined;
  /** Over `response`: whether the work is still under way. */
  readonly inProgress: Expression | undefined;
}

/** A document that is built for the report. */
export interface Payload {
  readonly name: string;
  readonly when: Expression | undefined;
  readonly build: TemplateTree;
}

/** What is done at the end, whatever happened before. */
export interface PostAction {
  readonly name: string;
  readonly when: Expression | undefined;
  readonly log: LogLine | undefined;
  readonly call: ApiCall | undefined;
}
