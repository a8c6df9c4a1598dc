import { rm } from "node:fs/promises";
import { join } from "node:path";
import { findAssets } from "../tools/envtest/index.ts";
import { scratch } from "../tests/support/scratch.ts";
import { BenchClient } from "./apiserver-client.ts";
import { startCommand } from "./apiserver-command.ts";
import { startInProcess, startOurs, startReal } from "./apiserver-target.ts";
import type { BenchTarget } from "./apiserver-target.ts";
import { fanOut, fill, listing, throughput } from "./apiserver-load.ts";
import { buildPackages } from "./build.ts";
import { median } from "./report.ts";
import type { Figure } from "./report.ts";

const START_ROUNDS = 11;
const COMMAND_ROUNDS = 7;
/** How often ours and the peer are measured in turn. */
const ROUNDS = 3;
const LIST_ROUNDS = 9;

/** One of our servers, and the real one that is fair to compare it with. */
interface Pair {
  /** Where ours keeps its objects. */
  readonly store: string;
  readonly ours: () => Promise<BenchTarget>;
  /** Undefined where there is no real one on this machine. */
  readonly peer: { readonly name: string; readonly start: () => Promise<BenchTarget> } | undefined;
}

/**
 * The embedded server against kube-apiserver with etcd, in one run on one machine. Both serve TLS to the same client from processes of
 * their own; ours runs what was built. They are measured in turn, so that what else the machine does meets both. Ours in memory
 * meets an etcd that does not wait for the disk, which is to etcd's advantage; ours on disk meets an etcd that does, as ours does.
 */
export async function apiserver(): Promise<readonly Figure[]> {
  buildPackages();
  const directory = (await scratch()).path;
  try {
    const assets = await findAssets({ env: process.env });
    if (assets.kind === "absent") console.warn(assets.line);
    const peer = (name: string, fsync: boolean): Pair["peer"] =>
      assets.kind === "found" ? { name, start: () => startReal(assets, fsync) } : undefined;
    const memory: Pair = { store: "in memory", ours: startOurs, peer: peer("kube-apiserver + etcd, no fsync", false) };
    const durable: Pair = {
      store: "durable",
      ours: () => startOurs(join(directory, "data")),
      peer: peer("kube-apiserver + etcd, fsync", true),
    };
    const start = await times(START_ROUNDS, startInProcess);
    return [
      { what: "start in process, after import, until the first answer", unit: "ms", ours: median(start) },
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

/** Measures the command that users start. */
async function command(directory: string): Promise<readonly Figure[]> {
  const ready = await times(COMMAND_ROUNDS, async () => {
    await using running = await startCommand(directory);
    return running.readyMs;
  });
  await using running = await startCommand(directory);
  await fill(running);
  return [
    { what: "levelset apiserver until /readyz answers", unit: "ms", ours: median(ready) },
    {
      what: "levelset apiserver, most memory while 10,000 ConfigMaps of 2 KB are made",
      unit: "MB",
      ours: await running.peakMb(),
    },
  ];
}

/** Starts both servers of a pair, ours first. */
async function startBoth({ ours, peer }: Pair, owned: AsyncDisposableStack): Promise<readonly BenchTarget[]> {
  const servers = [owned.use(await ours())];
  if (peer !== undefined) servers.push(owned.use(await peer.start()));
  return servers;
}

/** The figures of a pair: the median of what was measured of each server. */
function figure(pair: Pair, what: string, unit: Figure["unit"], [ours, real]: readonly (readonly number[])[]): Figure {
  const { peer, store } = pair;
  return {
    what: `${what}, ${store}`,
    unit,
    ours: median(ours ?? []),
    ...(peer === undefined || real === undefined ? {} : { peer: { name: peer.name, value: median(real) } }),
  };
}

/** Measures how many writes a second new servers take. */
async function writes(pair: Pair): Promise<readonly Figure[]> {
  await using owned = new AsyncDisposableStack();
  const servers = await startBoth(pair, owned);
  const figures: Figure[] = [];
  for (const connections of [1, 16]) {
    const rates = await times(ROUNDS, async (round) => {
      const found = [];
      for (const server of servers) {
        await using client = new BenchClient(server, connections);
        found.push(await throughput(client, connections, `written-${connections}-${round}`));
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

/** Measures what new servers need for many objects. Apart from all else: a thorough collection also drops compiled code. */
async function memoryOfMany(pair: Pair): Promise<readonly Figure[]> {
  await using owned = new AsyncDisposableStack();
  const memory: number[][] = [];
  for (const server of await startBoth(pair, owned)) {
    await fill(server);
    memory.push([await server.rssMb()]);
  }
  return [figure(pair, "memory after a collection, with 10,000 ConfigMaps of 2 KB", "MB", memory)];
}

/** Measures what new servers do with many objects and many watches. */
async function crowds(pair: Pair): Promise<readonly Figure[]> {
  await using owned = new AsyncDisposableStack();
  const servers = await startBoth(pair, owned);
  for (const server of servers) await fill(server);
  const lists = await times(LIST_ROUNDS, async () => {
    const found: number[] = [];
    for (const server of servers) found.push(await listing(server));
    return found;
  });
  const events: number[][] = [];
  for (const server of servers) events.push([await fanOut(server)]);
  const listed = servers.map((_server, index) => lists.map((round) => round[index] ?? Number.NaN));
  return [
    figure(pair, "list 10,000 ConfigMaps of 2 KB", "ms", listed),
    figure(pair, "events to 1,000 watches", "ops/s", events),
  ];
}
