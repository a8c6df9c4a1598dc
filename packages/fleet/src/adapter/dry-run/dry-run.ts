import { InputError, isJsonObject } from "@levelset/core";
import type { Clock, JsonObject, JsonValue, Logger, Random } from "@levelset/core";
import { parseEvent } from "../../broker/index.ts";
import { ApiCaller, runTask } from "../run/index.ts";
import type { RunOutcome } from "../run/index.ts";
import { readPulse } from "../serve/index.ts";
import type { AdapterTask } from "../task/index.ts";
import { parseYaml } from "../yaml.ts";
import { DryTransport } from "./dry-transport.ts";
import { scriptedResponses } from "./scripted-responses.ts";

/** A file that a dry run was given, parsed. */
export interface GivenFile {
  readonly path: string;
  readonly content: JsonValue;
}

/** What a dry run is made of. */
export interface DryRunInput {
  readonly task: AdapterTask;
  readonly adapter: { readonly name: string; readonly version: string };
  readonly config: JsonObject;
  /** The event, as structured JSON. */
  readonly event: Uint8Array;
  readonly apiResponses: GivenFile | undefined;
  /** Objects by their rendered name. */
  readonly discovery: GivenFile | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly readFile: (path: string) => Promise<string>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Runs a task for one event without touching anything: the API answers from a file, and clusters are in memory. Throws an InputError. */
export async function dryRun(input: DryRunInput): Promise<RunOutcome> {
  const { task, adapter, config, clock, random, apiResponses, env, readFile, logger, signal } = input;
  const api = new ApiCaller({
    baseUrl: "http://dry-run.invalid",
    version: "v1",
    headers: {},
    token: () => Promise.resolve(undefined),
    timeoutMs: 10_000,
    attemptsMax: 1,
    backoff: "constant",
    baseDelayMs: 1,
    maxDelayMs: 1,
    fetch: scriptedResponses(apiResponses?.path ?? "", apiResponses?.content ?? { responses: [] }),
    clock,
    random,
  });
  const given = objectsIn(input.discovery);
  const transports = { kubernetes: new DryTransport("kubernetes", given), maestro: new DryTransport("maestro", given) };
  const world = { api, transports, template: clock, parseYaml, readFile, env, logger };
  const { data } = readPulse(parseEvent(input.event));
  return runTask({ task, event: data, adapter, config, signal }, world);
}

function objectsIn(file: GivenFile | undefined): ReadonlyMap<string, JsonObject> {
  if (file === undefined) return new Map();
  if (!isJsonObject(file.content)) throw new InputError(`${file.path}: must be a mapping of names to objects`);
  return new Map(
    Object.entries(file.content).map(([name, object]) => {
      if (!isJsonObject(object)) throw new InputError(`${file.path}: ${name}: must be an object`);
      return [name, object];
    }),
  );
}
