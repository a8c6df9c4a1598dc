import {
  blocksRules,
  checkRules,
  invalidError,
  randomText,
  randomUuid,
  StatusError,
  validate,
  validateChange,
} from "@levelset/core";
import type { FieldError, ObjectMeta, Random } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { scaleErrors } from "./crd/scale-value.ts";
import type { Draft } from "./draft.ts";
import { badRequest } from "./failure.ts";
import { rulesOf } from "./kinds.ts";
import { invalidField } from "./field.ts";
import { metadataErrors } from "./metadata.ts";
import { dnsSubdomainProblems } from "./names.ts";
import type { Resource } from "./resource.ts";
import type { RuleContext } from "./rules.ts";

/** What a new object gets from the world. */
export interface CreateContext extends RuleContext {
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly random: Random;
}

const SUFFIX_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX_LENGTH = 5;
const GENERATED_MAX = 63;

/** The object that a create request stores: system fields set, status cleared, everything checked. Throws Invalid. */
export function newObject(resource: Resource, draft: Draft, context: CreateContext): ApiObject {
  if ((draft.metadata.resourceVersion ?? "") !== "") {
    throw new StatusError("Unknown", "resourceVersion should not be set on objects to be created");
  }
  const rules = rulesOf(resource);
  const shell: ApiObject = {
    ...(resource.hasStatus && rules.keepsStatus !== true ? withStatus(draft, rules.emptyStatus) : draft),
    apiVersion: draft.apiVersion,
    kind: draft.kind,
    metadata: newMetadata(resource, draft.metadata, context),
  };
  const object = rules.prepareCreate?.(shell, context) ?? shell;
  const errors = objectErrors(resource, object, undefined);
  if (errors.length === 0) return object;
  throw invalidError({ kind: resource.kind, group: resource.group, name: object.metadata.name }, errors);
}

/** Everything but the status that was given, and this one instead. */
export function withStatus(draft: Draft, status: unknown): Readonly<Record<string, unknown>> {
  const { status: _given, ...rest } = draft;
  return status === undefined ? rest : { ...rest, status };
}

function newMetadata(resource: Resource, given: Partial<ObjectMeta>, context: CreateContext): ObjectMeta {
  const namespaced = resource.scope === "Namespaced";
  if (namespaced && given.namespace !== undefined && given.namespace !== "" && given.namespace !== context.namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  const { name = "", generateName = "" } = given;
  // The real server cuts between bytes; a client sees U+FFFD in the place of a character that was cut in two.
  const prefix = Buffer.from(generateName)
    .subarray(0, GENERATED_MAX - SUFFIX_LENGTH)
    .toString();
  const generated = `${prefix}${randomText(context.random, SUFFIX_LENGTH, SUFFIX_ALPHABET)}`;
  return {
    name: name === "" && generateName !== "" ? generated : name,
    ...(generateName === "" ? {} : { generateName }),
    ...(namespaced ? { namespace: context.namespace } : {}),
    uid: randomUuid(context.random),
    resourceVersion: "",
    ...(resource.hasGeneration ? { generation: 1 } : {}),
    creationTimestamp: context.now,
    ...writable(given),
  };
}

/** The parts of metadata that writers own; empty ones are left out, as the real server does. */
export function writable(
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

/** Everything wrong with an object that is about to be stored. */
export function objectErrors(resource: Resource, object: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const rules = rulesOf(resource);
  const shape = resource.custom ? shapeErrors(resource, object, old) : [];
  const kind = object.kind === resource.kind ? [] : [invalidField("kind", object.kind, `must be ${resource.kind}`)];
  return [
    ...kind,
    // A name never changes, so it is checked once: a rule of today must not freeze an object of yesterday.
    ...metadataErrors(object.metadata, old === undefined ? (rules.nameProblems ?? dnsSubdomainProblems) : () => []),
    ...shape,
    ...scaleErrors(resource, object),
    ...ruleErrors(resource, object, old, shape.some(blocksRules)),
    ...(rules.validate?.(object, old) ?? []),
  ];
}

function shapeErrors(resource: Resource, object: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  return old === undefined ? validate(resource.schema, object) : validateChange(resource.schema, object, old);
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
  if (resource.rules === undefined) return [];
  return isBlocked ? [UNCHECKED] : checkRules(resource.rules, object, old);
}
