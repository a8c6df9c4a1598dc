import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { InputError } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import type { Broker, PulseRule } from "@levelset/fleet";
import type { StepAdapter } from "@levelset/fleet/adapter";
import { FleetClient } from "@levelset/fleet/client";
import type { TokenSource } from "@levelset/fleet/client";
import { loadDefaults } from "../load.ts";
import type { Shell } from "../shell.ts";
import { readAdapterFiles } from "./run-adapter.ts";
import type { RunningAdapter } from "./running-adapters.ts";
import { startStepAdapter, startTaskAdapter } from "./running-adapters.ts";
import type { FleetWorld } from "./running-api.ts";

/** The files of an adapter that is configured, in a directory of its own. */
const CONFIG = "adapter-config.yaml";
const TASK_CONFIG = "adapter-task-config.yaml";

/** What adapters of this process share with the fleet in it. */
export interface AdapterSurroundings {
  readonly broker: Broker;
  readonly rules: readonly PulseRule[];
  /** Where the API is. */
  readonly url: string;
  /** The cluster that they work in. */
  readonly cluster: Fetch;
  /** The token for the API, for adapters made of steps; those in YAML say theirs themselves. */
  readonly token?: TokenSource;
  readonly world: FleetWorld;
}

/** Whose work an adapter does: `validation` of `clusters`. */
export interface AdapterPost {
  readonly adapter: string;
  readonly resourceType: string;
}

/** Whether an adapter is among these. */
export function isPosted(posts: readonly AdapterPost[], resourceType: string, adapter: string): boolean {
  return posts.some((post) => post.adapter === adapter && post.resourceType === resourceType);
}

/** Adapters that run. */
export interface DevAdapters extends AsyncDisposable {
  readonly posts: readonly AdapterPost[];
}

/**
 * Starts adapters from where they are written: a file that exports some by default, or a directory with an AdapterConfig and an AdapterTaskConfig.
 * Throws an InputError if one cannot be had, or if no pulse would reach it.
 */
export async function startAdapters(
  paths: readonly string[],
  around: AdapterSurroundings,
  shell: Shell,
): Promise<DevAdapters> {
  const running: RunningAdapter[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(running.map((each) => each[Symbol.asyncDispose]()));
  };
  const posts: AdapterPost[] = [];
  try {
    for (const path of paths) {
      const isDirectory = await isFolder(path, shell);
      for (const start of isDirectory ? [taskIn(path, around, shell)] : await stepsIn(path, around, shell)) {
        const { adapter, resourceType } = start.post;
        if (isPosted(posts, resourceType, adapter)) {
          throw new InputError(`${path}: the adapter ${adapter} of ${resourceType} is there already`, {
            hint: "each adapter of a kind has a name of its own",
          });
        }
        running.push(await start.run());
        posts.push(start.post);
      }
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { posts, [Symbol.asyncDispose]: close };
}

async function isFolder(path: string, { cwd }: Shell): Promise<boolean> {
  const found = await stat(resolve(cwd, path)).catch(() => undefined);
  if (found === undefined) {
    const hint = `name a file that exports adapters by default, or a directory with ${CONFIG} and ${TASK_CONFIG}`;
    throw new InputError(`there is no ${path}`, { hint });
  }
  return found.isDirectory();
}

/** An adapter that can be started. */
interface Startable {
  readonly post: AdapterPost;
  readonly run: () => Promise<RunningAdapter>;
}

function taskIn(path: string, around: AdapterSurroundings, shell: Shell): Startable {
  const { broker, rules, url, cluster, world } = around;
  const files = { config: join(path, CONFIG), taskConfig: join(path, TASK_CONFIG) };
  const config = readAdapterFiles({ ...files, setting: [`clients.hyperfleet_api.base_url=${url}`] }, shell);
  for (const note of config.notes) shell.stderr(`levelset: note: ${note}\n`);
  const { topic, subscription } = config;
  const rule = rules.find((each) => each.topic === topic);
  if (rule === undefined) {
    const topics = rules.map((each) => each.topic).join(", ");
    throw new InputError(`${files.config}: nothing is published to ${topic}`, {
      hint: `topics of this fleet: ${topics}`,
    });
  }
  return {
    post: { adapter: config.adapter.name, resourceType: rule.resourceType },
    run: () => startTaskAdapter(config, { broker, topic, subscription, fetch: cluster }, world),
  };
}

async function stepsIn(path: string, around: AdapterSurroundings, shell: Shell): Promise<readonly Startable[]> {
  const { broker, rules, url, cluster, world } = around;
  const exported = await loadDefaults(path, shell.cwd);
  const adapters = exported.filter(isAdapter);
  if (adapters.length === 0 || adapters.length !== exported.length) {
    throw new InputError(`${path} does not export adapters by default`, {
      hint: "end it with: export default [adapter(Kind, name, [steps])]",
    });
  }
  const { token } = around;
  const fleet = new FleetClient({ url, clock: world.clock, ...(token === undefined ? {} : { token }) });
  return adapters.map((adapter) => {
    const { plural } = adapter.kind;
    const rule = rules.find(({ resourceType }) => resourceType === plural);
    if (rule === undefined)
      throw new InputError(`${path}: the adapter ${adapter.name} is about ${plural}, which nothing pulses`);
    const place = { broker, topic: rule.topic, subscription: adapter.name, fetch: cluster, fleet };
    return {
      post: { adapter: adapter.name, resourceType: plural },
      run: () => startStepAdapter(adapter, place, world),
    };
  });
}

function isAdapter(value: unknown): value is StepAdapter {
  return typeof value === "object" && value !== null && "kind" in value && "operator" in value && "name" in value;
}
