import { readFileSync } from "node:fs";
import { InputError } from "@levelset/core";
import { TaskConfigError } from "@levelset/fleet/adapter";
import { readAdapterConfig } from "@levelset/fleet/server";
import type { AdapterConfig } from "@levelset/fleet/server";
import type { ConfigFlags } from "../options/index.ts";
import type { Shell } from "../terminal/index.ts";
import { flagSettings } from "./read-config.ts";

/** Flags that name the files of a YAML adapter, and settings that override them. */
export interface AdapterFileFlags extends ConfigFlags {
  readonly config: string;
  readonly taskConfig: string;
  readonly kubeconfig?: string;
}

/** Reads the two files of an adapter. Throws an InputError after printing all problems. */
export function readAdapterFiles(flags: AdapterFileFlags, shell: Shell): AdapterConfig {
  const { kubeconfig } = flags;
  const named =
    kubeconfig === undefined
      ? {}
      : { "clients.kubernetes.kube_config_path": { flag: "--kubeconfig", text: kubeconfig } };
  try {
    return readAdapterConfig({
      path: flags.config,
      taskPath: flags.taskConfig,
      env: shell.env,
      cwd: shell.cwd,
      flags: { ...flagSettings(flags), ...named },
      defaults: {},
      readText: (path) => readFileSync(path, "utf8"),
      now: () => shell.clock.now(),
    });
  } catch (error) {
    if (!(error instanceof TaskConfigError)) throw error;
    const [first = "", ...others] = error.problems;
    if (others.length > 0) for (const problem of error.problems) shell.stderr(`  ✗ ${problem}\n`);
    throw new InputError(others.length === 0 ? first : `${first} (and ${others.length} more)`, { cause: error });
  }
}
