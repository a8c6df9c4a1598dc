import type { JsonObject } from "@levelset/core";

/** A parsed configuration file. */
export interface ConfigFile {
  /** The path as given. */
  readonly path: string;
  /** The base directory of relative paths in the file. */
  readonly directory: string;
  readonly settings: JsonObject;
}

/** The value of a flag. */
export interface FlagValue {
  /** As written: `--port`. */
  readonly flag: string;
  readonly text: string;
}

/** The sources of settings. */
export interface ConfigSources {
  readonly file: ConfigFile | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** By setting path. */
  readonly flags: Readonly<Record<string, FlagValue>>;
  /** Overrides of the settings' own defaults, by setting path. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** The base directory of relative paths in variables and flags. */
  readonly cwd: string;
  /** Reads a file that a setting names. */
  readonly readText: (path: string) => string;
}

/** The prefix of our variables. */
export const ENV_PREFIX = "LEVELSET_FLEET_";

/** Variables with that prefix that are not settings of a server. */
export const NON_SETTING_VARIABLES: readonly string[] = ["CONFIG", "URL", "TOKEN", "TOKEN_FILE"].map(
  (name) => `${ENV_PREFIX}${name}`,
);

/** Returns the variable of a setting: `store.path` is `LEVELSET_FLEET_STORE_PATH`. */
export function variableOf(path: string): string {
  return `${ENV_PREFIX}${path.replaceAll(".", "_").toUpperCase()}`;
}
