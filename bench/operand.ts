import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findAssets } from "../tools/envtest/index.ts";
import type { FoundAssets } from "../tools/envtest/index.ts";
import { scratch } from "../tests/support/scratch.ts";
import { BenchClient } from "./apiserver-client.ts";
import type { Reachable } from "./apiserver-client.ts";
import { startOurs, startReal } from "./apiserver-target.ts";
import { buildPackages } from "./build.ts";
import { kubeconfigText } from "./kubeconfig.ts";
import { createBundle, declareBundles } from "./operand/bundle.ts";
import { atDistance } from "./operand/distance.ts";
import type { Installer } from "./operand/installer.ts";
import { KubectlInstaller } from "./operand/kubectl-installer.ts";
import { declareOperands, OperandInstaller } from "./operand/operand-installer.ts";
import { NAMESPACES, setOf } from "./operand/set.ts";
import type { SetVersion } from "./operand/set.ts";
import { trafficOf } from "./operand/traffic.ts";
import type { Figure } from "./report.ts";
import { Contestant } from "./runtime/contestant.ts";
import type { Program } from "./runtime/contestant.ts";
import { Results } from "./runtime/results.ts";
import { elapsed } from "./runtime/within.ts";

const OURS = "ours";
const ROUNDS = 3;
/** How often a set is installed before anything counts: the server and our operators run for long, and get faster for a while. */
const WARM_ROUNDS = 3;
const POLL_MS = 50;
const IDLE_MS = 10_000;

/** A version of the set, and what it is to the one before. */
interface Phase extends SetVersion {
  readonly what: string;
}

const INSTALL: Phase = { what: "install 1,000 objects in 50 namespaces", changed: 0, dropped: 0 };
const AGAIN: Phase = { what: "the same again, nothing to do", changed: 0, dropped: 0 };
const CHANGE: Phase = { what: "change 10 of 1,000", changed: 10, dropped: 0 };
const FAR_MS = 5;
const FAR: Phase = { ...INSTALL, what: `${INSTALL.what}, ${FAR_MS} ms away` };
const CPU = "CPU time to install and remove 1,000 objects";
const PRUNE: Phase = { what: "prune 100 of 1,000", changed: 10, dropped: 100 };

/** Who is measured, and at what. */
interface Entrant {
  readonly name: string;
  /** A text for names on the cluster. */
  readonly prefix: string;
  readonly rounds: number;
  readonly phases: readonly Phase[];
  readonly start: (prefix: string) => Promise<Installer>;
}

/** Where it happens. */
interface Place {
  readonly server: Reachable;
  readonly client: BenchClient;
  readonly directory: string;
  readonly results: Results;
  /** Whether a namespace that is deleted goes. Somebody must empty it for that. */
  readonly isEmptied: boolean;
}

/** A run. */
interface Race extends Place {
  readonly kubeconfig: string;
}

/**
 * Operands against `kubectl apply --server-side`, on one embedded server in one run, each from a process of its own over TLS. A kubectl
 * is started for each step, as people do; the operators of Operand run all the time, as they do. Ours is measured from the write of the
 * Operand until its Ready of that generation is seen by a watch. Rounds are interleaved; ours runs what was built.
 */
export async function operand(args: readonly string[]): Promise<readonly Figure[]> {
  buildPackages();
  const directory = (await scratch()).path;
  const results = new Results(OURS);
  try {
    await (args.includes("--real") ? onReal(directory, results) : onOurs(directory, results));
    return results.figures();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function onOurs(directory: string, results: Results): Promise<void> {
  await using server = await startOurs();
  await using client = new BenchClient(server, 16);
  await declareOperands(client);
  await declareBundles(client);
  await nearby({ server, client, directory, results, isEmptied: true });
  await using far = await atDistance(server, FAR_MS);
  await faraway({ server: far, client, directory, results, isEmptied: true });
}

/** The same against kube-apiserver with etcd, which has its own processes and its own share of the machine. Installing alone. */
async function onReal(directory: string, results: Results): Promise<void> {
  const assets = await findAssets({ env: process.env });
  if (assets.kind === "absent") throw new Error(assets.line);
  await using server = await startReal(assets);
  await using client = new BenchClient(server, 16);
  await declareOperands(client);
  const race = await entered({ server, client, directory, results, isEmptied: false });
  const us = entrantOfOurs(race, [INSTALL]);
  const peers = plainKubectls(race, assets, [INSTALL]);
  await using operators = await Contestant.start(operatorProgram(), "operands", race.kubeconfig);
  await warmUp(race, us, "real");
  const cpuMs = await operators.cpuMs();
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const entrant of [us, ...peers]) {
      await race.results.attempt(entrant.name, () => compete(race, entrant, `real-${round}`));
    }
  }
  results.add(CPU, "ms", OURS, ((await operators.cpuMs()) - cpuMs) / ROUNDS);
}

