import type { Fetch } from "@levelset/core";
import { unreachable } from "@levelset/core/internal";
import { isWrite } from "@levelset/core/testing";
import type { RequestFilter } from "@levelset/core/testing";
import type { PlannedFault, RequestFault } from "../fault/index.ts";
import type { SimulatedCluster } from "../world/index.ts";

/** What faults act upon. */
export interface FaultTarget {
  readonly cluster: SimulatedCluster;
  /** Whether faults may still occur. */
  readonly isOn: () => boolean;
  /** Returns a server with the state before an operation. */
  readonly staleServer: (back: number) => Fetch | undefined;
}

/** How long an API server stays behind. */
const STALE_MS = 10_000;

/** Makes a fault occur, at once or at the request that it names. */
export async function armFault(fault: PlannedFault, { cluster, isOn, staleServer }: FaultTarget): Promise<void> {
  const connections = cluster.processes.map(({ connection }) => connection);
  const isBroken: RequestFilter = (request) => isOn() && isWrite(request) && !request.path.includes("/leases");
  switch (fault.kind) {
    case "crash":
      for (const { faults } of connections) faults.failNth(fault.nth, { kind: "crash" }, isBroken);
      return;
    case "request":
      for (const { faults } of connections) faults.failNth(fault.nth, fault.fault, isBroken);
      return;
    case "watch":
      for (const { faults } of connections) {
        const { fault: effect } = fault;
        const event = effect.kind === "expired" ? ({ kind: "status", reason: "Expired" } as const) : { ...effect };
        faults.failNthEvent(fault.nth, event as Parameters<typeof faults.failNthEvent>[1], () => isOn());
      }
      return;
    case "cut-watches":
      for (const { faults } of connections) faults.cutWatches();
      return;
    case "freeze-watches":
      for (const { faults } of connections) faults.freezeWatches();
      return;
    case "cache-lag":
      for (const { faults } of connections) faults.delayResponses(fault.ms);
      return;
    case "stale-restart": {
      const server = staleServer(fault.back);
      if (server === undefined) return;
      for (const { connection } of cluster.processes) connection.sever();
      await cluster.stop();
      cluster.start({ fetch: server, untilMs: cluster.clock.monotonic() + STALE_MS });
      for (const { connection } of cluster.processes) connection.faults.delayResponses(STALE_MS);
      await cluster.advance(STALE_MS / 2);
      for (const { connection } of cluster.processes) connection.faults.delayResponses(0);
      return;
    }
    case "leader-change": {
      const [leader] = cluster.processes;
      if (leader === undefined) return;
      leader.connection.sever();
      await cluster.kill(leader);
      cluster.start();
      return;
    }
    case "outage":
      for (const connection of connections) connection.interrupt(cluster.clock.monotonic() + fault.ms);
      return;
    case "external":
      cluster.external.failNext(fault.fault);
      cluster.program.external?.failNext(fault.fault);
      return;
    default:
      unreachable(fault);
  }
}

/** Describes a fault: `the process crashes after write 2`. */
export function describeFault(fault: PlannedFault): string {
  switch (fault.kind) {
    case "crash":
      return `the process crashes after its write ${fault.nth}${fault.downMs === 0 ? "" : ` and is down for ${fault.downMs / 1000} s`}`;
    case "request":
      return `write ${fault.nth}: ${describeRequestFault(fault.fault)}`;
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
      return "the leader dies, and the second replica takes over";
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

/** Returns for how long a process that has crashed by an operation is down. */
export function downtimeOf(faults: readonly PlannedFault[], index: number): number {
  return Math.max(0, ...faults.map((fault) => (fault.kind === "crash" && fault.at <= index ? fault.downMs : 0)));
}
