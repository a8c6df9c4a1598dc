import { InputError, realRandom } from "@levelset/core";
import type { AnyCustomKind, Logger, Runnable, World } from "@levelset/core";
import { Client, connect, installKind, isServed } from "@levelset/operator";
import type { Command } from "commander";
import { Option } from "commander";
import { findCluster } from "../access.ts";
import { printLive } from "../live.ts";
import { loadRunnables } from "../load.ts";
import { commandLogger } from "../log.ts";
import type { LogFormat } from "../log.ts";
import { applyManifest, readManifests } from "../manifests.ts";
import type { Manifest } from "../manifests.ts";
import type { Shell } from "../shell.ts";
import { suggestions } from "../suggestions.ts";

interface RunOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly installCrds?: boolean;
  readonly apply?: string;
  readonly live?: boolean;
  readonly logFormat: LogFormat;
}

/** `levelset run FILE`: runs the operators of a file against a cluster. */
export function addRunCommand(levelset: Command, shell: Shell): void {
  levelset
    .command("run")
    .argument("<file>", "TypeScript or JavaScript file that exports an operator by default")
    .description("run an operator against a cluster")
    .option("--kubeconfig <file>", "the cluster (default: KUBECONFIG, the pod's service account, or ~/.kube/config)")
    .option("--context <name>", "a context of the kubeconfig other than the current one")
    .option("--install-crds", "create or update the CRDs of the operator's kinds first")
    .option("--apply <file>", "then apply the objects of this YAML file")
    .option("--live", "print a line whenever the conditions of an object change")
    .addOption(new Option("--log-format <format>", "how log lines look").choices(["text", "json"]).default("text"))
    .action(async (file: string, options: RunOptions) =>
      run(file, options, levelset.opts()["verbose"] === true, shell),
    );
}

async function run(file: string, options: RunOptions, verbose: boolean, shell: Shell): Promise<void> {
  const runnables = await loadRunnables(file, shell.cwd);
  const kinds = runnables.flatMap((runnable) => runnable.kinds ?? []);
  const access = await findCluster(shell, options);
  const manifests =
    options.apply === undefined
      ? []
      : await readManifests(options.apply, { cwd: shell.cwd, kinds, namespace: access.namespace });
  const logger = await commandLogger(shell, { format: options.logFormat, verbose });
  const signal = shell.signal();
  const connection = connect(access);
  const world: World = { fetch: connection.fetch, clock: shell.clock, random: realRandom, logger, signal };
  try {
    await prepare(world, kinds, manifests, options.installCrds === true);
    logger.debug("operator started", { file, server: access.server, context: access.context });
    if (options.live === true) {
      shell.stdout(suggestions({ kubeconfig: options.kubeconfig, kinds, manifests, namespace: access.namespace }));
    }
    await runAll(runnables, kinds, world, options.live === true ? (line) => shell.stdout(`${line}\n`) : undefined);
  } finally {
    await connection.close();
  }
}

async function prepare(
  world: World,
  kinds: readonly AnyCustomKind[],
  manifests: readonly Manifest[],
  install: boolean,
): Promise<void> {
  const client = new Client({ fetch: world.fetch, fieldManager: "levelset-cli" });
  for (const kind of kinds) {
    if (install) {
      const done = await installKind(client, kind, world);
      world.logger.debug("crd installed", { kind: kind.kind, done });
    } else if (!(await isServed(client, kind, world.signal))) {
      throw new InputError(`the cluster does not know the kind ${kind.kind} of ${kind.group}/${kind.version}`, {
        hint: "install its CRD first, or run with --install-crds",
      });
    }
  }
  for (const manifest of manifests) await applyManifest(client, manifest, world.signal);
}

async function runAll(
  runnables: readonly Runnable[],
  kinds: readonly AnyCustomKind[],
  world: World,
  print: ((line: string) => void) | undefined,
): Promise<void> {
  const live = print === undefined ? [] : [printLive(kinds, { ...world, logger: quiet(world.logger) }, print)];
  await Promise.all([...runnables.map((runnable) => runnable.start(world)), ...live]);
}

/** The operator's own watch already logs what goes wrong on the way to the cluster. */
function quiet(logger: Logger): Logger {
  return { ...logger, warn: (message, fields) => logger.debug(message, fields) };
}
