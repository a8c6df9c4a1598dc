import { Option } from "commander";
import type { Command } from "commander";
import type { AdapterFlags } from "../../fleet-server/index.ts";
import { collectOption, examples, isVerbose } from "../../options/index.ts";
import type { Shell } from "../../terminal/index.ts";

/** `levelset fleet adapter`: runs an adapter that is configured in YAML. */
export function addFleetAdapterCommand(fleet: Command, shell: Shell): void {
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
    .addHelpText(
      "after",
      examples(
        "levelset fleet adapter -c adapter.yaml -t task.yaml",
        "levelset fleet adapter -c adapter.yaml -t task.yaml --check",
        "levelset fleet adapter -c adapter.yaml -t task.yaml --dry-run-event event.json --dry-run-verbose",
      ),
    )
    .action(async (flags: Omit<AdapterFlags, "verbose">) => {
      const { runAdapter } = await import("../../fleet-server/index.ts");
      await runAdapter({ ...flags, verbose: isVerbose(fleet) }, shell);
    });
}
