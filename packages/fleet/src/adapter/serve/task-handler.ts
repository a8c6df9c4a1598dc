import type { JsonObject } from "@levelset/core";
import { runTask } from "../run/index.ts";
import type { RunWorld } from "../run/index.ts";
import type { AdapterTask } from "../task/index.ts";
import type { PulseHandler } from "./adapter-server.ts";
import { StartedWork } from "./started-work.ts";

/** Maximum number of remembered resources. */
const RESOURCES_MAX = 10_000;

/** Options of {@link taskHandler}. */
export interface TaskHandlerOptions {
  readonly task: AdapterTask;
  readonly adapter: { readonly name: string; readonly version: string };
  /** The adapter's configuration without secrets. */
  readonly config: JsonObject;
  readonly world: RunWorld;
}

/** Returns the pulse handler of an adapter configured in YAML. */
export function taskHandler({ task, adapter, config, world }: TaskHandlerOptions): PulseHandler {
  const started = new StartedWork(RESOURCES_MAX);
  return async ({ id, data, trigger }, signal) => {
    const wasStarted = (generation: number): boolean => started.has(id, generation);
    const outcome = await runTask({ task, event: data, adapter, trigger, wasStarted, config, signal }, world);
    if (outcome.started !== undefined) started.set(id, outcome.started);
    return outcome;
  };
}
