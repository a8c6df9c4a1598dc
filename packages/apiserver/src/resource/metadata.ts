import type { FieldError, StructuralSchema } from "@levelset/core/schema";
import type { ObjectMeta, OwnerReference } from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import { forbiddenField, invalidField, requiredField, tooLongField } from "./field-errors.ts";
import { labelValueProblems, qualifiedNameProblems } from "./name-validation.ts";
import type { NameRule } from "./name-validation.ts";

const text: StructuralSchema = { type: "string" };
const texts: StructuralSchema = { type: "object", additionalProperties: text };
const time: StructuralSchema = { type: "string", format: "date-time" };
const count: StructuralSchema = { type: "integer", format: "int64" };

/** Schema of `metadata`, for decoding and for the OpenAPI documents. */
export const META_SCHEMA: StructuralSchema = {
  type: "object",
  description: "Standard metadata of every object.",
  properties: {
    name: { ...text, description: "Unique within a namespace. Cannot be changed." },
    generateName: { ...text, description: "Prefix from which the server generates a unique name, if name is absent." },
    namespace: { ...text, description: "The space within which the name is unique." },
    selfLink: text,
    uid: { ...text, description: "Unique in time and space; set by the server." },
    resourceVersion: { ...text, description: "Changes with every write; for optimistic concurrency and watches." },
    generation: { ...count, description: "Counts changes of the desired state; set by the server." },
    creationTimestamp: time,
    deletionTimestamp: {
      ...time,
      description: "When deletion was requested; finalizers may still block the removal of the object.",
    },
    deletionGracePeriodSeconds: count,
    labels: { ...texts, description: "Keys and values to select objects by." },
    annotations: { ...texts, description: "Keys and values that tools keep on the object." },
    ownerReferences: {
      type: "array",
      description: "Objects that this one depends on.",
      items: {
        type: "object",
        required: ["apiVersion", "kind", "name", "uid"],
        "x-kubernetes-map-type": "atomic",
        properties: {
          apiVersion: text,
          kind: text,
          name: text,
          uid: text,
          controller: { type: "boolean" },
          blockOwnerDeletion: { type: "boolean" },
        },
      },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["uid"],
      "x-kubernetes-patch-strategy": "merge",
      "x-kubernetes-patch-merge-key": "uid",
    },
    finalizers: {
      type: "array",
      description: "Must be empty before the object is removed.",
      items: text,
      "x-kubernetes-list-type": "set",
      "x-kubernetes-patch-strategy": "merge",
    },
    managedFields: {
      type: "array",
      description: "Field ownership: which manager set which fields.",
      items: {
        type: "object",
        properties: {
          apiVersion: { ...text, description: "The version in which the fields are named." },
          fieldsType: { ...text, description: "FieldsV1." },
          fieldsV1: { type: "object", description: "The fields.", "x-kubernetes-preserve-unknown-fields": true },
          manager: { ...text, description: "Name of the field manager." },
          operation: { ...text, description: "Apply or Update." },
          subresource: { ...text, description: "The part of the object through which they were written." },
          time: { ...time, description: "When they last changed." },
        },
      },
      "x-kubernetes-list-type": "atomic",
    },
  },
};

const ANNOTATIONS_MAX_BYTES = 256 * 1024;

/** Validates the metadata fields that clients set. */
export function metadataErrors(meta: Partial<ObjectMeta>, nameProblems: NameRule): readonly FieldError[] {
  return [
    ...nameErrors(meta, nameProblems),
    ...labelErrors(meta.labels ?? {}),
    ...annotationErrors("metadata.annotations", meta.annotations ?? {}),
    ...ownerErrors(meta.ownerReferences ?? []),
    ...finalizerErrors(meta.finalizers ?? []),
  ];
}

/** See `ValidateFinalizers` in `k8s.io/apimachinery/pkg/api/validation/objectmeta.go` (Kubernetes 1.36). */
function finalizerErrors(finalizers: readonly string[]): readonly FieldError[] {
  const path = "metadata.finalizers";
  const isBoth = finalizers.includes("orphan") && finalizers.includes("foregroundDeletion");
  return [
    ...finalizers.flatMap((finalizer) =>
      qualifiedNameProblems(finalizer).map((problem) => invalidField(path, finalizer, problem)),
    ),
    ...(isBoth ? [invalidField(path, finalizers, "finalizer orphan and foregroundDeletion cannot be both set")] : []),
  ];
}

