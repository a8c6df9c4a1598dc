import type { JsonObject } from "@levelset/core";

/** A file of settings, parsed. */
export interface ConfigFile {
  /** Its path as it was named. */
  readonly path: string;
  /** The directory that paths in it start from. */
  readonly directory: string;
  readonly settings: JsonObject;
}

/** A flag that somebody gave. */
export interface GivenFlag {
  /** As it was written: `--port`. */
  readonly flag: string;
  readonly text: string;
}

/** Where settings come from. */
export interface ConfigSources {
  readonly file: ConfigFile | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** By the path of the setting. */
  readonly flags: Readonly<Record<string, GivenFlag>>;
  /** What to take where nothing is given, instead of a setting's own default; by the path of the setting. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Where relative paths of variables and flags start from. */
  readonly cwd: string;
  /** Reads a file that a setting names. */
  readonly readText: (path: string) => string;
}

/** What begins every variable of ours. */
export const ENV_PREFIX = "LEVELSET_FLEET_";

/** Variables of that prefix that are no settings of a server. */
export const OTHER_VARIABLES: readonly string[] = ["CONFIG", "URL", "TOKEN", "TOKEN_FILE"].map(
  (name) => `${ENV_PREFIX}${name}`,
);

/** The variable of a setting: `store.path` is `LEVELSET_FLEET_STORE_PATH`. */
export function variableOf(path: string): string {
  return `${ENV_PREFIX}${path.replaceAll(".", "_").toUpperCase()}`;
}
