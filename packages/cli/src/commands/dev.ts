import { dirname, join, relative, resolve } from "node:path";
import { InputError, silentLogger } from "@levelset/core";
import { whenAborted } from "@levelset/core/internal";
import { Option } from "commander";
import type { Command } from "commander";
import { ChildOperator, reportError, resolveModuleFile, watchSources } from "../process/index.ts";
import { startEmbeddedServer } from "../apiserver/index.ts";
import type { EmbeddedServer } from "../apiserver/index.ts";
import { ADAPTERS_HELP, collectOption, examples, isVerbose, parsePort } from "../options/index.ts";
import { KUBECONFIG_PATH } from "../cluster/index.ts";
import type { Shell } from "../terminal/index.ts";

interface DevOptions {
  readonly port: number;
  readonly kubeconfig: string;
  readonly apply?: string;
  readonly workloads: boolean;
  readonly fleet?: boolean;
  readonly adapters?: readonly string[];
  readonly console: boolean;
  readonly consolePort: number;
  readonly allowActions?: boolean;
  readonly verbose: boolean;
}

/**
 * `levelset dev [FILE]`: runs the embedded server, the operators of a file (restarted on save) and optionally a fleet.
 */
export function addDevCommand(levelset: Command, shell: Shell): void {
  levelset
    .command("dev")
    .argument("[file]", "TypeScript or JavaScript file with an operator as default export")
    .description("run an operator on an embedded API server and reload it on save")
    .option("--apply <file>", "YAML file with objects to apply at the start")
    .option("--port <number>", "port of the API server; 0 selects a free port", parsePort, 0)
    .option("--kubeconfig <file>", "file to write the kubeconfig to", KUBECONFIG_PATH)
    .option("--no-workloads", "do not simulate workloads (Deployments, Jobs, pods)")
    .option("--fleet", "also run an in-memory fleet; adapters without a file are simulated")
    .option("--adapters <path>", `${ADAPTERS_HELP}; implies --fleet`, collectOption)
    .option("--no-console", "do not serve the web console")
    .addOption(
      new Option("--console-port <number>", "port of the web console")
        .argParser(parsePort)
        .default(0, "the previous port, or a free one"),
    )
    .option("--allow-actions", "allow edit, delete, suspend, resume and rollback in the console")
    .addHelpText(
      "after",
      examples(
        "levelset dev simple.ts",
        "levelset dev simple.ts --apply sample.yaml",
        "levelset dev simple.ts --fleet --adapters adapters.ts   # with a fleet",
      ),
    )
    .action(async (file: string | undefined, options: Omit<DevOptions, "verbose">) =>
      dev(file, { ...options, verbose: isVerbose(levelset) }, shell),
    );
}

async function dev(file: string | undefined, options: DevOptions, shell: Shell): Promise<void> {
  const path = file === undefined ? undefined : await resolveModuleFile(file, shell.cwd);
  if (path === undefined && !hasFleet(options)) {
    throw new InputError("nothing to run", {
      hint: "pass a file with an operator as default export, or adapters with --adapters",
    });
  }
  const signal = shell.signal();
  const command = "levelset dev";
  const { cwd, clock } = shell;
  await using server = await startEmbeddedServer({ ...options, command, cwd, clock, logger: silentLogger });
  const kubeconfig = relative(shell.cwd, resolve(shell.cwd, options.kubeconfig));
  shell.stdout(
    [
      "levelset: embedded Kubernetes API server, loopback only, in memory (starts empty)",
      "",
      `  API         ${server.url}`,
      `  kubeconfig  ${kubeconfig}`,
      ...(file === undefined ? [] : [`  operator    ${file}, reloaded on save`]),
      "",
    ].join("\n"),
  );
  const child = new ChildOperator({ cwd: shell.cwd, stderr: shell.stderr });
  const flags = ["--kubeconfig", kubeconfig, "--install-crds", "--live"];
  if (options.console) flags.push("--figures");
  if (options.verbose) flags.push("--verbose");
  const run = file === undefined ? undefined : ["run", file, ...flags];
  // Objects are applied only once, so that later changes by users are preserved.
  const first = options.apply === undefined ? [] : ["--apply", options.apply];
  if (run !== undefined) child.start([...run, ...first]);
  // The fleet and the console start in the background; the operator does not wait for them.
  const services = startServices({ ...options, kubeconfig, isFleetAlone: path === undefined }, server, signal, shell);
  if (path === undefined || run === undefined) {
    await services;
    await whenAborted(signal);
  } else {
    const directory = dirname(path);
    for await (const changed of watchSources(directory, { clock: shell.clock, signal })) {
      shell.stdout(`reloading: ${relative(shell.cwd, join(directory, changed))} changed\n`);
      await child.stop();
      child.start([...run, ...(child.wasReady ? ["--again"] : first)]);
    }
  }
  const { fleet, console } = await services;
  await console?.[Symbol.asyncDispose]();
  await Promise.all([child.stop(), fleet?.[Symbol.asyncDispose]()]);
}

