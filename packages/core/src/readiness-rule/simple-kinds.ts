import type { KubeObject } from "../object/index.ts";
import {
  findRawCondition,
  failedWith,
  failedByCondition,
  recordField,
  progressingWith,
  readyWith,
  stringField,
  conditionMessage,
} from "./readiness.ts";
import type { Readiness } from "./readiness.ts";

/** PersistentVolumeClaims: bound to a volume. */
export function claimReadiness(object: KubeObject): Readiness {
  const phase = stringField(recordField(object, "status"), "phase");
  if (phase === "Bound") return readyWith("bound");
  return phase === "Lost" ? failedWith(phase, "the volume is lost") : progressingWith("not bound to a volume yet");
}

/** Services: exist; those of type LoadBalancer have an external address. */
export function serviceReadiness(object: KubeObject): Readiness {
  const spec = recordField(object, "spec");
  if (spec["type"] !== "LoadBalancer") return readyWith("exists");
  const ingress = recordField(recordField(object, "status"), "loadBalancer")["ingress"];
  if (Array.isArray(ingress) && ingress.length > 0) return readyWith("the load balancer has an address");
  return progressingWith("the load balancer has no address yet");
}

/** CustomResourceDefinitions: names accepted and established. */
export function crdReadiness(object: KubeObject): Readiness {
  const names = findRawCondition(object, "NamesAccepted");
  if (names?.["status"] === "False") return failedByCondition(names);
  const established = findRawCondition(object, "Established");
  if (established?.["status"] === "True") return readyWith("served");
  return progressingWith(established === undefined ? "not observed yet" : conditionMessage(established));
}

/** Namespaces and PersistentVolumes: in a usable phase. */
export function phaseReadiness(
  usable: readonly string[],
  broken: readonly string[],
): (object: KubeObject) => Readiness {
  return (object) => {
    const phase = stringField(recordField(object, "status"), "phase");
    if (usable.includes(phase)) return readyWith(phase.toLowerCase());
    if (broken.includes(phase))
      return failedWith(phase, stringField(recordField(object, "status"), "message") || phase);
    return progressingWith(phase === "" ? "not observed yet" : phase);
  };
}

/** Kinds whose readiness is one condition. */
export function conditionReadiness(type: string): (object: KubeObject) => Readiness {
  return (object) => {
    const condition = findRawCondition(object, type);
    if (condition?.["status"] === "True") return readyWith(`${type} is True`);
    return progressingWith(condition === undefined ? `no ${type} condition yet` : conditionMessage(condition));
  };
}
