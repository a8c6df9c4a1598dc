import { unreachable } from "@levelset/core/internal";
import type { PlannedFault, RequestFault, RequestTarget } from "../fault/index.ts";

/** Describes a fault: `the process crashes after write 2`. */
export function describeFault(fault: PlannedFault): string {
  switch (fault.kind) {
    case "crash":
      return `the process crashes after its write ${fault.nth}${fault.downMs === 0 ? "" : ` and is down for ${fault.downMs / 1000} s`}`;
    case "request":
      return `${REQUESTS[fault.on ?? "write"]} ${fault.nth}: ${describeRequestFault(fault.fault)}`;
    case "watch":
      return `watch event ${fault.nth}: ${fault.fault.kind === "delay" ? `late by ${fault.fault.ms} ms` : fault.fault.kind}`;
    case "cut-watches":
      return "all watches are cut";
    case "freeze-watches":
      return "all watches hang";
    case "cache-lag":
      return `watch events are late by ${fault.ms} ms`;
    case "stale-restart":
      return `the process restarts, and its API server lists the state before operation ${fault.back + 1}`;
    case "leader-change":
      return `the leader ${fault.stallMs === undefined ? "dies" : `stalls for ${fault.stallMs / 1000} s`}, and the second replica takes over`;
    case "outage":
      return `the API server is not reachable for ${fault.ms / 1000} s`;
    case "external":
      return fault.fault === "refused"
        ? "the next external call is refused"
        : "the answer of the next external call is lost";
    default:
      return unreachable(fault);
  }
}

const REQUESTS: Readonly<Record<RequestTarget, string>> = { write: "write", read: "read", lease: "lease request" };

function describeRequestFault(fault: RequestFault): string {
  switch (fault.kind) {
    case "refused":
      return "the connection is refused";
    case "response-lost":
      return "the server handles it, and the answer is lost";
    case "duplicate":
      return "it is delivered twice";
    case "hang":
      return "it hangs until it times out";
    case "status":
      return `the server answers ${fault.reason}`;
    case "delay":
      return `it is late by ${fault.ms} ms`;
    default:
      return unreachable(fault);
  }
}
