import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findAssets } from "../tools/envtest/index.ts";
import type { FoundAssets } from "../tools/envtest/index.ts";
import { tempDirectory } from "../tests/support/temp-directory.ts";
import { BenchClient } from "./apiserver-client.ts";
import type { ServerAccess } from "./apiserver-client.ts";
import { startEmbedded, startKubeApiserver } from "./apiserver-processes.ts";
import { buildPackages } from "./build.ts";
import { kubeconfigText } from "./kubeconfig.ts";
import { createApplySetParent, installBundleCrd } from "./operand/applyset-parent.ts";
import { withLatency } from "./operand/latency-proxy.ts";
import type { Installer } from "./operand/installer.ts";
import { KubectlInstaller } from "./operand/kubectl-installer.ts";
import { installOperandCrds, OperandInstaller } from "./operand/operand-installer.ts";
import { NAMESPACES, manifestSet } from "./operand/manifest-set.ts";
import type { ManifestSetVersion } from "./operand/manifest-set.ts";
import { requestCountsOf } from "./operand/request-counts.ts";
import type { Measurement } from "./report.ts";
import { BenchProcess } from "./runtime/bench-process.ts";
import type { Program } from "./runtime/bench-process.ts";
import { Results } from "./runtime/results.ts";
import { sleep } from "./runtime/with-timeout.ts";

const OURS = "ours";
const ROUNDS = 3;
/** Number of warm-up installations: the server and the operators are long-running, and become faster at first. */
const WARM_ROUNDS = 3;
const POLL_MS = 50;
const IDLE_MS = 10_000;

/** A version of the set, and its description relative to the previous one. */
interface Phase extends ManifestSetVersion {
  readonly what: string;
}

const INSTALL: Phase = { what: "install 1,000 objects in 50 namespaces", changed: 0, dropped: 0 };
const AGAIN: Phase = { what: "the same set again, no changes", changed: 0, dropped: 0 };
const CHANGE: Phase = { what: "change 10 of 1,000", changed: 10, dropped: 0 };
const FAR_MS = 5;
const FAR: Phase = { ...INSTALL, what: `${INSTALL.what}, ${FAR_MS} ms away` };
const CPU = "CPU time to install and remove 1,000 objects";
const PRUNE: Phase = { what: "prune 100 of 1,000", changed: 10, dropped: 100 };

/** A measured program and its phases. */
interface Entrant {
  readonly name: string;
  /** Prefix of names on the cluster. */
  readonly prefix: string;
  readonly rounds: number;
  readonly phases: readonly Phase[];
  readonly start: (prefix: string) => Promise<Installer>;
}

/** The environment of a run. */
interface Place {
  readonly server: ServerAccess;
  readonly client: BenchClient;
  readonly directory: string;
  readonly results: Results;
  /** Whether deleted namespaces are finalized, which requires the namespace controller. */
  readonly isEmptied: boolean;
}

/** A run of the benchmark. */
interface Race extends Place {
  readonly kubeconfig: string;
}

/**
 * Compares Operands with `kubectl apply --server-side` on one embedded server, each from its own process over TLS.
 * kubectl is started for each step, as users do; the Operand operators run all the time. Operands are measured from the
 * write of the Operand until a watch delivers its Ready of that generation. Rounds are interleaved; the operators run
 * from the built packages.
 */
export async function operand(args: readonly string[]): Promise<readonly Measurement[]> {
  buildPackages();
  const directory = (await tempDirectory()).path;
  const results = new Results(OURS);
  try {
    await (args.includes("--real") ? onReal(directory, results) : onOurs(directory, results));
    return results.figures();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function onOurs(directory: string, results: Results): Promise<void> {
  await using server = await startEmbedded();
  await using client = new BenchClient(server, 16);
  await installOperandCrds(client);
  await installBundleCrd(client);
  await nearby({ server, client, directory, results, isEmptied: true });
  await using far = await withLatency(server, FAR_MS);
  await faraway({ server: far, client, directory, results, isEmptied: true });
}

/** Measures only the installation, against kube-apiserver with etcd. */
async function onReal(directory: string, results: Results): Promise<void> {
  const assets = await findAssets({ env: process.env });
  if (assets.kind === "absent") throw new Error(assets.line);
  await using server = await startKubeApiserver(assets);
  await using client = new BenchClient(server, 16);
  await installOperandCrds(client);
  const race = await entered({ server, client, directory, results, isEmptied: false });
  const us = entrantOfOurs(race, [INSTALL]);
  const peers = plainKubectls(race, assets, [INSTALL]);
  await using operators = await BenchProcess.start(operatorProgram(), "operands", race.kubeconfig);
  await warmUp(race, us, "real");
  const cpuMs = await operators.cpuMs();
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const entrant of [us, ...peers]) {
      await race.results.attempt(entrant.name, () => compete(race, entrant, `real-${round}`));
    }
  }
  results.add(CPU, "ms", OURS, ((await operators.cpuMs()) - cpuMs) / ROUNDS);
}

/** Measures all phases without added latency. */
async function nearby(place: Place): Promise<void> {
  const race = await entered(place);
  const us = entrantOfOurs(race, [INSTALL, AGAIN, CHANGE, PRUNE]);
  const peers = await kubectls(race);
  await using operators = await BenchProcess.start(operatorProgram(), "operands", race.kubeconfig);
  await warmUp(race, us, "near");
  for (let round = 1; round <= ROUNDS; round += 1) {
    await compete(race, us, `near-${round}`, round === ROUNDS ? operators : undefined);
    for (const peer of peers.filter(({ rounds }) => round <= rounds)) {
      await race.results.attempt(peer.name, () => compete(race, peer, `near-${round}`));
    }
  }
}

