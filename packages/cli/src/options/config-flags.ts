import type { Command } from "commander";
import { collectOption } from "./repeatable-option.ts";

/** Flags that override settings. */
export interface ConfigFlags {
  readonly config?: string;
  readonly setting?: readonly string[];
  readonly host?: string;
  readonly port?: string;
  readonly store?: string;
  readonly logLevel?: string;
  readonly logFormat?: string;
}

/** Adds the configuration flags of the fleet commands. */
export function addConfigFlags(command: Command): Command {
  return command
    .option("-c, --config <file>", "configuration file (default: LEVELSET_FLEET_CONFIG)")
    .option("-s, --setting <path=value>", "setting, e.g. api.limits.in_flight_max=50; repeatable", collectOption)
    .option("--store <where>", "store: a SQLite file, :memory:, or a postgres:// URL")
    .option("--log-level <level>", "log level: debug, info, warn or error")
    .option("--log-format <format>", "log format: text or json");
}

/** Help text of `--adapters`. */
export const ADAPTERS_HELP = "module file or directory with adapters; repeatable";
