import { readFileSync } from "node:fs";
import { InputError } from "@levelset/core";
import type { Logger } from "@levelset/core";
import { originText, readFleetConfig } from "@levelset/fleet";
import type { ConfigRequest, FleetConfig, FoundSetting, GivenFlag } from "@levelset/fleet";
import type { ConfigFlags } from "../config-flags.ts";
import type { Shell } from "../shell.ts";

/** What the configuration is read from. */
export function configRequest(
  flags: ConfigFlags,
  shell: Shell,
  defaults: Readonly<Record<string, string>> = {},
): ConfigRequest {
  return {
    path: flags.config,
    env: shell.env,
    cwd: shell.cwd,
    flags: settingsOf(flags),
    defaults,
    readText: (path) => readFileSync(path, "utf8"),
  };
}

/** Reads the configuration, and tells what should be known about it. */
export function readConfig(request: ConfigRequest, shell: Shell): FleetConfig {
  const config = readFleetConfig(request);
  for (const note of config.notes) shell.stderr(`levelset: note: ${note}\n`);
  return config;
}

/** Logs the settings in effect, for those who ask for it by `debug_config`. Secrets are not among them. */
export function logSettings(settings: readonly FoundSetting[], logger: Logger): void {
  for (const { path, shown, origin } of settings) {
    if (shown !== undefined) logger.info("setting", { path, value: shown, from: originText(origin) });
  }
}

/** The settings that flags stand for. */
export function settingsOf(flags: ConfigFlags): Readonly<Record<string, GivenFlag>> {
  const { host, port, logLevel, logFormat, setting = [] } = flags;
  const named = [
    ["api.host", "--host", host],
    ["api.port", "--port", port],
    ["log.level", "--log-level", logLevel],
    ["log.format", "--log-format", logFormat],
    ...storeSettings(flags.store),
  ] as const;
  const given = named.flatMap(([path, flag, text]): readonly [string, GivenFlag][] => {
    return text === undefined ? [] : [[path, { flag, text }]];
  });
  const free = setting.map((word): readonly [string, GivenFlag] => {
    const at = word.indexOf("=");
    if (at < 1)
      throw new InputError(`${JSON.stringify(word)} sets nothing`, { hint: "write PATH=VALUE, such as api.port=8000" });
    return [word.slice(0, at), { flag: "--setting", text: word.slice(at + 1) }];
  });
  return Object.fromEntries([...given, ...free]);
}

function storeSettings(store: string | undefined): readonly (readonly [string, string, string])[] {
  if (store === undefined) return [];
  const isPostgres = /^postgres(?:ql)?:/u.test(store);
  return [
    ["store.kind", "--store", isPostgres ? "postgres" : "sqlite"],
    [isPostgres ? "store.url" : "store.path", "--store", store],
  ];
}
