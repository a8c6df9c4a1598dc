import { isDeleting } from "@levelset/core";
import type { ContainerStatus, KubeObject, Namespace, ObjectOf, Pod } from "@levelset/core";
import { describeHolders } from "./finalizers.ts";

/** How many containers are spoken of. */
const CONTAINERS_MAX = 4;

/** What an object says beyond the one sentence about the whole: what holds it, how its containers ended, what is left in it. */
export function detailsOf(object: KubeObject): readonly string[] {
  const held = isDeleting(object) ? describeHolders(object) : [];
  if (object.apiVersion !== "v1") return held;
  // The server that gave it its kind has checked it.
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
  const words = ended.message === undefined ? "" : `: ${ended.message}`;
  // How the pod itself ended, which it says without us.
  const isAllKnown = state?.terminated !== undefined && how === "" && words === "";
  if (isAllKnown) return [];
  const again = restartCount === 0 ? "" : `, started again ${restartCount} ${restartCount === 1 ? "time" : "times"}`;
  return [`container ${name} ended with code ${ended.exitCode}${how}${again}${words}`];
}

/** While a namespace is being deleted, what is True of it is what it still holds. */
function namespaceDetails(namespace: ObjectOf<typeof Namespace>): readonly string[] {
  const left = namespace.status?.conditions?.filter(({ status }) => status === "True") ?? [];
  return left.flatMap(({ message }) => (message === undefined || message === "" ? [] : [message]));
}
