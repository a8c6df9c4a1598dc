import type { FieldError } from "@levelset/core/schema";
import type { ApiObject } from "../store/index.ts";
import type { UnvalidatedObject } from "./unvalidated-object.ts";
import type { DefaultPropagationPolicy, DeletionDecision, DeletionRequest } from "./deletion.ts";
import type { NameRule } from "./name-validation.ts";
import type { Crd } from "./crd-schema.ts";

/** Returns the values of an object that must be unique, such as addresses. */
export type UniqueValuesOf = (object: ApiObject) => readonly string[];

/** Returns whether an object with another uid has the value. */
export type IsValueTaken = (value: string, uid: string) => boolean;

/** Context of strategy functions. */
export interface StrategyContext {
  /** Current time in RFC 3339 format. */
  readonly now: string;
  /** All CustomResourceDefinitions, for name conflicts. */
  readonly crds: readonly Crd[];
  /** Lists the objects of a built-in resource by id: stored ones and pending writes. */
  list(resource: string): Iterable<ApiObject>;
  /** Returns a lookup for values that must be unique among the objects of a built-in resource. */
  isValueTaken(resource: string, valuesOf: UniqueValuesOf): IsValueTaken;
}

/** Behaviour of one built-in kind, like the strategies under `pkg/registry` of Kubernetes. All functions are pure. */
export interface KindStrategy {
  /** Applies defaults. Called for every decoded object, including its status. */
  defaults?(draft: UnvalidatedObject): UnvalidatedObject;
  /** Initial status of a new object. */
  readonly initialStatus?: Readonly<Record<string, unknown>>;
  /** Whether the status in a create request is stored. */
  readonly keepStatusOnCreate?: true;
  /** Sets server-managed fields of a new object. Throws Invalid if that is impossible. */
  prepareForCreate?(object: ApiObject, context: StrategyContext): ApiObject;
  /** Sets server-managed fields in an update of anything but status. */
  prepareForUpdate?(object: ApiObject, old: ApiObject, context: StrategyContext): ApiObject;
  /** Sets server-managed fields in an update of the status. */
  prepareForStatusUpdate?(object: ApiObject, old: ApiObject, context: StrategyContext): ApiObject;
  /** Whether a status update ignores all of metadata. For most kinds it can change labels and annotations. */
  readonly keepMetadataOnStatusUpdate?: true;
  /** Validates beyond the schema. `old` is undefined on create. */
  validate?(object: ApiObject, old: ApiObject | undefined): Iterable<FieldError>;
  /** Validates a status update. Unchanged fields are not validated. */
  validateStatusUpdate?(object: ApiObject, old: ApiObject): Iterable<FieldError>;
  /** Returns warnings about a new object. */
  warnings?(object: ApiObject): readonly string[];
  /** Whether an update of a missing object creates it. */
  readonly allowCreateOnUpdate?: true;
  /** Name rule. Default: a DNS subdomain. */
  readonly nameProblems?: NameRule;
  /** Returns the fields whose change increments the generation. Default: all but type, metadata and status. */
  generationFields?(object: ApiObject): unknown;
  /** Returns the grace period for a deletion with the requested one. Default: none. */
  gracePeriodSeconds?(object: ApiObject, requested: number | undefined): number;
  /** Propagation policy of a deletion without one; `unsupported` if the garbage collector ignores the kind. */
  readonly defaultPropagationPolicy?: DefaultPropagationPolicy;
  /** Decides a deletion. Default: `decideObjectDeletion`. Throws Forbidden for a protected object. */
  decideDeletion?(object: ApiObject, request: DeletionRequest): DeletionDecision;
  /** Returns whether an object that is being deleted can be removed. Default: `isFinalized`. */
  isFinalized?(object: ApiObject): boolean;
  /** Whether DELETE returns the object (`ReturnDeletedObject` in `pkg/registry`, Kubernetes 1.36). */
  readonly returnDeletedObject?: true;
  /** Warning about a deletion without a propagation policy. */
  readonly deletionWarning?: string;
}
