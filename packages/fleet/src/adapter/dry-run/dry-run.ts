import { InputError, isJsonObject } from "@levelset/core";
import type { Clock, JsonObject, JsonValue, Logger, Random } from "@levelset/core";
import { parseCloudEvent } from "../../broker/index.ts";
import { ApiCaller, runTask } from "../run/index.ts";
import type { TaskOutcome } from "../run/index.ts";
import { parsePulse } from "../serve/index.ts";
import type { AdapterTask } from "../task/index.ts";
import { parseYaml } from "../yaml.ts";
import { DryRunTransport } from "./dry-run-transport.ts";
import { scriptedResponses } from "./scripted-responses.ts";

/** A parsed input file of a dry run. */
export interface InputFile {
  readonly path: string;
  readonly content: JsonValue;
}

/** Inputs of a dry run. */
export interface DryRunInput {
  readonly task: AdapterTask;
  readonly adapter: { readonly name: string; readonly version: string };
  readonly config: JsonObject;
  /** The CloudEvent in structured JSON mode. */
  readonly event: Uint8Array;
  readonly apiResponses: InputFile | undefined;
  /** Existing objects, keyed by rendered name. */
  readonly discovery: InputFile | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly readFile: (path: string) => Promise<string>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Runs a task for one event without side effects: the fleet API is scripted by a file, and clusters are in memory.
 * Rejects with an InputError.
 */
export async function dryRun(input: DryRunInput): Promise<TaskOutcome> {
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
  const discovered = objectsIn(input.discovery);
  const transports = {
    kubernetes: new DryRunTransport("kubernetes", discovered),
    maestro: new DryRunTransport("maestro", discovered),
  };
  const world = { api, transports, template: clock, parseYaml, readFile, env, logger };
  const { data } = parsePulse(parseCloudEvent(input.event));
  return runTask({ task, event: data, adapter, config, signal }, world);
}

function objectsIn(file: InputFile | undefined): ReadonlyMap<string, JsonObject> {
  if (file === undefined) return new Map();
  if (!isJsonObject(file.content)) throw new InputError(`${file.path}: must be a mapping of names to objects`);
  return new Map(
    Object.entries(file.content).map(([name, object]) => {
      if (!isJsonObject(object)) throw new InputError(`${file.path}: ${name}: must be an object`);
      return [name, object];
    }),
  );
}
