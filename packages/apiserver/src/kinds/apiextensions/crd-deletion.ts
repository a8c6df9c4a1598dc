import { formatTimestamp } from "@levelset/core/internal";
import type { ApiObject } from "../../store/index.ts";
import { decideObjectDeletion, asArray, asRecord } from "../../resource/index.ts";
import type { DeletionDecision, DeletionRequest } from "../../resource/index.ts";

/** Finalizer of a CustomResourceDefinition that is being deleted while objects of its kind exist. */
export const CRD_CLEANUP_FINALIZER: string = "customresourcecleanup.apiextensions.k8s.io";

/**
 * Reasons of a CustomResourceDefinition's condition Terminating
 * (`k8s.io/apiextensions-apiserver/pkg/controller/finalizer/crd_finalizer.go`, Kubernetes 1.36).
 */
export type CrdTermination = "InstanceDeletionPending" | "InstanceDeletionInProgress" | "InstanceDeletionCompleted";

const MESSAGES: Readonly<Record<CrdTermination, string>> = {
  InstanceDeletionPending: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  InstanceDeletionInProgress: "CustomResource deletion is in progress",
  InstanceDeletionCompleted: "removed all instances",
};

/**
 * Decides the deletion of a CustomResourceDefinition. The first request only marks it, because its objects go first.
 */
export function decideCrdDeletion(crd: ApiObject, request: DeletionRequest): DeletionDecision {
  if (crd.metadata.deletionTimestamp !== undefined) return decideObjectDeletion(crd, request);
  const present = crd.metadata.finalizers ?? [];
  const finalizers = present.includes(CRD_CLEANUP_FINALIZER) ? present : [...present, CRD_CLEANUP_FINALIZER];
  const now = formatTimestamp(request.now);
  const metadata = { ...crd.metadata, deletionTimestamp: now, finalizers };
  return { kind: "mark", object: withTerminatingCondition({ ...crd, metadata }, "InstanceDeletionPending", now) };
}

/** Returns the CustomResourceDefinition with the given condition Terminating. */
export function withTerminatingCondition(
  crd: ApiObject,
  reason: CrdTermination,
  now: string,
  message?: string,
): ApiObject {
  const status = asRecord(crd["status"]);
  const conditions = asArray(status["conditions"]).map(asRecord);
  const before = conditions.find(({ type }) => type === "Terminating");
  const value = reason === "InstanceDeletionCompleted" ? "False" : "True";
  const next = {
    type: "Terminating",
    status: value,
    lastTransitionTime: before?.["status"] === value ? before["lastTransitionTime"] : now,
    reason,
    message: message ?? MESSAGES[reason],
  };
  const all =
    before === undefined
      ? [...conditions, next]
      : conditions.map((condition) => (condition === before ? next : condition));
  return { ...crd, status: { ...status, conditions: all } };
}
