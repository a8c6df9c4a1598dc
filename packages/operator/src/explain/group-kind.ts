import { parseApiVersion } from "@levelset/core/internal";

/** Reference to a kind by group and kind. */
export interface KindRef {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Returns kind and group of an object, as in `Deployment.apps`, and `Pod.` for the core group. */
export function groupKindOf({ apiVersion, kind }: KindRef): string {
  return `${kind}.${parseApiVersion(apiVersion).group}`;
}

const POD: KindRef = { apiVersion: "v1", kind: "Pod" };

const CREATED_KINDS: ReadonlyMap<string, KindRef> = new Map([
  ["Deployment.apps", { apiVersion: "apps/v1", kind: "ReplicaSet" }],
  ["CronJob.batch", { apiVersion: "batch/v1", kind: "Job" }],
  ["ReplicaSet.apps", POD],
  ["StatefulSet.apps", POD],
  ["DaemonSet.apps", POD],
  ["Job.batch", POD],
  ["ReplicationController.", POD],
]);

/** Returns the kind of the objects that kube-controller-manager creates for a workload; undefined for other kinds. */
export function createdKindOf(workload: KindRef): KindRef | undefined {
  return CREATED_KINDS.get(groupKindOf(workload));
}
