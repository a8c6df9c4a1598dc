import type { FaultEffect, RequestFault } from "./planned-fault.ts";

/** Returns the name of a fault without its numbers: `crash`, `write Conflict`, `read Expired`, `watch cut`. */
export function faultName(effect: FaultEffect): string {
  switch (effect.kind) {
    case "request":
      return `${effect.on ?? "write"} ${requestFaultName(effect.fault)}`;
    case "watch":
      return `watch ${effect.fault.kind}`;
    case "leader-change":
      return effect.stallMs === undefined ? "leader-change" : "leader-change after a stall";
    case "external":
      return `external ${effect.fault}`;
    default:
      return effect.kind;
  }
}

function requestFaultName(fault: RequestFault): string {
  return fault.kind === "status" ? fault.reason : fault.kind;
}
