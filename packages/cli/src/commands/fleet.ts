import { Option } from "commander";
import type { Command } from "commander";
import { addConfigFlags } from "../config-flags.ts";
import type { ConfigFlags } from "../config-flags.ts";
import type { AdapterFlags, AdaptersFlags, DevOptions } from "../fleet-server/index.ts";
import { gather } from "../gather.ts";
import { addHistoryCommand, addReportCommand } from "../fleet/index.ts";
import { addFleetFlags } from "../fleet-flags.ts";
import type { Shell } from "../shell.ts";
import { addOriginalFlags, originalFlags } from "./sentinel-flags.ts";

/** What `--adapters` is for. */
export const ADAPTERS_HELP =
  "run the adapters that this file exports, or that are configured in this directory; may be given again";

/** `levelset fleet …`: the parts of a fleet. What runs them is loaded when they are called for: it is much. */
export function addFleetCommand(levelset: Command, shell: Shell): void {
  const fleet = levelset
    .command("fleet")
    .description("run a fleet of clusters: its API, its Sentinel, or all of it in one process");
  const isVerbose = (): boolean => levelset.opts()["verbose"] === true;
  addDevCommand(fleet, isVerbose, shell);
  addApiCommand(fleet, isVerbose, shell);
  addSentinelCommand(fleet, isVerbose, shell);
  addAdapterCommand(fleet, isVerbose, shell);
  addAdaptersCommand(fleet, isVerbose, shell);
  addMigrateCommand(fleet, isVerbose, shell);
  addConfigCommand(fleet, shell);
  addReportCommand(fleet, shell);
  addHistoryCommand(fleet, shell);
}

function addDevCommand(fleet: Command, isVerbose: () => boolean, shell: Shell): void {
  const command = fleet
    .command("dev")
    .description("run a whole fleet in one process: API, Sentinel, broker, store, simulated adapters");
  addConfigFlags(command)
    .option("--port <number>", "the port of the API; 0 takes a free one (default: 0)")
    .option("--memory", "keep nothing (default: in .levelset/fleet.db)")
    .option("--adapters <path>", ADAPTERS_HELP, gather)
    .option("--kubeconfig <file>", "the cluster that these work in (default: as for every command that asks)")
    .option("--no-simulate", "do not simulate the adapters that are missing: resources wait for reports")
    .action(async (flags: Omit<DevOptions, "verbose">) => {
      const { runDev } = await import("../fleet-server/index.ts");
      await runDev({ ...flags, verbose: isVerbose() }, shell);
    });
}

function addApiCommand(fleet: Command, isVerbose: () => boolean, shell: Shell): void {
  addConfigFlags(fleet.command("api").description("serve the fleet's API"))
    .option("--host <address>", "the address to listen on; other machines can reach any but the default 127.0.0.1")
    .option("--port <number>", "the port to listen on; 0 takes a free one (default: 8000)")
    .action(async (flags: ConfigFlags) => {
      const { runApi } = await import("../fleet-server/index.ts");
      await runApi({ ...flags, verbose: isVerbose() }, shell);
    });
}

function addSentinelCommand(fleet: Command, isVerbose: () => boolean, shell: Shell): void {
  const command = fleet
    .command("sentinel")
    .description("pulse the adapters of resources when something is due; any number of them share the work");
  addConfigFlags(command)
    .addOption(new Option("--source <source>", "where it learns what is due").choices(["store", "http"]))
    .option("--sentinel-config <file>", "a file of the originals' Sentinel (also taken as --config)");
  addOriginalFlags(command)
    .addHelpText("after", "\nThe last of these, and the originals' variables, are about a Sentinel alone.")
    .action(async (flags: ConfigFlags & { readonly source?: string; readonly sentinelConfig?: string }) => {
      const { runSentinel } = await import("../fleet-server/index.ts");
      await runSentinel({ ...flags, originals: originalFlags(command.opts()), verbose: isVerbose() }, shell);
    });
}

function addAdapterCommand(fleet: Command, isVerbose: () => boolean, shell: Shell): void {
  fleet
    .command("adapter")
    .description("run an adapter that is configured in YAML: take pulses, apply, report")
    .requiredOption("-c, --config <file>", "the AdapterConfig: which adapter, which API, which broker, which cluster")
    .requiredOption("-t, --task-config <file>", "the AdapterTaskConfig: what to do for each pulse")
    .option(
      "-s, --setting <path=value>",
      "any setting of the first: clients.broker.topic=x; may be given again",
      gather,
    )
    .option("--kubeconfig <file>", "the cluster (default: as the configuration says, or the usual places)")
    .option("--check", "read everything, tell what is wrong, and stop")
    .option("--log-level <level>", "debug, info, warn or error")
    .option("--log-format <format>", "text or json")
    .option("--dry-run-event <file>", "run once for this CloudEvent, and touch nothing")
    .option("--dry-run-api-responses <file>", "what the API answers then")
    .option("--dry-run-discovery <file>", "which objects are there then, by name")
    .option("--dry-run-verbose", "also show bodies and objects")
    .addOption(new Option("--dry-run-output <format>", "how it is told").choices(["text", "json"]).default("text"))
    .action(async (flags: Omit<AdapterFlags, "verbose">) => {
      const { runAdapter } = await import("../fleet-server/index.ts");
      await runAdapter({ ...flags, verbose: isVerbose() }, shell);
    });
}

function addAdaptersCommand(fleet: Command, isVerbose: () => boolean, shell: Shell): void {
  const command = fleet
    .command("adapters")
    .argument("<paths...>", "TypeScript or JavaScript files that export adapters by default")
    .description("run adapters that are written in TypeScript: take pulses, do their steps, report");
  addFleetFlags(addConfigFlags(command))
    .option("--kubeconfig <file>", "the cluster that they work in (default: the usual places)")
    .addHelpText("after", "\nThe configuration is the fleet's: its broker, and its Sentinel's topics.")
    .action(async (paths: readonly string[], flags: Omit<AdaptersFlags, "verbose">) => {
      const { runAdapters } = await import("../fleet-server/index.ts");
      await runAdapters(paths, { ...flags, verbose: isVerbose() }, shell);
    });
}

function addMigrateCommand(fleet: Command, isVerbose: () => boolean, shell: Shell): void {
  const command = fleet.command("migrate").description("bring the tables of the store to this version");
  addConfigFlags(command).action(async (flags: ConfigFlags) => {
    const { runMigrate } = await import("../fleet-server/index.ts");
    await runMigrate({ ...flags, verbose: isVerbose() }, shell);
  });
}

function addConfigCommand(fleet: Command, shell: Shell): void {
  const words = "print the settings in effect and where each is from; never a secret";
  addConfigFlags(fleet.command("config").description(words))
    .option("--all", "also those without a value, and what each is for")
    .action(async (flags: ConfigFlags & { readonly all?: boolean }) => {
      const { printConfig } = await import("../fleet-server/index.ts");
      printConfig(flags, shell);
    });
}
