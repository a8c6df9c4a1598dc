import type { Command } from "commander";
import { gather } from "./gather.ts";

/** Flags that stand for settings. */
export interface ConfigFlags {
  readonly config?: string;
  readonly setting?: readonly string[];
  readonly host?: string;
  readonly port?: string;
  readonly store?: string;
  readonly logLevel?: string;
  readonly logFormat?: string;
}

/** Gives a command the flags that every part of a fleet takes. */
export function addConfigFlags(command: Command): Command {
  return command
    .option("-c, --config <file>", "the configuration (default: LEVELSET_FLEET_CONFIG, HYPERFLEET_CONFIG, or defaults)")
    .option("-s, --setting <path=value>", "any setting: api.limits.in_flight_max=50; may be given again", gather)
    .option("--store <where>", "a file for SQLite, :memory:, or the postgres:// address of a database")
    .option("--log-level <level>", "debug, info, warn or error")
    .option("--log-format <format>", "text or json");
}
