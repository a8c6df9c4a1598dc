import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createApiServer } from "@levelset/apiserver";
import { realClock, realRandom, silentLogger } from "@levelset/core";
import { scratch } from "../tests/support/scratch.ts";
import { untilReady } from "./fleet-ready.ts";
import { median } from "./report.ts";
import type { Figure } from "./report.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const ROUNDS = 7;

/** How long it takes until something useful has happened. The peer of each process is a Node that does nothing. */
export async function startup(): Promise<readonly Figure[]> {
  const directory = (await scratch()).path;
  try {
    const launcher = join(ROOT, "packages/cli/bin/levelset.cjs");
    const kubeconfig = ["--kubeconfig", join(directory, "kubeconfig")];
    const example = ["examples/01-simple/simple.ts", "--apply", "examples/01-simple/sample.yaml"];
    const server = await rounds(() => untilSaid([launcher, "apiserver", ...kubeconfig], /Ctrl-C/u));
    const dev = await rounds(() => untilSaid([launcher, "dev", ...example, ...kubeconfig], /✓ ready/u));
    const beside = ["--adapters", "examples/06-fleet/validation", "--adapters", "examples/06-fleet/fleet.ts"];
    const start = ["examples/start/start.ts", "--apply", "examples/start/sample.yaml", ...beside];
    const whole = await rounds(() =>
      untilSaid([launcher, "dev", ...start, ...kubeconfig], /Operand greeter {2}✓ ready/u),
    );
    const fleet = await rounds(() => untilSaid([launcher, "dev", ...beside, ...kubeconfig], /Try the fleet/u));
    const ready = median(await untilReady([launcher, "dev", ...beside, ...kubeconfig], ROOT, ROUNDS));
    const peer = { name: "node -e 0", value: await rounds(() => untilSaid(["-e", "console.log('up')"], /up/u)) };
    return [
      { what: "createApiServer in process, after import", unit: "ms", ours: await rounds(inProcess) },
      { what: "levelset apiserver until it listens", unit: "ms", ours: server, peer },
      { what: "levelset dev until an object is Ready", unit: "ms", ours: dev, peer },
      { what: "levelset dev until a fleet with 6 adapters takes declarations", unit: "ms", ours: fleet, peer },
      { what: "there, from a cluster's declaration until four adapters made it Ready", unit: "ms", ours: ready },
      { what: "npm start, without npm, until its Operand is Ready", unit: "ms", ours: whole, peer },
    ];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function rounds(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await measure());
  return median(times);
}

async function inProcess(): Promise<number> {
  const start = performance.now();
  const server = createApiServer({ clock: realClock, random: realRandom, logger: silentLogger });
  const response = await server.fetch(new Request("http://cluster.invalid/readyz"));
  await response.text();
  const took = performance.now() - start;
  server.close();
  return took;
}

/** Milliseconds from starting Node with these arguments until its output matches. */
async function untilSaid(args: readonly string[], pattern: RegExp): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, [...args], { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  let output = "";
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (pattern.test(output)) break;
  }
  const took = performance.now() - start;
  child.kill("SIGTERM");
  await ended;
  if (!pattern.test(output)) throw new Error(`it ended without saying ${pattern}: ${output}`);
  return took;
}
