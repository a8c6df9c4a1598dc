import { formatTimestamp } from "@levelset/core/internal";
import { Namespace } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import {
  dnsLabelProblems,
  deletionFinalizers,
  decideObjectDeletion,
  forbiddenError,
  asRecord,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  builtinResource,
  fieldLabels,
  fieldsAt,
  NAME_FIELD,
  ALL_VERBS,
} from "../../resource/index.ts";
import type {
  DeletionDecision,
  DeletionRequest,
  SubresourceStrategy,
  KindStrategy,
  Printer,
  Resource,
} from "../../resource/index.ts";
import { withSpecField } from "../spec-field.ts";

/** The finalizer in `spec.finalizers` that blocks deletion until the content of the namespace is deleted. */
const CONTENT_FINALIZER: string = "kubernetes";

/** Namespaces created at start. */
export const INITIAL_NAMESPACES: readonly string[] = ["default", "kube-system", "kube-public", "kube-node-lease"];

/**
 * Namespaces that cannot be deleted (`k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go`,
 * Kubernetes 1.36).
 */
const IMMORTAL_NAMESPACES: readonly string[] = ["default", "kube-system", "kube-public"];

/** Strategy of Namespaces: the server sets the phase and the finalizer `kubernetes`. */
const namespaceStrategy: KindStrategy = {
  nameProblems: dnsLabelProblems,
  prepareForCreate: (object) =>
    withNameLabel({ ...object, spec: { finalizers: initialFinalizers(object) }, status: { phase: "Active" } }),
  prepareForUpdate: (object, old) => withNameLabel({ ...object, spec: old["spec"] }),
  decideDeletion: decideNamespaceDeletion,
  isFinalized: isNamespaceFinalized,
};

/** Returns the finalizers of the request and the finalizer `kubernetes`. */
function initialFinalizers(object: ApiObject): readonly string[] {
  const { finalizers } = asRecord(object["spec"]);
  const given = Array.isArray(finalizers) ? finalizers.map(String) : [];
  return given.includes(CONTENT_FINALIZER) ? given : [...given, CONTENT_FINALIZER];
}

function withNameLabel(object: ApiObject): ApiObject {
  const labels = { ...object.metadata.labels, "kubernetes.io/metadata.name": object.metadata.name };
  return { ...object, metadata: { ...object.metadata, labels } };
}

/**
 * Decides the deletion of a namespace. The first request marks it Terminating; the namespace controller does the rest.
 */
function decideNamespaceDeletion(namespace: ApiObject, request: DeletionRequest): DeletionDecision {
  const { name } = namespace.metadata;
  if (IMMORTAL_NAMESPACES.includes(name)) {
    throw forbiddenError({ group: "", plural: "namespaces" }, name, "this namespace may not be deleted");
  }
  if (namespace.metadata.deletionTimestamp !== undefined) {
    return hasContentFinalizer(namespace) ? { kind: "wait" } : decideObjectDeletion(namespace, request);
  }
  const finalizers = deletionFinalizers(namespace, request);
  const metadata = {
    ...namespace.metadata,
    deletionTimestamp: formatTimestamp(request.now),
    ...(finalizers.length === 0 ? {} : { finalizers }),
  };
  const status = { ...asRecord(namespace["status"]), phase: "Terminating" };
  return { kind: "mark", object: { ...namespace, metadata, status } };
}

/** Removes the finalizer `kubernetes`, after the content of the namespace is deleted. */
export function finalizeNamespace(namespace: ApiObject): ApiObject {
  const { finalizers, ...spec } = asRecord(namespace["spec"]);
  const left = (Array.isArray(finalizers) ? finalizers : []).filter((finalizer) => finalizer !== CONTENT_FINALIZER);
  return { ...namespace, spec: left.length === 0 ? spec : { ...spec, finalizers: left } };
}

/** Returns whether the namespace has the finalizer `kubernetes`. */
export function hasContentFinalizer(namespace: ApiObject): boolean {
  const { finalizers } = asRecord(namespace["spec"]);
  return Array.isArray(finalizers) && finalizers.length > 0;
}

/** Returns whether the namespace is being deleted and has no finalizers left. */
function isNamespaceFinalized(namespace: ApiObject): boolean {
  const { deletionTimestamp, finalizers = [] } = namespace.metadata;
  return deletionTimestamp !== undefined && finalizers.length === 0 && !hasContentFinalizer(namespace);
}

const namespacePrinter: Printer = printer<typeof Namespace>(
  [NAME_COLUMN, tableColumn("Status", "Active, or Terminating while its content is deleted."), AGE_COLUMN],
  (namespace) => [namespace.status?.phase ?? ""],
);

/** Replaces `spec.finalizers`. */
const finalizeStrategy: SubresourceStrategy = {
  merge: (old, draft) => withSpecField(old, "finalizers", asRecord(draft["spec"])),
};

/** Namespaces. */
export const namespaceResource: Resource = builtinResource({
  kind: Namespace,
  verbs: ALL_VERBS.filter((verb) => verb !== "deletecollection"),
  subresources: [{ name: "finalize", verbs: ["update"], strategy: finalizeStrategy }],
  strategy: namespaceStrategy,
  printer: namespacePrinter,
  fieldLabels: fieldLabels({ ...NAME_FIELD, ...fieldsAt("status.phase") }),
});
