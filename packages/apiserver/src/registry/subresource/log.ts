import type { ApiObject } from "../../store/index.ts";
import { badRequestError, asArray, asRecord } from "../../resource/index.ts";
import type { Registry } from "../registry.ts";
import type { ResourceObjectRef } from "../resource-object-ref.ts";

/**
 * Returns the log of a container. It is always empty, because containers do not run here; undefined if the pod has no
 * node yet. Throws BadRequest for an unknown container.
 */
export function readPodLog(registry: Registry, target: ResourceObjectRef, container: string): string | undefined {
  const pod = registry.get(target).object;
  checkContainer(pod, container);
  return (asRecord(pod["spec"])["nodeName"] ?? "") === "" ? undefined : "";
}

function checkContainer(pod: ApiObject, container: string): void {
  const { name } = pod.metadata;
  const plain = namesIn(pod, "containers");
  const all = [...namesIn(pod, "initContainers"), ...plain, ...namesIn(pod, "ephemeralContainers")];
  if (container !== "") {
    if (all.includes(container)) return;
    throw badRequestError(`container ${container} is not valid for pod ${name}`);
  }
  if (plain.length === 1) return;
  const choice = plain.length === 0 ? "" : `, choose one of: [${all.join(" ")}]`;
  throw badRequestError(`a container name must be specified for pod ${name}${choice}`);
}

function namesIn(pod: ApiObject, list: string): readonly string[] {
  return asArray(asRecord(pod["spec"])[list]).map((container) => String(asRecord(container)["name"]));
}
