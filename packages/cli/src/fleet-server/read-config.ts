import { readFileSync } from "node:fs";
import { InputError } from "@levelset/core";
import type { Logger } from "@levelset/core";
import { describeSettingSource } from "@levelset/fleet/internal";
import { readFleetConfig } from "@levelset/fleet";
import type { ConfigRequest, FleetConfig } from "@levelset/fleet";
import type { ResolvedSetting } from "@levelset/fleet/server";
import type { FlagValue } from "@levelset/fleet/internal";
import type { ConfigFlags } from "../options/index.ts";
import type { Shell } from "../terminal/index.ts";

/** Returns the sources of the configuration: files, flags and environment. */
export function configRequest(
  flags: ConfigFlags,
  shell: Shell,
  defaults: Readonly<Record<string, string>> = {},
): ConfigRequest {
  return {
    path: flags.config,
    env: shell.env,
    cwd: shell.cwd,
    flags: flagSettings(flags),
    defaults,
    readText: (path) => readFileSync(path, "utf8"),
  };
}

/** Reads the configuration and prints its notes to stderr. */
export function readConfig(request: ConfigRequest, shell: Shell): FleetConfig {
  const config = readFleetConfig(request);
  for (const note of config.warnings) shell.stderr(`levelset: note: ${note}\n`);
  return config;
}

/** Logs the effective settings without secrets if `debug_config` is set. */
export function logSettings(settings: readonly ResolvedSetting[], logger: Logger): void {
  for (const { path, displayValue, source } of settings) {
    if (displayValue !== undefined)
      logger.info("setting", { path, value: displayValue, from: describeSettingSource(source) });
  }
}

/** Converts flags to settings. */
export function flagSettings(flags: ConfigFlags): Readonly<Record<string, FlagValue>> {
  const { host, port, logLevel, logFormat, setting = [] } = flags;
  const named = [
    ["api.host", "--host", host],
    ["api.port", "--port", port],
    ["log.level", "--log-level", logLevel],
    ["log.format", "--log-format", logFormat],
    ...storeSettings(flags.store),
  ] as const;
  const values = named.flatMap(([path, flag, text]): readonly [string, FlagValue][] => {
    return text === undefined ? [] : [[path, { flag, text }]];
  });
  const assigned = setting.map((word): readonly [string, FlagValue] => {
    const at = word.indexOf("=");
    if (at < 1)
      throw new InputError(`${JSON.stringify(word)} is not an assignment`, {
        hint: "write PATH=VALUE, e.g. api.port=8000",
      });
    return [word.slice(0, at), { flag: "--setting", text: word.slice(at + 1) }];
  });
  return Object.fromEntries([...values, ...assigned]);
}

function storeSettings(store: string | undefined): readonly (readonly [string, string, string])[] {
  if (store === undefined) return [];
  const isPostgres = /^postgres(?:ql)?:/u.test(store);
  return [
    ["store.kind", "--store", isPostgres ? "postgres" : "sqlite"],
    [isPostgres ? "store.url" : "store.path", "--store", store],
  ];
}
