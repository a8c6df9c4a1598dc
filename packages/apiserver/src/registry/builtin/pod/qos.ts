import { parseQuantity, signOfQuantity } from "@levelset/core";
import type { PodSpec, ResourceRequirements } from "@levelset/core";
import type { Loose } from "../loose.ts";

/** How well a pod is treated when its node runs short. */
export type QosClass = "Guaranteed" | "Burstable" | "BestEffort";

const COUNTED = ["cpu", "memory"] as const;

/** The class that follows from the resources of a pod: of its own if it has any, else of its containers. */
export function qosClass(spec: Loose<PodSpec>): QosClass {
  const own = spec.resources;
  const parts =
    own === undefined ? [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map((c) => c.resources) : [own];
  if (!parts.some((part) => COUNTED.some((name) => asks(part, name)))) return "BestEffort";
  return parts.every(isGuaranteed) ? "Guaranteed" : "Burstable";
}

function asks(part: Loose<ResourceRequirements> | undefined, name: string): boolean {
  return isGiven(part?.requests?.[name]) || isGiven(part?.limits?.[name]);
}

function isGuaranteed(part: Loose<ResourceRequirements> | undefined): boolean {
  return COUNTED.every((name) => isGiven(part?.limits?.[name]) && part?.requests?.[name] === part?.limits?.[name]);
}

function isGiven(amount: number | string | undefined): boolean {
  return amount !== undefined && signOfQuantity(parseQuantity(String(amount))) > 0;
}
