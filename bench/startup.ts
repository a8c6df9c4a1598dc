import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createApiServer } from "@levelset/apiserver";
import { realClock, realRandom, silentLogger } from "@levelset/core";
import { tempDirectory } from "../tests/support/temp-directory.ts";
import { measureTimeToReady } from "./fleet-ready.ts";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const ROUNDS = 7;

/** Measures start-up times. The peer of each process is an empty Node program. */
export async function startup(): Promise<readonly Measurement[]> {
  const directory = (await tempDirectory()).path;
  try {
    const launcher = join(ROOT, "packages/cli/bin/levelset.cjs");
    const kubeconfig = ["--kubeconfig", join(directory, "kubeconfig")];
    const example = ["examples/01-simple/simple.ts", "--apply", "examples/01-simple/sample.yaml"];
    const server = await rounds(() => untilOutput([launcher, "apiserver", ...kubeconfig], /Ctrl-C/u));
    const dev = await rounds(() => untilOutput([launcher, "dev", ...example, ...kubeconfig], /✓ Ready/u));
    const beside = ["--adapters", "examples/06-fleet/validation", "--adapters", "examples/06-fleet/fleet.ts"];
    const start = ["examples/start/start.ts", "--apply", "examples/start/sample.yaml", ...beside];
    const whole = await rounds(() =>
      untilOutput([launcher, "dev", ...start, ...kubeconfig], /Operand greeter {2}✓ Ready/u),
    );
    const fleet = await rounds(() => untilOutput([launcher, "dev", ...beside, ...kubeconfig], /Try the fleet/u));
    const ready = median(await measureTimeToReady([launcher, "dev", ...beside, ...kubeconfig], ROOT, ROUNDS));
    const peer = { name: "node -e 0", value: await rounds(() => untilOutput(["-e", "console.log('up')"], /up/u)) };
    return [
      { what: "createApiServer in process, after import", unit: "ms", ours: await rounds(inProcess) },
      { what: "levelset apiserver until it listens", unit: "ms", ours: server, peer },
      { what: "levelset dev until an object is Ready", unit: "ms", ours: dev, peer },
      { what: "levelset dev until a fleet with 6 adapters accepts resources", unit: "ms", ours: fleet, peer },
      { what: "with it, from the creation of a cluster until four adapters made it Ready", unit: "ms", ours: ready },
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

/** Returns the milliseconds from starting Node with these arguments until its output matches. */
async function untilOutput(args: readonly string[], pattern: RegExp): Promise<number> {
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
  if (!pattern.test(output)) throw new Error(`the process ended without the output ${pattern}: ${output}`);
  return took;
}
