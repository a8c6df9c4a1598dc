import { dirname, relative, resolve } from "node:path";
import { silentLogger } from "@levelset/core";
import type { Command } from "commander";
import { ChildOperator } from "../child.ts";
import { startServer } from "../embedded.ts";
import { reportError } from "../failure.ts";
import { KUBECONFIG_PATH } from "../kubeconfig-file.ts";
import { loadable } from "../load.ts";
import type { Shell } from "../shell.ts";
import { watchSources } from "../watch-sources.ts";
import { parsePort } from "./apiserver.ts";

interface DevOptions {
  readonly port: number;
  readonly kubeconfig: string;
  readonly apply?: string;
  readonly workloads: boolean;
  readonly fleet?: boolean;
  readonly operands?: string | true;
  readonly console: boolean;
  readonly consolePort: number;
  readonly allowActions?: boolean;
}

/** `levelset dev FILE`: the embedded server and the operators of a file on it, started anew whenever a source changes. */
export function addDevCommand(levelset: Command, shell: Shell): void {
  levelset
    .command("dev")
    .argument("<file>", "TypeScript or JavaScript file that exports an operator by default")
    .description("run an operator on an embedded API server, and reload it on save")
    .option("--apply <file>", "apply the objects of this YAML file at the start")
    .option("--port <number>", "the port of the API server; 0 takes a free one", parsePort, 0)
    .option("--kubeconfig <file>", "where to write the kubeconfig", KUBECONFIG_PATH)
    .option("--no-workloads", "do not simulate workloads: Deployments, Jobs and pods stay as they were written")
    .option("--fleet", "also run a fleet, in memory, with simulated adapters")
    .option("--operands [file]", "also keep Operands; with a file of manifests, one Operand of these")
    .option("--no-console", "do not serve the web console")
    .option("--console-port <number>", "the port of the web console; 0 takes a free one", parsePort, 0)
    .option("--allow-actions", "let the console edit, delete, suspend, resume and roll back")
    .action(async (file: string, options: DevOptions) =>
      dev(file, options, levelset.opts()["verbose"] === true, shell),
    );
}

async function dev(file: string, options: DevOptions, verbose: boolean, shell: Shell): Promise<void> {
  const path = await loadable(file, shell.cwd);
  const signal = shell.signal();
  await using server = await startServer({ ...options, cwd: shell.cwd, clock: shell.clock, logger: silentLogger });
  const kubeconfig = relative(shell.cwd, resolve(shell.cwd, options.kubeconfig));
  shell.stdout(
    [
      "levelset: an embedded Kubernetes API, in memory, on this machine only",
      "",
      `  API         ${server.url}`,
      `  kubeconfig  ${kubeconfig}`,
      `  operator    ${file}, reloaded on save`,
      "",
      "",
    ].join("\n"),
  );
  const child = new ChildOperator({ cwd: shell.cwd, stderr: shell.stderr });
  const base = [
    "run",
    file,
    "--kubeconfig",
    kubeconfig,
    "--install-crds",
    "--live",
    ...(options.console ? ["--figures"] : []),
    ...(verbose ? ["--verbose"] : []),
  ];
  child.start(options.apply === undefined ? base : [...base, "--apply", options.apply]);
  // The operator starts meanwhile: nobody waits for what is beside it, and it runs without that too.
  const tell = (error: unknown): undefined => {
    reportError(error, { stderr: shell.stderr, verbose });
    return undefined;
  };
  const fleet = options.fleet === true ? await startFleet(verbose, signal, shell).catch(tell) : undefined;
  const console = await startConsole({ ...options, kubeconfig, fleet: fleet?.url }, shell).catch(tell);
  const operands = await startSets({ ...options, kubeconfig }, shell).catch(tell);
  for await (const changed of watchSources(dirname(path), { clock: shell.clock, signal })) {
    shell.stdout(`reloading: ${changed} changed\n`);
    await child.stop();
    child.start(base);
  }
  await console?.[Symbol.asyncDispose]();
  await Promise.all([child.stop(), operands?.[Symbol.asyncDispose](), fleet?.[Symbol.asyncDispose]()]);
}

/** What keeps Operands, if that is asked for. */
async function startSets(
  { operands, kubeconfig }: Pick<DevOptions, "operands" | "kubeconfig">,
  shell: Shell,
): Promise<AsyncDisposable | undefined> {
  if (operands === undefined) return undefined;
  const { startOperands } = await import("../operand/index.ts");
  return startOperands({ kubeconfig, ...(operands === true ? {} : { file: operands }) }, shell);
}

/** The console on all of it. */
async function startConsole(
  options: Omit<DevOptions, "fleet"> & { readonly fleet: string | undefined },
  shell: Shell,
): Promise<AsyncDisposable | undefined> {
  const { kubeconfig, consolePort: port, allowActions = false, fleet } = options;
  if (!options.console) return undefined;
  const { openConsole } = await import("../console.ts");
  const opened = await openConsole(
    { kubeconfig, port, allowActions, ...(fleet === undefined ? {} : { fleet }) },
    shell,
  );
  shell.stdout(`  console     ${opened.url}\n\n`);
  return opened;
}

/** A fleet beside the cluster. Loaded only now: the first screen does not wait for it. */
async function startFleet(
  verbose: boolean,
  signal: AbortSignal,
  shell: Shell,
): Promise<AsyncDisposable & { readonly url: string }> {
  const { printResources, startDevFleet } = await import("../fleet-server/index.ts");
  const running = await startDevFleet({ memory: true, simulate: true, verbose }, shell);
  shell.stdout(
    `  fleet       ${running.client.url}, in memory\n  try         npx levelset create cluster eu-1 --set region=eu\n\n`,
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
