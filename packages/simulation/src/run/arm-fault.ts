import type { Fetch } from "@levelset/core";
import { unreachable } from "@levelset/core/internal";
import { isWrite } from "@levelset/core/testing";
import type { EventFault, Fault, RequestFilter } from "@levelset/core/testing";
import type { FaultEffect, PlannedFault, RequestFault, WatchFault } from "../fault/index.ts";
import { isOfLease } from "../world/index.ts";
import type { SimulatedCluster } from "../world/index.ts";

/** What faults act upon. */
export interface FaultTarget {
  readonly cluster: SimulatedCluster;
  /** Returns a server with the state before an operation. */
  readonly staleServer: (back: number) => Fetch | undefined;
}

/** How long an API server stays behind. */
const STALE_MS = 10_000;
/** The transport of a client gives up after this time without a response. */
const SILENCE_MS = 60_000;

/** Makes a fault occur, at once or at the request that it names. */
export async function armFault(fault: PlannedFault, { cluster, staleServer }: FaultTarget): Promise<void> {
  const { faults } = cluster;
  const connections = cluster.processes.map(({ connection }) => connection.faults);
  switch (fault.kind) {
    case "crash":
      return faults.failRequest(fault, fault.nth, { kind: "crash" }, isPlainWrite);
    case "request":
      return faults.failRequest(fault, fault.nth, requestEffect(fault.fault), filterOf(fault));
    case "watch":
      return faults.failEvent(fault, fault.nth, eventEffect(fault.fault));
    case "cut-watches":
    case "freeze-watches":
      if (connections.some(({ openWatches }) => openWatches > 0)) faults.fire(fault);
      for (const each of connections) {
        if (fault.kind === "cut-watches") each.cutWatches();
        else each.freezeWatches();
      }
      return;
    case "cache-lag":
      return faults.delayEvents(fault, fault.ms);
    case "stale-restart": {
      const server = staleServer(fault.back);
      return server === undefined ? undefined : restartStale(fault, server, cluster);
    }
    case "leader-change": {
      const { leader } = cluster;
      if (leader === undefined) return;
      faults.fire(fault);
      if (fault.stallMs !== undefined) return leader.stall(fault.stallMs);
      leader.connection.sever();
      await cluster.kill(leader);
      cluster.start();
      return;
    }
    case "outage":
      faults.interrupt(fault, fault.ms);
      for (const each of connections) each.cutWatches();
      return;
    case "external":
      return failExternal(fault, cluster);
    default:
      unreachable(fault);
  }
}

async function restartStale(fault: PlannedFault, server: Fetch, cluster: SimulatedCluster): Promise<void> {
  for (const { connection } of cluster.processes) connection.sever();
  await cluster.stop();
  cluster.faults.fire(fault);
  cluster.faults.delayStaleEvents(STALE_MS);
  cluster.start({ fetch: server, untilMs: cluster.clock.monotonic() + STALE_MS });
  await cluster.advance(STALE_MS / 2);
  cluster.faults.delayStaleEvents(0);
}

function failExternal(fault: Extract<PlannedFault, { readonly kind: "external" }>, cluster: SimulatedCluster): void {
  cluster.external.failNext(fault.fault, () => cluster.faults.fire(fault));
  const { external } = cluster.program;
  if (external === undefined) return;
  external.failNext(fault.fault);
  // A double does not report its faults. A call that succeeds later shows that one was made.
  const before = external.calls().length;
  cluster.faults.fireIf(fault, () => external.calls().length > before);
}

const isPlainWrite: RequestFilter = (request) => isWrite(request) && !isOfLease(request);
const isPlainRead: RequestFilter = (request) => request.method === "GET" && !isOfLease(request);

/** Other reads cannot expire (docs: Kubernetes API Concepts, 410 Gone responses). */
const isFromRevision: RequestFilter = ({ query }) => /[?&](?:resourceVersion=[1-9]|continue=.)/u.test(query);

/** Returns which requests a fault counts. */
function filterOf({ on = "write", fault }: Extract<FaultEffect, { readonly kind: "request" }>): RequestFilter {
  switch (on) {
    case "write":
      return isPlainWrite;
    case "read":
      return fault.kind === "status" && fault.reason === "Expired"
        ? (request) => isPlainRead(request) && isFromRevision(request)
        : isPlainRead;
    case "lease":
      return isOfLease;
    default:
      return unreachable(on);
  }
}

function requestEffect(fault: RequestFault): Fault {
  return fault.kind === "hang" ? { ...fault, timeoutMs: SILENCE_MS } : fault;
}

function eventEffect(fault: WatchFault): EventFault {
  return fault.kind === "expired" ? { kind: "status", reason: "Expired" } : fault;
}

/** Returns for how long a process that has crashed is down. */
export function downtimeOf(fired: readonly PlannedFault[]): number {
  const crash = fired.findLast(({ kind }) => kind === "crash");
  return crash?.kind === "crash" ? crash.downMs : 0;
}
