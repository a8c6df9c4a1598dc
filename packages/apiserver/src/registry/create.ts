import { isBlockingError, checkRules, invalidError, randomString, randomUuid } from "@levelset/core/internal";
import { StatusError } from "@levelset/core";
import { validate, validateUpdate } from "@levelset/core/schema";
import type { FieldError } from "@levelset/core/schema";
import type { ObjectMeta, Random } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { scaleErrors, badRequestError, invalidField, metadataErrors, dnsSubdomainProblems } from "../resource/index.ts";
import type { UnvalidatedObject, Resource, StrategyContext } from "../resource/index.ts";

/** Request context of a create. */
export interface CreateContext extends StrategyContext {
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly random: Random;
}

const SUFFIX_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX_LENGTH = 5;
const GENERATED_MAX = 63;

/**
 * Returns the object that a create request stores: system fields set, status reset, validated. Throws Invalid and
 * BadRequest.
 */
export function newObject(resource: Resource, draft: UnvalidatedObject, context: CreateContext): ApiObject {
  if ((draft.metadata.resourceVersion ?? "") !== "") {
    throw new StatusError("Unknown", "resourceVersion should not be set on objects to be created");
  }
  const rules = resource.strategy;
  const shell: ApiObject = {
    ...(resource.hasStatus && rules.keepStatusOnCreate !== true ? withStatus(draft, rules.initialStatus) : draft),
    apiVersion: draft.apiVersion,
    kind: draft.kind,
    metadata: newMetadata(resource, draft.metadata, context),
  };
  const object = rules.prepareForCreate?.(shell, context) ?? shell;
  const errors = objectErrors(resource, object, undefined);
  if (errors.length === 0) return object;
  throw invalidError({ kind: resource.kind, group: resource.group, name: object.metadata.name }, errors);
}

/** Returns the draft with another status. */
export function withStatus(draft: UnvalidatedObject, status: unknown): Readonly<Record<string, unknown>> {
  const { status: _given, ...rest } = draft;
  return status === undefined ? rest : { ...rest, status };
}

function newMetadata(resource: Resource, given: Partial<ObjectMeta>, context: CreateContext): ObjectMeta {
  const namespaced = resource.scope === "Namespaced";
  if (namespaced && given.namespace !== undefined && given.namespace !== "" && given.namespace !== context.namespace) {
    throw badRequestError("the namespace of the provided object does not match the namespace sent on the request");
  }
  const { name = "", generateName = "" } = given;
  // Truncated by bytes, as in k8s.io/apiserver/pkg/storage/names/generate.go (Kubernetes 1.36). A split character
  // becomes U+FFFD.
  const prefix = Buffer.from(generateName)
    .subarray(0, GENERATED_MAX - SUFFIX_LENGTH)
    .toString();
  const generated = `${prefix}${randomString(context.random, SUFFIX_LENGTH, SUFFIX_ALPHABET)}`;
  return {
    name: name === "" && generateName !== "" ? generated : name,
    ...(generateName === "" ? {} : { generateName }),
    ...(namespaced ? { namespace: context.namespace } : {}),
    uid: randomUuid(context.random),
    resourceVersion: "",
    ...(resource.hasGeneration ? { generation: 1 } : {}),
    creationTimestamp: context.now,
    ...writableMetadata(given),
  };
}

/** Returns the metadata fields that clients may set, without empty ones (`omitempty` in metav1.ObjectMeta). */
export function writableMetadata(
  given: Partial<ObjectMeta>,
): Pick<ObjectMeta, "labels" | "annotations" | "ownerReferences" | "finalizers"> {
  const { labels = {}, annotations = {}, ownerReferences = [], finalizers = [] } = given;
  return {
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    ...(ownerReferences.length === 0 ? {} : { ownerReferences }),
    ...(finalizers.length === 0 ? {} : { finalizers }),
  };
}

/** Validates an object before it is stored. */
export function objectErrors(resource: Resource, object: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const rules = resource.strategy;
  const shape = resource.isCustom ? shapeErrors(resource, object, old) : [];
  const kind = object.kind === resource.kind ? [] : [invalidField("kind", object.kind, `must be ${resource.kind}`)];
  return [
    ...kind,
    // Names are immutable and validated only on create, so that stricter rules do not block updates of old objects.
    ...metadataErrors(object.metadata, old === undefined ? (rules.nameProblems ?? dnsSubdomainProblems) : () => []),
    ...shape,
    ...scaleErrors(resource, object),
    ...ruleErrors(resource, object, old, shape.some(isBlockingError)),
    ...(rules.validate?.(object, old) ?? []),
  ];
}

function shapeErrors(resource: Resource, object: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  return old === undefined ? validate(resource.schema, object) : validateUpdate(resource.schema, object, old);
}

const UNCHECKED: FieldError = {
  reason: "FieldValueInvalid",
  field: "<nil>",
  message:
    "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to " +
    "complete validation",
};

function ruleErrors(
  resource: Resource,
  object: ApiObject,
  old: ApiObject | undefined,
  isBlocked: boolean,
): readonly FieldError[] {
  if (resource.validationRules === undefined) return [];
  return isBlocked ? [UNCHECKED] : checkRules(resource.validationRules, object, old);
}
