import { readFile } from "node:fs/promises";
import { loadAll } from "js-yaml";
import { operandManager } from "@levelset/operator";
import type { Manifest, SimulatedProgram } from "@levelset/simulation";
import { Campaign } from "@levelset/simulation/internal";
import serviceWithDb from "../examples/03-service-with-db/service-with-db.ts";
import simple from "../examples/01-simple/simple.ts";
import type { JsonObject } from "@levelset/core";
import type { Measurement } from "./report.ts";

const EXAMPLES = new URL("../examples/", import.meta.url);
/** A command simulates 1000 histories by default, so the optimizing compiler of Node has done its work by then. */
const WARM_UP = 20;
const HISTORIES = 60;
const OBJECTS = 20;

/** Measures how many histories a core simulates in a second, each of about three worlds, by the CPU time of the process. */
export async function simulate(): Promise<readonly Measurement[]> {
  const objects = Array.from({ length: OBJECTS }, (_, index) => configMap(index));
  const operand = {
    apiVersion: "operand.levelset.dev/v1alpha1",
    kind: "Operand",
    metadata: { name: "set" },
    spec: { steadyState: objects },
  };
  return [
    await measured("Simple", simple, await samplesOf("01-simple")),
    await measured("ServiceWithDB", serviceWithDb, await samplesOf("03-service-with-db")),
    await measured(`an Operand of ${OBJECTS} objects`, operandManager, [operand]),
  ];
}

async function samplesOf(example: string): Promise<readonly Manifest[]> {
  return loadAll(await readFile(new URL(`${example}/sample.yaml`, EXAMPLES), "utf8")) as Manifest[]; // our own examples
}

function configMap(index: number): JsonObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `c-${index}`, namespace: "default" },
    data: { index: `${index}` },
  };
}

async function measured(what: string, program: SimulatedProgram, samples: readonly Manifest[]): Promise<Measurement> {
  const campaign = await Campaign.prepare(program, { samples });
  for (let seed = 0; seed < WARM_UP; seed++) await campaign.runSeed(seed);
  const before = process.cpuUsage();
  for (let seed = 0; seed < HISTORIES; seed++) await campaign.runSeed(WARM_UP + seed);
  const { user, system } = process.cpuUsage(before);
  return { what: `histories of ${what} per second and core`, unit: "ops/s", ours: (HISTORIES * 1e6) / (user + system) };
}
