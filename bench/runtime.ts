import { spawnSync } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findAssets } from "../tools/envtest/index.ts";
import { tempDirectory } from "../tests/support/temp-directory.ts";
import { startEmbedded, startKubeApiserver } from "./apiserver-processes.ts";
import type { BenchServer } from "./apiserver-processes.ts";
import { buildPackages } from "./build.ts";
import { kubeconfigText } from "./kubeconfig.ts";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";
import { BenchProcess } from "./runtime/bench-process.ts";
import type { Program } from "./runtime/bench-process.ts";
import { Load } from "./runtime/load.ts";
import { buildPrograms } from "./runtime/programs.ts";
import { Results } from "./runtime/results.ts";
import { sleep } from "./runtime/with-timeout.ts";

const START_ROUNDS = 3;
const RECONCILE_ROUNDS = 5;
const QUEUE_ROUNDS = 3;
const SIZES = [0, 1000, 10_000] as const;
const CREATED = 1000;
const EDITED = 200;
const IDLE_MS = 30_000;

/** A run: its server, its events and its result. */
interface Race {
  readonly contestants: readonly Program[];
  readonly load: Load;
  readonly kubeconfig: string;
  readonly results: Results;
}

/**
 * Compares the runtime with its peers, each in its own process over TLS against one server: the embedded server, or
 * kube-apiserver with etcd for `--real`. Rounds are interleaved, so that noise affects all programs alike. The runtime
 * runs from the built packages. A peer that fails is skipped for that measurement, with a message.
 */
export async function runtime(args: readonly string[]): Promise<readonly Measurement[]> {
  buildPackages();
  const programs = await buildPrograms();
  const directory = (await tempDirectory()).path;
  try {
    await using server = await startServer(args.includes("--real"));
    await using load = await Load.start(server);
    const kubeconfig = join(directory, "kubeconfig");
    await writeFile(kubeconfig, kubeconfigText(server), { mode: 0o600 });
    const results = new Results(programs.ours.name);
    const race = { contestants: [programs.ours, ...programs.peers], load, kubeconfig, results };
    for (const size of SIZES) await coldStarts(race, size);
    // The first round is a warm-up of the server.
    await reconciliations({ ...race, contestants: [programs.ours], results: new Results(programs.ours.name) }, false);
    for (let round = 1; round <= RECONCILE_ROUNDS; round += 1) await reconciliations(race, round === RECONCILE_ROUNDS);
    for (let round = 0; round < QUEUE_ROUNDS; round += 1) queues(results, programs.go);
    return results.figures();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function startServer(isReal: boolean): Promise<BenchServer> {
  if (!isReal) return startEmbedded();
  const assets = await findAssets({ env: process.env });
  if (assets.kind === "absent") throw new Error(assets.line);
  return startKubeApiserver(assets);
}

/** W1: time and memory until a number of ConfigMaps is cached. */
async function coldStarts({ contestants, load, kubeconfig, results }: Race, size: number): Promise<void> {
  await load.configMaps(size);
  const what = `${size.toLocaleString("en")} ConfigMaps of 2 KB`;
  for (let round = 0; round < START_ROUNDS; round += 1) {
    for (const program of contestants) {
      await results.attempt(program.name, async () => {
        await using contestant = await BenchProcess.start(program, "configmaps", kubeconfig);
        const { objects, startMs, syncMs } = contestant;
        if (objects < size) throw new Error(`it has ${objects} objects instead of ${size}`);
        results.add(`W1 from process start until ${what} are cached`, "ms", program.name, startMs);
        results.add(`W1 from loaded code until ${what} are cached`, "ms", program.name, syncMs);
        results.add(`W1 memory with ${what} cached`, "MB", program.name, await contestant.rssMb());
      });
    }
  }
}

/** W2 to W4: many new objects until Ready, latency of edits, and idle cost. */
async function reconciliations({ contestants, load, kubeconfig, results }: Race, isLast: boolean): Promise<void> {
  for (const program of contestants.filter(({ modes }) => modes.includes("divisions"))) {
    await results.attempt(program.name, async () => {
      await using contestant = await BenchProcess.start(program, "divisions", kubeconfig);
      // The first object is not measured: it shows that the program watches and reconciles.
      await load.create(1);
      await load.clear();
      const ms = await load.create(CREATED);
      results.add(
        `W2 objects from creation to Ready, ${CREATED} at once`,
        "ops/s",
        program.name,
        (CREATED * 1000) / ms,
      );
      const edits = (await load.edit(EDITED)).toSorted((a, b) => a - b);
      results.add("W3 from edit to status, median", "ms", program.name, median(edits));
      results.add(
        "W3 from edit to status, p99",
        "ms",
        program.name,
        edits[Math.floor(edits.length * 0.99)] ?? Number.NaN,
      );
      if (isLast) await idle({ program, contestant, load, results });
    });
    await load.clear();
  }
}

async function idle(run: {
  readonly program: Program;
  readonly contestant: BenchProcess;
  readonly load: Load;
  readonly results: Results;
}): Promise<void> {
  const { program, contestant, load, results } = run;
  const [requests, cpuMs] = [await load.requests(), await contestant.cpuMs()];
  await sleep(IDLE_MS);
  const seconds = IDLE_MS / 1000;
  results.add(`W4 CPU time in ${seconds} s without changes`, "ms", program.name, (await contestant.cpuMs()) - cpuMs);
  results.add(
    `W4 requests in ${seconds} s without changes`,
    "requests",
    program.name,
    (await load.requests()) - requests,
  );
  results.add("W4 memory with 1,000 objects reconciled", "MB", program.name, await contestant.rssMb());
}

/** W10: the queue alone. */
function queues(results: Results, go: string | undefined): void {
  const what = "W10 queue, one operation";
  const ours = fileURLToPath(new URL("runtime/queue.mjs", import.meta.url));
  results.add(what, "µs", "ours", printed(process.execPath, [ours]));
  if (go !== undefined) results.add(what, "µs", "client-go", printed(go, ["queue"]));
}

function printed(command: string, args: readonly string[]): number {
  const { status, stdout } = spawnSync(command, args, {
    encoding: "utf8",
    timeout: 60_000,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`${command} failed`);
  return Number(stdout);
}
