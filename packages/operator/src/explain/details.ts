import { isDeleting } from "@levelset/core";
import type { ContainerStatus, KubeObject, Namespace, ObjectOf, Pod } from "@levelset/core";
import { describeFinalizers } from "./finalizers.ts";

/** Maximum number of described containers. */
const CONTAINERS_MAX = 4;

/**
 * Returns details that the object's message omits: finalizers that block deletion, exit codes of containers, and the
 * remaining content of a namespace.
 */
export function detailsOf(object: KubeObject): readonly string[] {
  const held = isDeleting(object) ? describeFinalizers(object) : [];
  if (object.apiVersion !== "v1") return held;
  // The server has validated it as a Pod.
  if (object.kind === "Pod") return [...held, ...podDetails(object as ObjectOf<typeof Pod>)];
  if (object.kind === "Namespace") return [...held, ...namespaceDetails(object)];
  return held;
}

function podDetails({ status }: ObjectOf<typeof Pod>): readonly string[] {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return containers.flatMap(containerDetails).slice(0, CONTAINERS_MAX);
}

function containerDetails({ name, state, lastState, restartCount }: ContainerStatus): readonly string[] {
  const ended = state?.terminated ?? lastState?.terminated;
  if (ended === undefined || ended.exitCode === 0) return [];
  const how = ended.reason === undefined || ended.reason === "Error" ? "" : ` (${ended.reason})`;
  const message = ended.message === undefined ? "" : `: ${ended.message}`;
  // The message of the pod already contains the exit code.
  const isRedundant = state?.terminated !== undefined && how === "" && message === "";
  if (isRedundant) return [];
  const restarts = restartCount === 0 ? "" : `, restarted ${restartCount} ${restartCount === 1 ? "time" : "times"}`;
  return [`container ${name} exited with code ${ended.exitCode}${how}${restarts}${message}`];
}

/** Returns the messages of True conditions: while a namespace is being deleted, they describe its remaining content. */
function namespaceDetails(namespace: ObjectOf<typeof Namespace>): readonly string[] {
  const left = namespace.status?.conditions?.filter(({ status }) => status === "True") ?? [];
  return left.flatMap(({ message }) => (message === undefined || message === "" ? [] : [message]));
}