function nameErrors(meta: Partial<ObjectMeta>, nameProblems: NameRule): readonly FieldError[] {
  const { name = "", generateName = "" } = meta;
  if (name === "") return [requiredField("metadata.name", "name or generateName is required")];
  const generated = generateName === "" ? [] : nameProblems(generateName, true);
  return [
    ...generated.map((problem) => invalidField("metadata.generateName", generateName, problem)),
    ...nameProblems(name).map((problem) => invalidField("metadata.name", name, problem)),
  ];
}

function labelErrors(labels: Readonly<Record<string, string>>): readonly FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((problem) => invalidField("metadata.labels", key, problem)),
    ...labelValueProblems(value).map((problem) => invalidField("metadata.labels", value, problem)),
  ]);
}

/** Validates keys and total size of annotations. */
export function annotationErrors(
  path: string,
  annotations: Readonly<Record<string, string | undefined>>,
): readonly FieldError[] {
  const keys = Object.keys(annotations).flatMap((key) =>
    qualifiedNameProblems(key.toLowerCase()).map((problem) => invalidField(path, key, problem)),
  );
  const size = Object.entries(annotations).reduce(
    (sum, [key, value = ""]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return size <= ANNOTATIONS_MAX_BYTES ? keys : [...keys, tooLongField(path, ANNOTATIONS_MAX_BYTES)];
}

/** Validates owner references. Absent fields are treated as empty. */
function ownerErrors(owners: readonly Partial<OwnerReference>[]): readonly FieldError[] {
  const path = "metadata.ownerReferences";
  const errors = owners.flatMap((owner) => {
    const { apiVersion = "", kind = "", name = "", uid = "" } = owner;
    return [
      // `group/` has no version.
      ...(apiVersion === "" || apiVersion.endsWith("/")
        ? [invalidField(`${path}.apiVersion`, apiVersion, "version must not be empty")]
        : []),
      ...(kind === "" ? [invalidField(`${path}.kind`, kind, "must not be empty")] : []),
      ...(name === "" ? [invalidField(`${path}.name`, name, "must not be empty")] : []),
      ...(uid === "" ? [invalidField(`${path}.uid`, uid, "must not be empty")] : []),
      ...(apiVersion === "v1" && kind === "Event"
        ? [invalidField(path, owner, "/v1, Kind=Event is disallowed from being an owner")]
        : []),
    ];
  });
  const [first, ...others] = owners.filter((owner) => owner.controller === true);
  if (first === undefined) return errors;
  const named = ({ kind = "", name = "" }: Partial<OwnerReference>): string => `${kind}/${name}`;
  const one = 'Only one reference can have Controller set to true. Found "true" in references for';
  return [
    ...errors,
    ...others.map((other) => invalidField(path, owners, `${one} ${named(first)} and ${named(other)}`)),
  ];
}

/** Immutable fields of metadata. */
const IMMUTABLE = [
  "name",
  "namespace",
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;

/** Validates an update of metadata: immutable fields, and no new finalizers on an object that is being deleted. */
export function metadataUpdateErrors(next: ObjectMeta, old: ObjectMeta): readonly FieldError[] {
  const added = (next.finalizers ?? []).filter((finalizer) => old.finalizers?.includes(finalizer) !== true);
  const late =
    old.deletionTimestamp !== undefined && added.length > 0
      ? [
          forbiddenField(
            "metadata.finalizers",
            "no new finalizers can be added if the object is being deleted, found new finalizers " +
              `[]string{${added.map((finalizer) => JSON.stringify(finalizer)).join(", ")}}`,
          ),
        ]
      : [];
  const changed = IMMUTABLE.filter((field) => !deepEqual(next[field], old[field])).map((field) =>
    invalidField(`metadata.${field}`, next[field] ?? null, "field is immutable"),
  );
  return [...late, ...changed];
}

/** Returns warnings about new finalizers without a domain-qualified name. */
export function finalizerWarnings(next: Partial<ObjectMeta>, old?: ObjectMeta): readonly string[] {
  const standard = ["foregroundDeletion", "orphan", "kubernetes"];
  return (next.finalizers ?? [])
    .filter((finalizer) => old?.finalizers?.includes(finalizer) !== true)
    .filter((finalizer) => !finalizer.includes("/") && !standard.includes(finalizer))
    .toSorted()
    .map(
      (finalizer) =>
        `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name including a path (/) ` +
        "to avoid accidental conflicts with other finalizer writers",
    );
}