/** All phases, right beside the server. */
async function nearby(place: Place): Promise<void> {
  const race = await entered(place);
  const us = entrantOfOurs(race, [INSTALL, AGAIN, CHANGE, PRUNE]);
  const peers = await kubectls(race);
  await using operators = await Contestant.start(operatorProgram(), "operands", race.kubeconfig);
  await warmUp(race, us, "near");
  for (let round = 1; round <= ROUNDS; round += 1) {
    await compete(race, us, `near-${round}`, round === ROUNDS ? operators : undefined);
    for (const peer of peers.filter(({ rounds }) => round <= rounds)) {
      await race.results.attempt(peer.name, () => compete(race, peer, `near-${round}`));
    }
  }
}

/** Installing alone, from as far away as clusters usually are. */
async function faraway(place: Place): Promise<void> {
  const race = await entered(place);
  const us = entrantOfOurs(race, [FAR]);
  const peers = (await kubectls(race)).filter(({ rounds }) => rounds > 1);
  await using operators = await Contestant.start(operatorProgram(), "operands", race.kubeconfig);
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

/** The way to the server for all who run. */
async function entered(place: Place): Promise<Race> {
  const kubeconfig = join(place.directory, `kubeconfig-${new URL(place.server.url).port}`);
  await writeFile(kubeconfig, kubeconfigText(place.server), { mode: 0o600 });
  return { ...place, kubeconfig };
}

/** Without our condition for sources, so that it runs what was built. */
function operatorProgram(): Program {
  const file = fileURLToPath(new URL("operand/ours.mjs", import.meta.url));
  return { name: OURS, command: process.execPath, args: ["--expose-gc", file], modes: ["operands"] };
}

function entrantOfOurs({ server }: Race, phases: readonly Phase[]): Entrant {
  const start = (prefix: string): Promise<Installer> => OperandInstaller.start(prefix, server);
  return { name: OURS, prefix: "ours", rounds: ROUNDS, phases, start };
}

/** The peers that can be had here. Only with an ApplySet does kubectl prune, which takes it minutes: once is enough. */
async function kubectls(race: Race): Promise<readonly Entrant[]> {
  const assets = await findAssets({ env: process.env });
  if (assets.kind === "absent") {
    console.warn(assets.line);
    return [];
  }
  const withApplySet = async (prefix: string): Promise<Installer> =>
    kubectl(race, assets, await createBundle(race.client, prefix));
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

/** kubectl as people call it, and without its look at what the server can validate. */
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

/** Goes through the phases of an entrant, counts what the server was asked, and cleans up. */
async function compete(race: Race, entrant: Entrant, round: string, operators?: Contestant): Promise<void> {
  const { client, results } = race;
  const { name, phases } = entrant;
  const prefix = `${entrant.prefix}-${round}`;
  {
    await using installer = await entrant.start(prefix);
    for (const phase of phases) {
      const before = await trafficOf(client);
      const ms = await installer.apply(setOf(prefix, phase));
      const after = await trafficOf(client);
      results.add(phase.what, "ms", name, ms);
      results.add(`${phase.what}: requests`, "requests", name, after.requests - before.requests);
      results.add(`${phase.what}: writes`, "requests", name, after.writes - before.writes);
    }
    if (operators !== undefined) await idle(race, operators);
  }
  if (race.isEmptied) await removeNamespaces(client, prefix);
}

/** What it costs to keep a set at which nothing happens. */
async function idle({ client, results }: Race, operators: Contestant): Promise<void> {
  const [before, cpuMs] = [await trafficOf(client), await operators.cpuMs()];
  await elapsed(IDLE_MS);
  const after = await trafficOf(client);
  const during = `${IDLE_MS / 1000} s without changes`;
  results.add(`requests in ${during}`, "requests", OURS, after.requests - before.requests);
  results.add(`CPU time in ${during}`, "ms", OURS, (await operators.cpuMs()) - cpuMs);
  results.add("memory with 900 objects kept", "MB", OURS, await operators.rssMb());
}

async function removeNamespaces(client: BenchClient, prefix: string): Promise<void> {
  const names = Array.from({ length: NAMESPACES }, (_, index) => `${prefix}-${index}`);
  await Promise.all(names.map((name) => client.send("DELETE", `/api/v1/namespaces/${name}`)));
  for (;;) {
    const { items } = JSON.parse(await client.send("GET", "/api/v1/namespaces")) as {
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
    };
    if (!items.some(({ metadata }) => names.includes(metadata.name))) return;
    await elapsed(POLL_MS);
  }
}
