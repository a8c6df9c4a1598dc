import { timestamp } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { dnsLabelProblems } from "./names.ts";
import { finalizersFor, removal } from "./remove.ts";
import type { Removal, RemovalRequest } from "./remove.ts";
import type { KindRules } from "./rules.ts";
import { recordOf } from "./shape.ts";

/** The finalizer in a namespace's spec that stands for its content. */
const CONTENT_FINALIZER: string = "kubernetes";

/** Namespaces that every cluster has. */
export const INITIAL_NAMESPACES: readonly string[] = ["default", "kube-system", "kube-public", "kube-node-lease"];

/** Namespaces that nobody may delete. */
export const IMMORTAL_NAMESPACES: readonly string[] = ["default", "kube-system", "kube-public"];

/** Namespaces: the phase follows from deletion, and the content finalizer is the server's. */
export const namespaceRules: KindRules = {
  nameProblems: dnsLabelProblems,
  prepareCreate: (object) =>
    withNameLabel({ ...object, spec: { finalizers: initialFinalizers(object) }, status: { phase: "Active" } }),
  prepareUpdate: (object, old) => withNameLabel({ ...object, spec: old["spec"] }),
};

/** Those that the writer asks for, and always ours. */
function initialFinalizers(object: ApiObject): readonly string[] {
  const { finalizers } = recordOf(object["spec"]);
  const given = Array.isArray(finalizers) ? finalizers.map(String) : [];
  return given.includes(CONTENT_FINALIZER) ? given : [...given, CONTENT_FINALIZER];
}

function withNameLabel(object: ApiObject): ApiObject {
  const labels = { ...object.metadata.labels, "kubernetes.io/metadata.name": object.metadata.name };
  return { ...object, metadata: { ...object.metadata, labels } };
}

/** Decides the deletion of a namespace: the first request begins its end, which is then its controller's matter. */
export function namespaceRemoval(namespace: ApiObject, request: RemovalRequest): Removal {
  if (namespace.metadata.deletionTimestamp !== undefined) {
    return isHeldByContent(namespace) ? { kind: "wait" } : removal(namespace, request);
  }
  const finalizers = finalizersFor(namespace, request);
  const metadata = {
    ...namespace.metadata,
    deletionTimestamp: timestamp(request.now),
    ...(finalizers.length === 0 ? {} : { finalizers }),
  };
  const status = { ...recordOf(namespace["status"]), phase: "Terminating" };
  return { kind: "mark", object: { ...namespace, metadata, status } };
}

/** The namespace once its content is gone. */
export function emptied(namespace: ApiObject): ApiObject {
  const { finalizers, ...spec } = recordOf(namespace["spec"]);
  const left = (Array.isArray(finalizers) ? finalizers : []).filter((finalizer) => finalizer !== CONTENT_FINALIZER);
  return { ...namespace, spec: left.length === 0 ? spec : { ...spec, finalizers: left } };
}

/** Whether the content still holds a namespace. */
export function isHeldByContent(namespace: ApiObject): boolean {
  const { finalizers } = recordOf(namespace["spec"]);
  return Array.isArray(finalizers) && finalizers.length > 0;
}

/** Whether nothing holds a namespace any more whose deletion was asked for. */
export function isReleasedNamespace(namespace: ApiObject): boolean {
  const { deletionTimestamp, finalizers = [] } = namespace.metadata;
  return deletionTimestamp !== undefined && finalizers.length === 0 && !isHeldByContent(namespace);
}
