import type { ApiObject } from "../store/index.ts";
import { dnsLabelProblems } from "./names.ts";
import type { KindRules } from "./rules.ts";
import { recordOf } from "./shape.ts";

/** The finalizer in a namespace's spec that stands for its content. */
export const CONTENT_FINALIZER: string = "kubernetes";

/** Namespaces that every cluster has and nobody may delete. */
export const IMMORTAL_NAMESPACES: readonly string[] = ["default", "kube-system"];

/** Namespaces: the phase follows from deletion, and the content finalizer is the server's. */
export const namespaceRules: KindRules = {
  nameProblems: dnsLabelProblems,
  prepareCreate: (object) =>
    withNameLabel({ ...object, spec: { finalizers: [CONTENT_FINALIZER] }, status: { phase: "Active" } }),
  prepareUpdate: (object, old) => withNameLabel({ ...object, spec: old["spec"] }),
};

function withNameLabel(object: ApiObject): ApiObject {
  const labels = { ...object.metadata.labels, "kubernetes.io/metadata.name": object.metadata.name };
  return { ...object, metadata: { ...object.metadata, labels } };
}

/** The namespace as it looks while its content is being deleted. */
export function terminating(namespace: ApiObject): ApiObject {
  return { ...namespace, status: { ...recordOf(namespace["status"]), phase: "Terminating" } };
}

/** The namespace once its content is gone. */
export function emptied(namespace: ApiObject): ApiObject {
  return { ...namespace, spec: { ...recordOf(namespace["spec"]), finalizers: undefined } };
}

/** Whether the content still holds a namespace. */
export function isHeldByContent(namespace: ApiObject): boolean {
  const { finalizers } = recordOf(namespace["spec"]);
  return Array.isArray(finalizers) && finalizers.length > 0;
}
