import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError, realRandom } from "@levelset/core";
import { parseJson, toError, whenAborted } from "@levelset/core/internal";
import type { JsonValue } from "@levelset/core";
import { openBroker } from "@levelset/fleet";
import { dryRun, dryRunText, serveAdapter } from "@levelset/fleet/adapter";
import type { InputFile } from "@levelset/fleet/adapter";
import { TokenFile } from "@levelset/fleet/server";
import type { AdapterConfig } from "@levelset/fleet/server";
import { connect } from "@levelset/operator";
import { Option } from "commander";
import type { Command } from "commander";
import { findCluster } from "../../cluster/index.ts";
import { logSettings, readAdapterFiles, requireSharedBroker, startTaskAdapter } from "../../fleet-server/index.ts";
import type { AdapterFileFlags } from "../../fleet-server/index.ts";
import { collectOption, examples, isVerbose } from "../../options/index.ts";
import { commandLogger } from "../../terminal/index.ts";
import type { Shell } from "../../terminal/index.ts";

interface AdapterFlags extends AdapterFileFlags {
  readonly check?: boolean;
  readonly dryRunEvent?: string;
  readonly dryRunApiResponses?: string;
  readonly dryRunDiscovery?: string;
  readonly dryRunVerbose?: boolean;
  readonly dryRunOutput: "text" | "json";
  readonly verbose: boolean;
}

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
    .action(async (flags: Omit<AdapterFlags, "verbose">) => runAdapter({ ...flags, verbose: isVerbose(fleet) }, shell));
}

/** Runs the adapter, validates its configuration, or runs one dry run. */
async function runAdapter(flags: AdapterFlags, shell: Shell): Promise<void> {
  const config = readAdapterFiles(flags, shell);
  for (const note of config.warnings) shell.stderr(`levelset: note: ${note}\n`);
  if (flags.check === true) {
    const { params, preconditions, resources, actions } = config.task;
    const counts = `${params.length} params, ${preconditions.length} preconditions, ${resources.length} resources, ${actions.length} post-actions`;
    shell.stdout(`${config.adapter.name}: ${counts}\n`);
  } else if (flags.dryRunEvent === undefined) await serve(config, flags, shell);
  else await runOnce(config, flags.dryRunEvent, flags, shell);
}

async function serve(config: AdapterConfig, flags: AdapterFlags, shell: Shell): Promise<void> {
  requireSharedBroker(config.broker, {
    consequence: "no pulses would arrive",
    alternative: "levelset dev runs a whole fleet in one process",
  });
  await checkTokenFile(config, shell);
  const signal = shell.signal();
  const logger = await commandLogger(shell, { ...config.log, verbose: flags.verbose });
  const world = { clock: shell.clock, logger };
  if (config.debugConfig) logSettings(config.settings, logger);
  const { kubeconfig } = config;
  const { access } = await findCluster(shell, kubeconfig === undefined ? {} : { kubeconfig });
  await using connection = disposable(connect(access));
  // Closed after in-flight runs have finished and reported.
  await using broker = await openBroker(config.broker, {
    ...world,
    random: realRandom,
    signal: new AbortController().signal,
  });
  const { topic, subscription, health, metrics, redactedConfig } = config;
  await using running = await startTaskAdapter(config, { broker, topic, subscription, fetch: connection.fetch }, world);
  const endpoints = await serveAdapter({ health, metrics, registry: running.metrics, broker, redactedConfig });
  shell.stdout(
    [
      `adapter  ${config.adapter.name}: ${topic} as ${subscription}`,
      `fleet    ${config.api.baseUrl}`,
      `cluster  ${access.server}`,
      `health   ${endpoints.healthUrl}/readyz`,
      `metrics  ${endpoints.metricsUrl}/metrics\n`,
    ].join("\n"),
  );
  await whenAborted(signal);
  await endpoints.close();
}

/** Throws an InputError if the configured token file cannot be read. */
async function checkTokenFile({ api: { tokenFile: path } }: AdapterConfig, { clock }: Shell): Promise<void> {
  if (path === undefined) return;
  await new TokenFile({ path, cacheMs: 0, clock }).token().catch((error: unknown) => {
    throw new InputError(`clients.hyperfleet_api.auth.token_path: ${toError(error).message}`, {
      hint: "relative paths are resolved from the directory of the configuration file",
      cause: error,
    });
  });
}

function disposable<Connection extends { close(): Promise<void> }>(
  connection: Connection,
): Connection & AsyncDisposable {
  return Object.assign(connection, { [Symbol.asyncDispose]: () => connection.close() });
}

async function runOnce(config: AdapterConfig, eventFile: string, flags: AdapterFlags, shell: Shell): Promise<void> {
  const { task, adapter, redactedConfig, env } = config;
  const outcome = await dryRun({
    task,
    adapter,
    config: redactedConfig,
    env,
    event: await readFile(resolve(shell.cwd, eventFile)).catch((error: unknown) => unreadable(eventFile, error)),
    apiResponses: await readInputFile(flags.dryRunApiResponses, shell),
    discovery: await readInputFile(flags.dryRunDiscovery, shell),
    readFile: (path) => readFile(path, "utf8"),
    clock: shell.clock,
    random: realRandom,
    logger: await commandLogger(shell, { format: "text", level: "warn", verbose: flags.verbose }),
    signal: shell.signal(),
  });
  const { trace } = outcome;
  shell.stdout(
    flags.dryRunOutput === "json"
      ? `${JSON.stringify(trace, undefined, 2)}\n`
      : dryRunText(outcome, flags.dryRunVerbose === true),
  );
  if (outcome.status === "failed") shell.exitCode(1);
}

async function readInputFile(path: string | undefined, shell: Shell): Promise<InputFile | undefined> {
  if (path === undefined) return undefined;
  const text = await readFile(resolve(shell.cwd, path), "utf8").catch((error: unknown) => unreadable(path, error));
  return { path, content: parseJsonFile(path, text) };
}

function parseJsonFile(path: string, text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw new InputError(`${path} is not JSON: ${toError(error).message}`);
  }
}

function unreadable(path: string, error: unknown): never {
  throw new InputError(`cannot read ${path}: ${toError(error).message}`, { cause: error });
}
