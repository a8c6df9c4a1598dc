import { rm } from "node:fs/promises";
import { join } from "node:path";
import { findAssets } from "../tools/envtest/index.ts";
import { tempDirectory } from "../tests/support/temp-directory.ts";
import { BenchClient } from "./apiserver-client.ts";
import { startCommand } from "./apiserver-command.ts";
import { measureInProcessStart, startEmbedded, startKubeApiserver } from "./apiserver-processes.ts";
import type { BenchServer } from "./apiserver-processes.ts";
import { measureWatchFanOut, createConfigMaps, measureListMs, measureWriteThroughput } from "./apiserver-load.ts";
import { buildPackages } from "./build.ts";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";

const START_ROUNDS = 11;
const COMMAND_ROUNDS = 7;
/** Number of rounds in which both servers are measured alternately. */
const ROUNDS = 3;
const LIST_ROUNDS = 9;

/** An embedded server and the comparable kube-apiserver. */
interface Pair {
  /** Store of the embedded server. */
  readonly store: string;
  readonly ours: () => Promise<BenchServer>;
  /** Undefined if kube-apiserver is not installed. */
  readonly peer: { readonly name: string; readonly start: () => Promise<BenchServer> } | undefined;
}

/**
 * Compares the embedded server with kube-apiserver and etcd, in one run on one machine. Both serve TLS to the same
 * client from their own processes; the embedded server runs from the built packages. They are measured alternately, so
 * that other load affects both. The in-memory store is compared with etcd without fsync, which favours etcd; the
 * durable store with etcd with fsync.
 */
export async function apiserver(): Promise<readonly Measurement[]> {
  buildPackages();
  const directory = (await tempDirectory()).path;
  try {
    const assets = await findAssets({ env: process.env });
    if (assets.kind === "absent") console.warn(assets.line);
    const peer = (name: string, fsync: boolean): Pair["peer"] =>
      assets.kind === "found" ? { name, start: () => startKubeApiserver(assets, fsync) } : undefined;
    const memory: Pair = {
      store: "in memory",
      ours: startEmbedded,
      peer: peer("kube-apiserver + etcd, no fsync", false),
    };
    const durable: Pair = {
      store: "durable",
      ours: () => startEmbedded(join(directory, "data")),
      peer: peer("kube-apiserver + etcd, fsync", true),
    };
    const start = await times(START_ROUNDS, measureInProcessStart);
    return [
      { what: "start in process, after import, until the first response", unit: "ms", ours: median(start) },
      ...(await command(directory)),
      ...(await writes(memory)),
      ...(await memoryOfMany(memory)),
      ...(await crowds(memory)),
      ...(await writes(durable)),
    ];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function times<T>(count: number, measure: (round: number) => Promise<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for (let round = 0; round < count; round += 1) found.push(await measure(round));
  return found;
}

/** Measures the `levelset apiserver` command. */
async function command(directory: string): Promise<readonly Measurement[]> {
  const ready = await times(COMMAND_ROUNDS, async () => {
    await using running = await startCommand(directory);
    return running.readyMs;
  });
  await using running = await startCommand(directory);
  await createConfigMaps(running);
  return [
    { what: "levelset apiserver until /readyz responds", unit: "ms", ours: median(ready) },
    {
      what: "levelset apiserver, peak memory while 10,000 ConfigMaps of 2 KB are created",
      unit: "MB",
      ours: await running.peakMb(),
    },
  ];
}

/** Starts both servers of a pair, ours first. */
async function startBoth({ ours, peer }: Pair, owned: AsyncDisposableStack): Promise<readonly BenchServer[]> {
  const servers = [owned.use(await ours())];
  if (peer !== undefined) servers.push(owned.use(await peer.start()));
  return servers;
}

/** Returns the measurement of a pair: the medians of both servers. */
function figure(
  pair: Pair,
  what: string,
  unit: Measurement["unit"],
  [ours, real]: readonly (readonly number[])[],
): Measurement {
  const { peer, store } = pair;
  return {
    what: `${what}, ${store}`,
    unit,
    ours: median(ours ?? []),
    ...(peer === undefined || real === undefined ? {} : { peer: { name: peer.name, value: median(real) } }),
  };
}

/** Measures writes per second of new servers. */
async function writes(pair: Pair): Promise<readonly Measurement[]> {
  await using owned = new AsyncDisposableStack();
  const servers = await startBoth(pair, owned);
  const figures: Measurement[] = [];
  for (const connections of [1, 16]) {
    const rates = await times(ROUNDS, async (round) => {
      const found = [];
      for (const server of servers) {
        await using client = new BenchClient(server, connections);
        found.push(await measureWriteThroughput(client, connections, `written-${connections}-${round}`));
      }
      return found;
    });
    const name = connections === 1 ? "one at a time" : `${connections} at a time`;
    for (const verb of ["create", "update"] as const) {
      const each = servers.map((_server, index) => rates.map((rate) => rate[index]?.[verb] ?? Number.NaN));
      figures.push(figure(pair, `${verb} ConfigMaps of 2 KB, ${name}`, "ops/s", each));
    }
  }
  return figures;
}

/** Measures memory with many objects. Uses separate servers, because a full collection also drops compiled code. */
async function memoryOfMany(pair: Pair): Promise<readonly Measurement[]> {
  await using owned = new AsyncDisposableStack();
  const memory: number[][] = [];
  for (const server of await startBoth(pair, owned)) {
    await createConfigMaps(server);
    memory.push([await server.rssMb()]);
  }
  return [figure(pair, "memory after garbage collection, with 10,000 ConfigMaps of 2 KB", "MB", memory)];
}

/** Measures lists with many objects and events with many watches. */
async function crowds(pair: Pair): Promise<readonly Measurement[]> {
  await using owned = new AsyncDisposableStack();
  const servers = await startBoth(pair, owned);
  for (const server of servers) await createConfigMaps(server);
  const lists = await times(LIST_ROUNDS, async () => {
    const found: number[] = [];
    for (const server of servers) found.push(await measureListMs(server));
    return found;
  });
  const events: number[][] = [];
  for (const server of servers) events.push([await measureWatchFanOut(server)]);
  const listed = servers.map((_server, index) => lists.map((round) => round[index] ?? Number.NaN));
  return [
    figure(pair, "list 10,000 ConfigMaps of 2 KB", "ms", listed),
    figure(pair, "events to 1,000 watches", "ops/s", events),
  ];
}