/** Measures only the installation, with the usual latency of a remote cluster. */
async function faraway(place: Place): Promise<void> {
  const race = await entered(place);
  const us = entrantOfOurs(race, [FAR]);
  const peers = (await kubectls(race)).filter(({ rounds }) => rounds > 1);
  await using operators = await BenchProcess.start(operatorProgram(), "operands", race.kubeconfig);
  await warmUp(race, us, "far");
  const cpuMs = await operators.cpuMs();
  for (const entrant of [us, ...peers]) {
    await race.results.attempt(entrant.name, () => compete(race, { ...entrant, phases: [FAR] }, "far"));
  }
  race.results.add(CPU, "ms", OURS, (await operators.cpuMs()) - cpuMs);
}

async function warmUp(race: Race, us: Entrant, where: string): Promise<void> {
  const installing = { ...us, phases: [INSTALL] };
  for (let round = 1; round <= WARM_ROUNDS; round += 1) {
    await compete({ ...race, results: new Results(OURS) }, installing, `${where}-warm-${round}`);
  }
}

/** Writes a kubeconfig for the server. */
async function entered(place: Place): Promise<Race> {
  const kubeconfig = join(place.directory, `kubeconfig-${new URL(place.server.url).port}`);
  await writeFile(kubeconfig, kubeconfigText(place.server), { mode: 0o600 });
  return { ...place, kubeconfig };
}

/** Runs without the `levelset-source` condition, so that the built packages are used. */
function operatorProgram(): Program {
  const file = fileURLToPath(new URL("operand/operand-process.mjs", import.meta.url));
  return { name: OURS, command: process.execPath, args: ["--expose-gc", file], modes: ["operands"] };
}

function entrantOfOurs({ server }: Race, phases: readonly Phase[]): Entrant {
  const start = (prefix: string): Promise<Installer> => OperandInstaller.start(prefix, server);
  return { name: OURS, prefix: "ours", rounds: ROUNDS, phases, start };
}

/** Returns the available peers. kubectl prunes only with an ApplySet, which takes minutes, so that is measured once. */
async function kubectls(race: Race): Promise<readonly Entrant[]> {
  const assets = await findAssets({ env: process.env });
  if (assets.kind === "absent") {
    console.warn(assets.line);
    return [];
  }
  const withApplySet = async (prefix: string): Promise<Installer> =>
    kubectl(race, assets, await createApplySetParent(race.client, prefix));
  return [
    ...plainKubectls(race, assets, [INSTALL, AGAIN, CHANGE]),
    {
      name: "the same with --prune and an ApplySet",
      prefix: "applyset",
      rounds: 1,
      phases: [INSTALL, PRUNE],
      start: withApplySet,
    },
  ];
}

/** Returns kubectl with default options, and without validation. */
function plainKubectls(race: Race, assets: FoundAssets, phases: readonly Phase[]): readonly Entrant[] {
  const entrant = (name: string, prefix: string, args: readonly string[]): Entrant => ({
    name,
    prefix,
    rounds: ROUNDS,
    phases,
    start: async () => kubectl(race, assets, args),
  });
  return [
    entrant("kubectl apply --server-side", "kubectl", []),
    entrant("the same with --validate=false", "unvalidated", ["--validate=false"]),
  ];
}

function kubectl({ directory, kubeconfig }: Race, assets: FoundAssets, args: readonly string[]): KubectlInstaller {
  return new KubectlInstaller({ kubectl: join(assets.directory, "kubectl"), kubeconfig, directory, args });
}

/** Runs the phases of a program, counts the requests to the server, and cleans up. */
async function compete(race: Race, entrant: Entrant, round: string, operators?: BenchProcess): Promise<void> {
  const { client, results } = race;
  const { name, phases } = entrant;
  const prefix = `${entrant.prefix}-${round}`;
  {
    await using installer = await entrant.start(prefix);
    for (const phase of phases) {
      const before = await requestCountsOf(client);
      const ms = await installer.apply(manifestSet(prefix, phase));
      const after = await requestCountsOf(client);
      results.add(phase.what, "ms", name, ms);
      results.add(`${phase.what}: requests`, "requests", name, after.requests - before.requests);
      results.add(`${phase.what}: writes`, "requests", name, after.writes - before.writes);
    }
    if (operators !== undefined) await idle(race, operators);
  }
  if (race.isEmptied) await removeNamespaces(client, prefix);
}

/** Measures the cost of an idle set. */
async function idle({ client, results }: Race, operators: BenchProcess): Promise<void> {
  const [before, cpuMs] = [await requestCountsOf(client), await operators.cpuMs()];
  await sleep(IDLE_MS);
  const after = await requestCountsOf(client);
  const during = `${IDLE_MS / 1000} s without changes`;
  results.add(`requests in ${during}`, "requests", OURS, after.requests - before.requests);
  results.add(`CPU time in ${during}`, "ms", OURS, (await operators.cpuMs()) - cpuMs);
  results.add("memory with 900 managed objects", "MB", OURS, await operators.rssMb());
}

async function removeNamespaces(client: BenchClient, prefix: string): Promise<void> {
  const names = Array.from({ length: NAMESPACES }, (_, index) => `${prefix}-${index}`);
  await Promise.all(names.map((name) => client.send("DELETE", `/api/v1/namespaces/${name}`)));
  for (;;) {
    const { items } = JSON.parse(await client.send("GET", "/api/v1/namespaces")) as {
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
    };
    if (!items.some(({ metadata }) => names.includes(metadata.name))) return;
    await sleep(POLL_MS);
  }
}
