import { timestamp } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { CLEANUP_FINALIZER } from "./crd.ts";
import { removal } from "./remove.ts";
import type { Removal, RemovalRequest } from "./remove.ts";
import { listOf, recordOf } from "./shape.ts";

/** How far the removal of a declaration is, as its condition Terminating says it. */
export type CrdTermination = "InstanceDeletionPending" | "InstanceDeletionInProgress" | "InstanceDeletionCompleted";

const MESSAGES: Readonly<Record<CrdTermination, string>> = {
  InstanceDeletionPending: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  InstanceDeletionInProgress: "CustomResource deletion is in progress",
  InstanceDeletionCompleted: "removed all instances",
};

/** Decides the deletion of a CustomResourceDefinition: the first request only begins it, for its objects go first. */
export function crdRemoval(crd: ApiObject, request: RemovalRequest): Removal {
  if (crd.metadata.deletionTimestamp !== undefined) return removal(crd, request);
  const present = crd.metadata.finalizers ?? [];
  const finalizers = present.includes(CLEANUP_FINALIZER) ? present : [...present, CLEANUP_FINALIZER];
  const now = timestamp(request.now);
  const metadata = { ...crd.metadata, deletionTimestamp: now, finalizers };
  return { kind: "mark", object: terminatingCrd({ ...crd, metadata }, "InstanceDeletionPending", now) };
}

/** The declaration with its condition Terminating as given. */
export function terminatingCrd(crd: ApiObject, reason: CrdTermination, now: string, message?: string): ApiObject {
  const status = recordOf(crd["status"]);
  const conditions = listOf(status["conditions"]).map(recordOf);
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
