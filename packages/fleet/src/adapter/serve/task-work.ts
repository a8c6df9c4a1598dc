import type { JsonObject } from "@levelset/core";
import { runTask } from "../run/index.ts";
import type { RunWorld } from "../run/index.ts";
import type { AdapterTask } from "../task/index.ts";
import type { Work } from "./adapter-server.ts";

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
  return ({ data }, signal) => runTask({ task, event: data, adapter, config, signal }, world);
}
