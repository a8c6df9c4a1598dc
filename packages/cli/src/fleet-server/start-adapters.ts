import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { InputError } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import type { Broker, PulseRule } from "@levelset/fleet";
import type { StepAdapter } from "@levelset/fleet/adapter";
import { FleetClient } from "@levelset/fleet/client";
import type { TokenSource } from "@levelset/fleet/client";
import { loadDefaultExports } from "../process/index.ts";
import type { Shell } from "../terminal/index.ts";
import { isAssigned } from "./adapter-assignment.ts";
import type { AdapterAssignment } from "./adapter-assignment.ts";
import { readAdapterFiles } from "./read-adapter-files.ts";
import { startStepAdapter, startTaskAdapter } from "./start-adapter.ts";
import type { RunningAdapter } from "./start-adapter.ts";
import type { FleetWorld } from "./start-api.ts";

/** File names in the directory of a YAML adapter. */
const CONFIG = "adapter-config.yaml";
const TASK_CONFIG = "adapter-task-config.yaml";

/** Dependencies that the adapters of a process share. */
export interface AdapterContext {
  readonly broker: Broker;
  readonly rules: readonly PulseRule[];
  /** URL of the fleet API. */
  readonly url: string;
  /** Connection to the cluster of the adapters. */
  readonly cluster: Fetch;
  /** Token for the API, for TypeScript adapters; YAML adapters configure their own. */
  readonly token?: TokenSource;
  readonly world: FleetWorld;
}

/** Running adapters. */
export interface RunningAdapters extends AsyncDisposable {
  readonly assignments: readonly AdapterAssignment[];
}

/**
 * Starts adapters: of module files with adapters as default export, or of directories with an AdapterConfig and an
 * AdapterTaskConfig. Throws an InputError if one cannot be loaded, or if no Sentinel publishes pulses for it.
 */
export async function startAdapters(
  paths: readonly string[],
  context: AdapterContext,
  shell: Shell,
): Promise<RunningAdapters> {
  const running: RunningAdapter[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(running.map((each) => each[Symbol.asyncDispose]()));
  };
  const assignments: AdapterAssignment[] = [];
  try {
    for (const path of paths) {
      const isDirectory = await isDirectoryPath(path, shell);
      for (const start of isDirectory
        ? [taskAdapterIn(path, context, shell)]
        : await stepAdaptersIn(path, context, shell)) {
        const { adapter, resourceType } = start.assignment;
        if (isAssigned(assignments, resourceType, adapter)) {
          throw new InputError(`${path}: the adapter ${adapter} of ${resourceType} is defined twice`, {
            hint: "give each adapter of a kind a unique name",
          });
        }
        running.push(await start.run());
        assignments.push(start.assignment);
      }
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { assignments, [Symbol.asyncDispose]: close };
}

async function isDirectoryPath(path: string, { cwd }: Shell): Promise<boolean> {
  const found = await stat(resolve(cwd, path)).catch(() => undefined);
  if (found === undefined) {
    const hint = `pass a file with adapters as default export, or a directory with ${CONFIG} and ${TASK_CONFIG}`;
    throw new InputError(`${path} does not exist`, { hint });
  }
  return found.isDirectory();
}

/** An adapter that is ready to start. */
interface Startable {
  readonly assignment: AdapterAssignment;
  readonly run: () => Promise<RunningAdapter>;
}

function taskAdapterIn(path: string, context: AdapterContext, shell: Shell): Startable {
  const { broker, rules, url, cluster, world } = context;
  const files = { config: join(path, CONFIG), taskConfig: join(path, TASK_CONFIG) };
  const config = readAdapterFiles({ ...files, setting: [`clients.hyperfleet_api.base_url=${url}`] }, shell);
  for (const note of config.warnings) shell.stderr(`levelset: note: ${note}\n`);
  const { topic, subscription } = config;
  const rule = rules.find((each) => each.topic === topic);
  if (rule === undefined) {
    const topics = rules.map((each) => each.topic).join(", ");
    throw new InputError(`${files.config}: no Sentinel publishes to the topic ${topic}`, {
      hint: `topics of this fleet: ${topics}`,
    });
  }
  return {
    assignment: { adapter: config.adapter.name, resourceType: rule.resourceType },
    run: () => startTaskAdapter(config, { broker, topic, subscription, fetch: cluster }, world),
  };
}

async function stepAdaptersIn(path: string, context: AdapterContext, shell: Shell): Promise<readonly Startable[]> {
  const { broker, rules, url, cluster, world } = context;
  const exported = await loadDefaultExports(path, shell.cwd);
  const adapters = exported.filter(isAdapter);
  if (adapters.length === 0 || adapters.length !== exported.length) {
    throw new InputError(`${path} has no default export with adapters`, {
      hint: "end it with: export default [adapter(Kind, name, [steps])]",
    });
  }
  const { token } = context;
  const fleet = new FleetClient({ url, clock: world.clock, ...(token === undefined ? {} : { token }) });
  return adapters.map((adapter) => {
    const { plural } = adapter.kind;
    const rule = rules.find(({ resourceType }) => resourceType === plural);
    if (rule === undefined)
      throw new InputError(
        `${path}: the adapter ${adapter.name} handles ${plural}, for which no Sentinel publishes pulses`,
      );
    const connections = { broker, topic: rule.topic, subscription: adapter.name, fetch: cluster, fleet };
    return {
      assignment: { adapter: adapter.name, resourceType: plural },
      run: () => startStepAdapter(adapter, connections, world),
    };
  });
}

function isAdapter(value: unknown): value is StepAdapter {
  return typeof value === "object" && value !== null && "kind" in value && "operator" in value && "name" in value;
}
