import { Option } from "commander";
import type { Command } from "commander";
import { addConfigFlags } from "../config-flags.ts";
import type { ConfigFlags } from "../config-flags.ts";
import type { AdapterFlags, AdaptersFlags, RunDevOptions } from "../fleet-server/index.ts";
import { collectOption } from "../repeatable-option.ts";
import { addFleetHistoryCommand, addFleetReportCommand } from "../fleet/index.ts";
import { addFleetFlags } from "../fleet-flags.ts";
import type { Shell } from "../shell.ts";
import { addHyperfleetFlags, hyperfleetFlags } from "./sentinel-flags.ts";

/** Help text of `--adapters`. */
export const ADAPTERS_HELP = "module file or directory with adapters; repeatable";

/** `levelset fleet …`: commands for the parts of a fleet. Their implementation is large and is imported on demand. */
export function addFleetCommand(levelset: Command, shell: Shell): void {
  const fleet = levelset
    .command("fleet")
    .description("run a fleet of clusters: API, Sentinel, adapters, or all in one process");
  const isVerbose = (): boolean => levelset.opts()["verbose"] === true;
  addDevCommand(fleet, isVerbose, shell);
  addApiCommand(fleet, isVerbose, shell);
  addSentinelCommand(fleet, isVerbose, shell);
  addAdapterCommand(fleet, isVerbose, shell);
  addAdaptersCommand(fleet, isVerbose, shell);
  addMigrateCommand(fleet, isVerbose, shell);
  addConfigCommand(fleet, shell);
  addFleetReportCommand(fleet, shell);
  addFleetHistoryCommand(fleet, shell);
}

function addDevCommand(fleet: Command, isVerbose: () => boolean, shell: Shell): void {
  const command = fleet.command("dev").description("run a whole fleet in one process, with simulated adapters");
  addConfigFlags(command)
    .option("--port <number>", "port of the API; 0 selects a free port (default: 0)")
    .option("--memory", "store resources in memory (default: in .levelset/fleet.db)")
    .option("--adapters <path>", ADAPTERS_HELP, collectOption)
    .option("--kubeconfig <file>", "kubeconfig file for the adapters (default: as for why)")
    .option("--no-simulate", "do not simulate missing adapters; resources wait for their reports")
    .action(async (flags: Omit<RunDevOptions, "verbose">) => {
      const { runDev } = await import("../fleet-server/index.ts");
      await runDev({ ...flags, verbose: isVerbose() }, shell);
    });
}

function addApiCommand(fleet: Command, isVerbose: () => boolean, shell: Shell): void {
  addConfigFlags(fleet.command("api").description("serve the fleet API"))
    .option("--host <address>", "address to listen on (default: 127.0.0.1, private to this machine)")
    .option("--port <number>", "port to listen on; 0 selects a free port (default: 8000)")
    .action(async (flags: ConfigFlags) => {
      const { runApi } = await import("../fleet-server/index.ts");
      await runApi({ ...flags, verbose: isVerbose() }, shell);
    });
}

function addSentinelCommand(fleet: Command, isVerbose: () => boolean, shell: Shell): void {
  const command = fleet.command("sentinel").description("publish pulses for due resources; replicas share the work");
  addConfigFlags(command)
    .addOption(new Option("--source <source>", "source of the resources").choices(["store", "http"]))
    .option("--sentinel-config <file>", "HyperFleet Sentinel file (--config takes it too)");
  addHyperfleetFlags(command)
    .addHelpText("after", "\nThe HyperFleet flags and environment variables apply to this Sentinel only.")
    .action(async (flags: ConfigFlags & { readonly source?: string; readonly sentinelConfig?: string }) => {
      const { runSentinel } = await import("../fleet-server/index.ts");
      await runSentinel({ ...flags, hyperfleetFlags: hyperfleetFlags(command.opts()), verbose: isVerbose() }, shell);
    });
}

function addAdapterCommand(fleet: Command, isVerbose: () => boolean, shell: Shell): void {
  fleet
    .command("adapter")
    .description("run an adapter that is configured in YAML")
    .requiredOption("-c, --config <file>", "AdapterConfig file: adapter name, API, broker and cluster")
    .requiredOption("-t, --task-config <file>", "AdapterTaskConfig file: steps to run for each pulse")
    .option(
      "-s, --setting <path=value>",
      "AdapterConfig setting, e.g. clients.broker.topic=x; repeatable",
      collectOption,
    )
    .option("--kubeconfig <file>", "kubeconfig file (default: AdapterConfig, else as for why)")
    .option("--check", "validate the configuration, print errors and exit")
    .option("--log-level <level>", "log level: debug, info, warn or error")
    .option("--log-format <format>", "log format: text or json")
    .option("--dry-run-event <file>", "CloudEvent file to process once as a dry run, without writes")
    .option("--dry-run-api-responses <file>", "file with the API responses of the dry run")
    .option("--dry-run-discovery <file>", "file with the objects of the dry run, by name")
    .option("--dry-run-verbose", "also print request bodies and objects in the dry run")
    .addOption(
      new Option("--dry-run-output <format>", "output format of the dry run").choices(["text", "json"]).default("text"),
    )
    .action(async (flags: Omit<AdapterFlags, "verbose">) => {
      const { runAdapter } = await import("../fleet-server/index.ts");
      await runAdapter({ ...flags, verbose: isVerbose() }, shell);
    });
}

function addAdaptersCommand(fleet: Command, isVerbose: () => boolean, shell: Shell): void {
  const command = fleet
    .command("adapters")
    .argument("<paths...>", "TypeScript or JavaScript files with adapters as default export")
    .description("run adapters that are written in TypeScript");
  addFleetFlags(addConfigFlags(command))
    .option("--kubeconfig <file>", "kubeconfig file for the adapters (default: as for why)")
    .addHelpText(
      "after",
      "\n--config names the fleet's configuration: the broker and the Sentinel's topics are read from it.",
    )
    .action(async (paths: readonly string[], flags: Omit<AdaptersFlags, "verbose">) => {
      const { runAdapters } = await import("../fleet-server/index.ts");
      await runAdapters(paths, { ...flags, verbose: isVerbose() }, shell);
    });
}

function addMigrateCommand(fleet: Command, isVerbose: () => boolean, shell: Shell): void {
  const command = fleet.command("migrate").description("migrate the database schema of the store to this version");
  addConfigFlags(command).action(async (flags: ConfigFlags) => {
    const { runMigrate } = await import("../fleet-server/index.ts");
    await runMigrate({ ...flags, verbose: isVerbose() }, shell);
  });
}

function addConfigCommand(fleet: Command, shell: Shell): void {
  const description = "print the effective settings with sources, without secrets";
  addConfigFlags(fleet.command("config").description(description))
    .option("--all", "also print settings without a value, with a description of each")
    .action(async (flags: ConfigFlags & { readonly all?: boolean }) => {
      const { printConfig } = await import("../fleet-server/index.ts");
      printConfig(flags, shell);
    });
}
