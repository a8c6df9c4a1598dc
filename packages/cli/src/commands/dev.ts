import { dirname, join, relative, resolve } from "node:path";
import { InputError, silentLogger } from "@levelset/core";
import type { Command } from "commander";
import { ChildOperator } from "../child.ts";
import { startServer } from "../embedded.ts";
import type { RunningServer } from "../embedded.ts";
import { reportError } from "../failure.ts";
import { gather } from "../gather.ts";
import { KUBECONFIG_PATH } from "../kubeconfig-file.ts";
import { loadable } from "../load.ts";
import type { Shell } from "../shell.ts";
import { aborted } from "../signals.ts";
import { watchSources } from "../watch-sources.ts";
import { parsePort } from "./apiserver.ts";
import { ADAPTERS_HELP } from "./fleet.ts";

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

/** `levelset dev [FILE]`: the embedded server and the operators of a file on it, started anew whenever a source changes; a fleet beside it. */
export function addDevCommand(levelset: Command, shell: Shell): void {
  levelset
    .command("dev")
    .argument("[file]", "TypeScript or JavaScript file that exports an operator by default")
    .description("run an operator on an embedded API server, and reload it on save; a fleet beside it")
    .option("--apply <file>", "apply the objects of this YAML file at the start")
    .option("--port <number>", "the port of the API server; 0 takes a free one", parsePort, 0)
    .option("--kubeconfig <file>", "where to write the kubeconfig", KUBECONFIG_PATH)
    .option("--no-workloads", "do not simulate workloads: Deployments, Jobs and pods stay as they were written")
    .option("--fleet", "also run a fleet, in memory; its adapters are simulated, but for those that are given")
    .option("--adapters <path>", `${ADAPTERS_HELP}; implies --fleet`, gather)
    .option("--no-console", "do not serve the web console")
    .option(
      "--console-port <number>",
      "the port of the web console (default: the one that it had here before, or a free one)",
      parsePort,
      0,
    )
    .option("--allow-actions", "let the console edit, delete, suspend, resume and roll back")
    .action(async (file: string | undefined, options: Omit<DevOptions, "verbose">) =>
      dev(file, { ...options, verbose: levelset.opts()["verbose"] === true }, shell),
    );
}

async function dev(file: string | undefined, options: DevOptions, shell: Shell): Promise<void> {
  const path = file === undefined ? undefined : await loadable(file, shell.cwd);
  if (path === undefined && !hasFleet(options)) {
    throw new InputError("nothing to run", {
      hint: "name the file that exports an operator by default, or adapters with --adapters",
    });
  }
  const signal = shell.signal();
  const command = "levelset dev";
  const { cwd, clock } = shell;
  await using server = await startServer({ ...options, command, cwd, clock, logger: silentLogger });
  const kubeconfig = relative(shell.cwd, resolve(shell.cwd, options.kubeconfig));
  shell.stdout(
    [
      "levelset: an embedded Kubernetes API, on this machine only, in memory: every start begins empty",
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
  // Objects are applied once: what people change of them afterwards stays.
  const first = options.apply === undefined ? [] : ["--apply", options.apply];
  if (run !== undefined) child.start([...run, ...first]);
  // The operator starts meanwhile, and is reloaded: nobody waits for the fleet or the console.
  const beside = startBeside({ ...options, kubeconfig, isFleetAlone: path === undefined }, server, signal, shell);
  if (path === undefined || run === undefined) {
    await beside;
    await aborted(signal);
  } else {
    const directory = dirname(path);
    for await (const changed of watchSources(directory, { clock: shell.clock, signal })) {
      shell.stdout(`reloading: ${relative(shell.cwd, join(directory, changed))} changed\n`);
      await child.stop();
      child.start([...run, ...(child.wasUp ? ["--again"] : first)]);
    }
  }
  const { fleet, console } = await beside;
  await console?.[Symbol.asyncDispose]();
  await Promise.all([child.stop(), fleet?.[Symbol.asyncDispose]()]);
}

interface Beside {
  readonly fleet: AsyncDisposable | undefined;
  readonly console: AsyncDisposable | undefined;
}

/** A fleet, and the console on all of it. Without them an operator runs all the same; a fleet alone is what was asked for, and must. */
async function startBeside(
  options: DevOptions & { readonly isFleetAlone: boolean },
  server: RunningServer,
  signal: AbortSignal,
  shell: Shell,
): Promise<Beside> {
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

/** The console on all of it. Like the fleet, it is nothing that the operator waits for, or cannot do without. */
async function startConsole(
  options: DevOptions,
  fleet: string | undefined,
  shell: Shell,
): Promise<AsyncDisposable | undefined> {
  if (!options.console) return undefined;
  const { kubeconfig, consolePort: port, allowActions = false, verbose } = options;
  try {
    const { openConsole } = await import("../console.ts");
    const opened = await openConsole(
      { kubeconfig, port, allowActions, ...(fleet === undefined ? {} : { fleet }) },
      shell,
    );
    // The operator and the fleet print meanwhile: it must make sense wherever it stands.
    shell.stdout(`\nIn a browser:\n  console     ${opened.url}\n\n`);
    return opened;
  } catch (error) {
    reportError(error, { stderr: shell.stderr, verbose });
    return undefined;
  }
}

/** A fleet beside the cluster. Loaded only now: the first screen does not wait for it. */
async function startFleet(
  { adapters, verbose }: DevOptions,
  server: RunningServer,
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
