import { InputError, realRandom, toError } from "@levelset/core";
import type { AnyCustomKind, Logger, World } from "@levelset/core";
import { Client, connect, installKind, manager } from "@levelset/operator";
import type { ManagerOptions } from "@levelset/operator";
import type { Command } from "commander";
import { Option } from "commander";
import { checkAccess } from "../access-check.ts";
import { findCluster } from "../access.ts";
import { printLive } from "../live.ts";
import { loadProgram } from "../load.ts";
import type { Program } from "../load.ts";
import { commandLogger } from "../log.ts";
import type { LogFormat } from "../log.ts";
import { addManagerFlags, managerOptions } from "../manager-flags.ts";
import type { ManagerFlags } from "../manager-flags.ts";
import { applyManifest, readManifests } from "../manifests.ts";
import type { Manifest } from "../manifests.ts";
import { explainRefusal } from "../refusal.ts";
import { thisMachine, writeRunFile } from "../run-file.ts";
import type { Shell } from "../shell.ts";
import { suggestions } from "../suggestions.ts";

interface RunOptions extends ManagerFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly installCrds?: boolean;
  readonly apply?: string;
  readonly live?: boolean;
  readonly logFormat: LogFormat;
}

/** `levelset run FILE`: runs the operators of a file against a cluster. */
export function addRunCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("run")
    .argument("<file>", "TypeScript or JavaScript file that exports an operator by default")
    .description("run an operator against a cluster")
    .option("--kubeconfig <file>", "the cluster (default: KUBECONFIG, the pod's service account, or ~/.kube/config)")
    .option("--context <name>", "a context of the kubeconfig other than the current one")
    .option("--install-crds", "create or update the CRDs of the operator's kinds first")
    .option("--apply <file>", "then apply the objects of this YAML file")
    .option("--live", "print a line whenever the conditions of an object change");
  addManagerFlags(command)
    .addOption(new Option("--log-format <format>", "how log lines look").choices(["text", "json"]).default("text"))
    .action(async (file: string, options: RunOptions) =>
      run(file, options, levelset.opts()["verbose"] === true, shell),
    );
}

async function run(file: string, options: RunOptions, verbose: boolean, shell: Shell): Promise<void> {
  const program = await loadProgram(file, shell.cwd);
  checkReach(program, options);
  const kinds = [...program.operators, ...program.others].flatMap((each) => each.kinds ?? []);
  const access = await findCluster(shell, options);
  const { context, namespace } = access;
  const manifests =
    options.apply === undefined ? [] : await readManifests(options.apply, { cwd: shell.cwd, kinds, namespace });
  const managed = await managerOptions(options, { program, namespace, cwd: shell.cwd });
  const logger = await commandLogger(shell, { format: options.logFormat, verbose });
  const signal = shell.signal();
  const connection = connect(access);
  const world: World = { fetch: connection.fetch, clock: shell.clock, random: realRandom, logger, signal };
  try {
    await prepare(world, { program, kinds, manifests, managed, install: options.installCrds === true });
    logger.debug("operator started", { file, server: access.server, context });
    if (options.live === true) {
      shell.stdout(suggestions({ kubeconfig: options.kubeconfig, kinds, manifests, namespace }));
    }
    await runAll(program, { managed, kinds, live: options.live === true }, world, shell);
  } catch (error) {
    throw explainRefusal(error, { context, file });
  } finally {
    await connection.close();
  }
}

/** Only operators can be elected, scoped and asked: who wants that for something else must hear that it does not happen. */
function checkReach({ others }: Program, flags: ManagerFlags): void {
  const [other] = others;
  if (other === undefined) return;
  const given = (["leaderElect", "listen", "namespaces", "grace"] as const).find((flag) => flags[flag] !== undefined);
  if (given === undefined) return;
  throw new InputError(`${other.name} is not an operator, so the flags about how operators are run do not reach it`, {
    hint: "export it from a file of its own, or leave the flags out",
  });
}

interface Preparation {
  readonly program: Program;
  readonly kinds: readonly AnyCustomKind[];
  readonly manifests: readonly Manifest[];
  readonly managed: ManagerOptions;
  readonly install: boolean;
}

async function prepare(world: World, preparation: Preparation): Promise<void> {
  const { program, kinds, manifests, managed, install } = preparation;
  const { signal } = world;
  const client = new Client({ fetch: world.fetch, fieldManager: "levelset-cli" });
  const [namespace] = managed.namespaces ?? [];
  for (const kind of install ? kinds : []) {
    const done = await installKind(client, kind, { ...world, namespace });
    world.logger.debug("crd installed", { kind: kind.kind, done });
  }
  await checkAccess(client, program, { ...managed, signal });
  for (const manifest of manifests) await applyManifest(client, manifest, signal);
}

interface Running {
  readonly managed: ManagerOptions;
  readonly kinds: readonly AnyCustomKind[];
  /** Whether to print what happens to objects. */
  readonly live: boolean;
}

/** Runs everything until the signal aborts. When one cannot go on, the others are stopped too. */
async function runAll(program: Program, running: Running, world: World, shell: Shell): Promise<void> {
  const { managed, kinds, live } = running;
  const names = program.operators.map(({ name }) => name);
  let runFile: Disposable | undefined;
  const onEndpoints = (url: string): void => {
    managed.onEndpoints?.(url);
    world.logger.info("listening", { url });
    runFile = announce(url, managed, names, world.logger, shell);
  };
  const stop = new AbortController();
  const onStop = (): void => stop.abort();
  world.signal.addEventListener("abort", onStop, { once: true });
  if (world.signal.aborted) onStop();
  const inner = { ...world, signal: stop.signal };
  const all = [
    ...(names.length === 0 ? [] : [manager(program.operators, { ...managed, onEndpoints })]),
    ...program.others,
  ].map((runnable) => runnable.start(inner));
  if (live) {
    const print = (line: string): void => shell.stdout(`${line}\n`);
    all.push(printLive({ kinds, namespaces: managed.namespaces }, { ...inner, logger: quiet(world.logger) }, print));
  }
  try {
    await Promise.all(all);
  } finally {
    stop.abort();
    await Promise.allSettled(all);
    runFile?.[Symbol.dispose]();
  }
}

/** Leaves word of where this process answers. Nothing depends on it, so a disk that cannot be written is no reason to stop. */
function announce(
  url: string,
  { endpoints }: ManagerOptions,
  operators: readonly string[],
  logger: Logger,
  shell: Shell,
): Disposable | undefined {
  const { debugToken: token } = endpoints ?? {};
  try {
    const run = { url, pid: process.pid, operators, ...(token === undefined ? {} : { token }) };
    return writeRunFile(run, thisMachine(shell.env));
  } catch (error) {
    logger.warn("others will not find this process", { error: toError(error) });
    return undefined;
  }
}

/** The operator's own watch already logs what goes wrong on the way to the cluster. */
function quiet(logger: Logger): Logger {
  return { ...logger, warn: (message, fields) => logger.debug(message, fields) };
}
