import type { KubeObject } from "../object/index.ts";
import { conditionOf, failed, failedBy, part, progressing, readyBecause, text, wordsOf } from "./readiness.ts";
import type { Readiness } from "./readiness.ts";

/** Claims: bound to a volume. */
export function claimReadiness(object: KubeObject): Readiness {
  const phase = text(part(object, "status"), "phase");
  if (phase === "Bound") return readyBecause("bound");
  return phase === "Lost" ? failed(phase, "its volume is lost") : progressing("not bound to a volume yet");
}

/** Services: those of type LoadBalancer have an address outside. */
export function serviceReadiness(object: KubeObject): Readiness {
  const spec = part(object, "spec");
  if (spec["type"] !== "LoadBalancer") return readyBecause("there");
  const ingress = part(part(object, "status"), "loadBalancer")["ingress"];
  if (Array.isArray(ingress) && ingress.length > 0) return readyBecause("it has an address");
  return progressing("the load balancer has no address yet");
}

/** Declarations of kinds: accepted and served. */
export function crdReadiness(object: KubeObject): Readiness {
  const names = conditionOf(object, "NamesAccepted");
  if (names?.["status"] === "False") return failedBy(names);
  const established = conditionOf(object, "Established");
  if (established?.["status"] === "True") return readyBecause("served");
  return progressing(established === undefined ? "not observed yet" : wordsOf(established));
}

/** Namespaces and volumes: in a phase that one can use. */
export function phaseReadiness(
  usable: readonly string[],
  broken: readonly string[],
): (object: KubeObject) => Readiness {
  return (object) => {
    const phase = text(part(object, "status"), "phase");
    if (usable.includes(phase)) return readyBecause(phase.toLowerCase());
    if (broken.includes(phase)) return failed(phase, text(part(object, "status"), "message") || phase);
    return progressing(phase === "" ? "not observed yet" : phase);
  };
}

/** Kinds with one condition that says it all. */
export function conditionReadiness(type: string): (object: KubeObject) => Readiness {
  return (object) => {
    const condition = conditionOf(object, type);
    if (condition?.["status"] === "True") return readyBecause(`${type} is True`);
    return progressing(condition === undefined ? `${type} is not there yet` : wordsOf(condition));
  };
}
