import type { ApiObject } from "../../store/index.ts";
import { badRequest } from "../failure.ts";
import type { Registry } from "../registry.ts";
import type { Target } from "../target.ts";
import { listOf, recordOf } from "../shape.ts";

/**
 * What a container of a pod has written: nothing, for nothing runs here. Undefined for a pod that has no node yet. Throws BadRequest for
 * a container that is not there.
 */
export function readLog(registry: Registry, target: Target, container: string): string | undefined {
  const pod = registry.get(target).object;
  checkContainer(pod, container);
  return (recordOf(pod["spec"])["nodeName"] ?? "") === "" ? undefined : "";
}

function checkContainer(pod: ApiObject, container: string): void {
  const { name } = pod.metadata;
  const plain = namesIn(pod, "containers");
  const all = [...namesIn(pod, "initContainers"), ...plain, ...namesIn(pod, "ephemeralContainers")];
  if (container !== "") {
    if (all.includes(container)) return;
    throw badRequest(`container ${container} is not valid for pod ${name}`);
  }
  if (plain.length === 1) return;
  const choice = plain.length === 0 ? "" : `, choose one of: [${all.join(" ")}]`;
  throw badRequest(`a container name must be specified for pod ${name}${choice}`);
}

function namesIn(pod: ApiObject, list: string): readonly string[] {
  return listOf(recordOf(pod["spec"])[list]).map((container) => String(recordOf(container)["name"]));
}
