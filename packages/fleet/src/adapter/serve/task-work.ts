import type { JsonObject } from "@levelset/core";
import { runTask } from "../run/index.ts";
import type { RunWorld } from "../run/index.ts";
import type { AdapterTask } from "../task/index.ts";
import type { Work } from "./adapter-server.ts";
import { StartedWork } from "./started-work.ts";

/** How many resources are remembered. */
const RESOURCES_MAX = 10_000;

/** What a task is run with. */
export interface TaskWorkOptions {
  readonly task: AdapterTask;
  readonly adapter: { readonly name: string; readonly version: string };
  /** The adapter's configuration, without anything secret. */
  readonly config: JsonObject;
  readonly world: RunWorld;
}

/** The work of an adapter that is configured in YAML. */
export function taskWork({ task, adapter, config, world }: TaskWorkOptions): Work {
  const started = new StartedWork(RESOURCES_MAX);
  return async ({ id, data, trigger }, signal) => {
    const wasStarted = (generation: number): boolean => started.has(id, generation);
    const outcome = await runTask({ task, event: data, adapter, trigger, wasStarted, config, signal }, world);
    if (outcome.started !== undefined) started.set(id, outcome.started);
    return outcome;
  };
}