interface Services {
  readonly fleet: AsyncDisposable | undefined;
  readonly console: AsyncDisposable | undefined;
}

/** Starts the fleet and the console. A failure is fatal only if no operator was requested. */
async function startServices(
  options: DevOptions & { readonly isFleetAlone: boolean },
  server: EmbeddedServer,
  signal: AbortSignal,
  shell: Shell,
): Promise<Services> {
  const started = hasFleet(options) ? startFleet(options, server, signal, shell) : undefined;
  const fleet = await started?.catch((error: unknown): undefined => {
    if (options.isFleetAlone) throw error;
    reportError(error, { stderr: shell.stderr, verbose: options.verbose });
  });
  return { fleet, console: await startConsole(options, fleet?.url, shell) };
}

function hasFleet({ fleet, adapters }: DevOptions): boolean {
  return fleet === true || adapters !== undefined;
}

/** Starts the console. A failure does not stop the operator. */
async function startConsole(
  options: DevOptions,
  fleet: string | undefined,
  shell: Shell,
): Promise<AsyncDisposable | undefined> {
  if (!options.console) return undefined;
  const { kubeconfig, consolePort: port, allowActions = false, verbose } = options;
  try {
    const { openConsole } = await import("../console/index.ts");
    const opened = await openConsole(
      { kubeconfig, port, allowActions, ...(fleet === undefined ? {} : { fleet }) },
      shell,
    );
    // The output interleaves with that of the operator and the fleet, so it must be self-contained.
    shell.stdout(`\nIn a browser:\n  console     ${opened.url}\n\n`);
    return opened;
  } catch (error) {
    reportError(error, { stderr: shell.stderr, verbose });
    return undefined;
  }
}

/** Starts a fleet. Its modules are imported on demand, so that the first output is not delayed. */
async function startFleet(
  { adapters, verbose }: DevOptions,
  server: EmbeddedServer,
  signal: AbortSignal,
  shell: Shell,
): Promise<AsyncDisposable & { readonly url: string }> {
  const { adaptersText, fleetSuggestions, printResources, startDevFleet } = await import("../fleet-server/index.ts");
  const options = { memory: true, simulate: true, verbose, cluster: server.fetch, adapters: adapters ?? [] };
  const running = await startDevFleet(options, shell);
  shell.stdout(
    [
      "",
      `  fleet       ${running.client.url}, in memory`,
      `  adapters    ${adaptersText(running)}`,
      "",
      "Try the fleet, in another terminal:",
      ...fleetSuggestions(running, shell.env),
      "",
      "",
    ].join("\n"),
  );
  const printing = printResources(running.client, { clock: shell.clock, signal }, (line) => shell.stdout(`${line}\n`));
  return {
    url: running.url,
    [Symbol.asyncDispose]: async () => {
      await printing;
      await running[Symbol.asyncDispose]();
    },
  };
}
