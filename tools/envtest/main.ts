import { parseArguments, HELP } from "./arguments.ts";
import type { EnvtestCommand } from "./arguments.ts";
import { findAssets } from "./assets.ts";
import { buildAssets } from "./build.ts";
import { startCluster } from "./cluster.ts";
import { messageOf } from "./errors.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_INTERRUPTED = 130;

async function obey(order: EnvtestCommand, signal: AbortSignal): Promise<number> {
  switch (order.kind) {
    case "build":
      return await build(signal);
    case "where":
      return await where();
    case "run":
      return await run(order.controllerManager, signal);
    case "help":
      process.stdout.write(HELP);
      return 0;
    case "unknown":
      say(order.line);
      return EXIT_USAGE;
  }
}

async function build(signal: AbortSignal): Promise<number> {
  const startedAt = performance.now();
  const assets = await buildAssets({ env: process.env, signal, progress: (line) => say(`envtest: ${line}`) });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  say(`envtest: Kubernetes ${assets.version ?? ""} is ready after ${seconds} s in`);
  process.stdout.write(`${assets.directory}\n`);
  const named = process.env["KUBEBUILDER_ASSETS"] ?? "";
  if (named !== "") say(`envtest: note that KUBEBUILDER_ASSETS is set, so tests use ${named} instead`);
  return 0;
}

async function where(): Promise<number> {
  const assets = await findAssets({ env: process.env });
  if (assets.kind === "absent") {
    say(assets.line);
    return EXIT_FAILED;
  }
  process.stdout.write(`${assets.directory}\n`);
  return 0;
}

async function run(controllerManager: boolean, signal: AbortSignal): Promise<number> {
  const assets = await findAssets({ env: process.env });
  if (assets.kind === "absent") {
    say(assets.line);
    return EXIT_FAILED;
  }
  const cluster = await startCluster({
    assets,
    controllerManager,
    signal,
    log: (message, fields) => say(`envtest: ${message} ${JSON.stringify(fields)}`),
  });
  try {
    process.stdout.write(`${cluster.kubeconfig}\n`);
    say(`envtest: Kubernetes ${cluster.version} at ${cluster.url}; Ctrl-C stops it and removes that file`);
    await aborted(signal);
  } finally {
    await cluster.stop();
  }
  return 0;
}

/** The running processes keep Node alive. */
async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => {
    signal.addEventListener("abort", resolve, { once: true });
  });
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** The first signal stops in order, the second immediately; started processes end in both cases. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED);
      controller.abort(new Error("envtest: interrupted"));
    });
  }
  return controller.signal;
}

const signal = interruption();
try {
  process.exitCode = await obey(parseArguments(process.argv.slice(2)), signal);
} catch (error) {
  say(messageOf(signal.aborted ? signal.reason : error));
  process.exitCode = signal.aborted ? EXIT_INTERRUPTED : EXIT_FAILED;
}
