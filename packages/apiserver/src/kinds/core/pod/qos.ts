import { parseQuantity, signOfQuantity } from "@levelset/core/schema";
import type { PodSpec, ResourceRequirements } from "@levelset/core";
import type { Unvalidated } from "../../unvalidated.ts";

/** QoS classes (docs: Pod Quality of Service Classes). */
export type QosClass = "Guaranteed" | "Burstable" | "BestEffort";

const COUNTED = ["cpu", "memory"] as const;

/** Computes the QoS class from the pod-level resources, or from those of the containers if there are none. */
export function qosClass(spec: Unvalidated<PodSpec>): QosClass {
  const own = spec.resources;
  const parts =
    own === undefined ? [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map((c) => c.resources) : [own];
  if (!parts.some((part) => COUNTED.some((name) => asks(part, name)))) return "BestEffort";
  return parts.every(isGuaranteed) ? "Guaranteed" : "Burstable";
}

function asks(part: Unvalidated<ResourceRequirements> | undefined, name: string): boolean {
  return isGiven(part?.requests?.[name]) || isGiven(part?.limits?.[name]);
}

function isGuaranteed(part: Unvalidated<ResourceRequirements> | undefined): boolean {
  return COUNTED.every((name) => isGiven(part?.limits?.[name]) && part?.requests?.[name] === part?.limits?.[name]);
}

function isGiven(amount: number | string | undefined): boolean {
  return amount !== undefined && signOfQuantity(parseQuantity(String(amount))) > 0;
}
