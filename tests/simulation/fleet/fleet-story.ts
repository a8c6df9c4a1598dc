import { formatTime } from "@levelset/simulation/internal";
import { unreachable } from "@levelset/core/internal";
import type { FleetFault, FleetOperation, RequestFault } from "./fleet-case.ts";

/** An event of a run, for its story. */
export interface FleetEvent {
  readonly atMs: number;
  readonly text: string;
}

/** Describes an operation as one line. */
export function describeFleetOperation(operation: FleetOperation): string {
  switch (operation.do) {
    case "create":
    case "patch":
      return `a user ${operation.do === "create" ? "creates" : "patches"} Cluster ${operation.name} ${JSON.stringify(operation.spec)}`;
    case "delete":
      return `a user deletes Cluster ${operation.name}`;
    case "create-pool":
    case "patch-pool":
      return `a user ${operation.do === "create-pool" ? "creates" : "patches"} a NodePool of ${operation.name} ${JSON.stringify(operation.spec)}`;
    case "delete-pool":
      return `a user deletes the NodePool of ${operation.name}`;
    case "delete-child":
    case "edit-child":
      return `a person ${operation.do === "delete-child" ? "deletes" : "edits"} ${operation.child} of ${operation.name}`;
    case "late-report":
      return `a late report of ${operation.adapter} arrives about the generation of ${operation.name} before the latest`;
    case "repeat-pulse":
      return "the broker delivers the latest pulse again";
    case "restart":
      return `${operation.adapter} is restarted`;
    case "pass-time":
      return "time passes";
    default:
      return unreachable(operation);
  }
}

/** Describes a fault as one line. */
export function describeFleetFault(fault: FleetFault): string {
  switch (fault.kind) {
    case "crash":
      return `${fault.adapter} crashes after its write ${fault.nth} and is down for ${fault.downMs / 1000} s`;
    case "request":
      return `${fault.adapter}, write ${fault.nth}: ${describeRequestFault(fault.fault)}`;
    case "report":
      return `${fault.adapter}, report ${fault.nth}: ${describeRequestFault(fault.fault)}`;
    case "unreachable":
      return `${fault.adapter} cannot reach its cluster for ${fault.downMs / 1000} s`;
    case "cut-watches":
      return `all watches of ${fault.adapter} are cut`;
    case "freeze-watches":
      return `all watches of ${fault.adapter} hang`;
    case "cache-lag":
      return `watch events of ${fault.adapter} are late by ${fault.ms} ms`;
    case "lose-pulses":
      return `the next ${fault.count} pulses are lost`;
    case "repeat-pulses":
      return `the next ${fault.count} pulses are delivered twice`;
    default:
      return unreachable(fault);
  }
}

function describeRequestFault(fault: RequestFault): string {
  return fault.kind === "status" ? fault.reason : fault.kind === "delay" ? `late by ${fault.ms} ms` : fault.kind;
}

/** Returns the story of a failure. */
export function fleetStory(seed: number, violation: string, events: readonly FleetEvent[]): string {
  const lines = events.map(({ atMs, text }) => `  ${formatTime(atMs).padStart(10)}  ${text}`);
  return [`seed ${seed}: ${violation}`, "", "What happened:", ...lines].join("\n");
}
