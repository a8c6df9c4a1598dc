import { formatLabelSelector, labelSelectorFromObject } from "@levelset/core/schema";
import { controllerOf, Pod, StatusError } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import type { StepPolicyRule } from "../../engine/index.ts";
import type { ChildReq } from "../child/child-req.ts";
import type { JobObject } from "./job-child.ts";

/** Whether a container of a Job has ever started, according to its pods. */
export type JobStart =
  | { readonly kind: "started" }
  /** Since its last pod was created, or the Job if it has none. In milliseconds since the epoch. */
  | { readonly kind: "not-started"; readonly since: number }
  /** The server does not let the operator list pods. */
  | { readonly kind: "unknown"; readonly problem: string };

/** A pod as read from the server. */
type PodObject = ObjectOf<typeof Pod>;

/** The access that `readJobStart` needs. */
export const JOB_START_RULES: readonly StepPolicyRule[] = [
  { apiGroups: [Pod.group], resources: [Pod.plural], verbs: ["list"] },
];

/** Label that the server adds to the pods of a Job, unless `manualSelector` is set (docs: Well-Known Labels). */
const UID_LABEL = "batch.kubernetes.io/controller-uid";
const PAGE_SIZE = 500;

/** Lists the pods of a Job and returns whether it has started. */
export async function readJobStart({ client, signal }: ChildReq, job: JobObject): Promise<JobStart> {
  const { uid, namespace } = job.metadata;
  const selector = labelSelectorFromObject(job.spec?.selector ?? { matchLabels: { [UID_LABEL]: uid } });
  const options = { namespace, labels: formatLabelSelector(selector), limit: PAGE_SIZE, signal };
  const pods: PodObject[] = [];
  try {
    for await (const { items } of client.pages(Pod, options)) {
      // A selector that a user has written may match other pods.
      pods.push(...items.filter((pod) => controllerOf(pod)?.uid === uid));
      if (pods.some(hasStarted)) break;
    }
  } catch (error) {
    if (error instanceof StatusError && error.reason === "Forbidden")
      return { kind: "unknown", problem: error.message };
    throw error;
  }
  return jobStart(job, pods);
}

/**
 * Returns whether a Job has started. It has not if all its pods are Pending without a container that ever ran: images
 * cannot be pulled, or no node fits. A Job without pods has not started either, because a quota or an admission webhook
 * refuses them, unless its status counts pods that are not in the list.
 */
export function jobStart({ metadata, status }: JobObject, pods: readonly PodObject[]): JobStart {
  if (pods.length < (status?.active ?? 0) || pods.some(hasStarted)) return { kind: "started" };
  const created = [metadata, ...pods.map((pod) => pod.metadata)].map(({ creationTimestamp = "" }) =>
    Date.parse(creationTimestamp),
  );
  return { kind: "not-started", since: Math.max(...created.filter((time) => !Number.isNaN(time))) };
}

/**
 * Reports whether a container of a pod has ever started. The phase is not enough: it is Pending until all init
 * containers have completed (docs: Init Containers).
 */
function hasStarted({ status = {} }: PodObject): boolean {
  const { phase = "Pending", initContainerStatuses = [], containerStatuses = [] } = status;
  if (phase !== "Pending") return true;
  return [...initContainerStatuses, ...containerStatuses].some(
    ({ state, lastState, restartCount = 0 }) =>
      restartCount > 0 ||
      [state?.running, state?.terminated, lastState?.terminated].some((reached) => reached !== undefined),
  );
}
