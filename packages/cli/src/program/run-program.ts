import { randomUUID } from "node:crypto";
import { InputError, realRandom } from "@levelset/core";
import { LinkedAbortController, toError } from "@levelset/core/internal";
import type { AnyCustomKind, Logger, World } from "@levelset/core";
import { Client, connect, installCrd, manager } from "@levelset/operator";
import type { ClusterConfig, ManagerOptions } from "@levelset/operator";
import { explainRefusal, explainUnreachable, isFoundByDefault } from "../cluster/index.ts";
import type { SelectedCluster } from "../cluster/index.ts";
import { checkAccess } from "./access-check.ts";
import { printStatus } from "./print-status.ts";
import type { Program, RunFile } from "../process/index.ts";
import { commandLogger } from "../terminal/index.ts";
import type { LogFormat, Shell } from "../terminal/index.ts";
import { managerOptions } from "./manager-flags.ts";
import type { ManagerFlags } from "./manager-flags.ts";
import { applyManifest, readManifests } from "./read-manifests.ts";
import type { FileManifest } from "./read-manifests.ts";
import { thisMachine, writeRunFile } from "../process/index.ts";
import { suggestions } from "./suggestions.ts";

/** Options of {@link runProgram}. */
export interface RunProgramOptions extends ManagerFlags {
  /** Explicit kubeconfig. */
  readonly kubeconfig?: string;
  readonly installCrds?: boolean;
  /** File with objects to apply at the start. */
  readonly apply?: string;
  readonly printStatus?: boolean;
  /** With `live`: whether to record metrics, which cost memory and start-up time. */
  readonly metrics?: boolean;
  /** With `live`: whether this is a restart, which prints no suggestions. */
  readonly isRestart?: boolean;
  readonly logFormat: LogFormat;
  readonly verbose: boolean;
  /** File of the program, if any. */
  readonly file?: string;
}

/** Runs a program against a cluster until the process is stopped. Errors of the cluster become InputErrors with hints. */
export async function runProgram(
  program: Program,
  cluster: SelectedCluster,
  options: RunProgramOptions,
  shell: Shell,
): Promise<void> {
  const { file, verbose } = options;
  const { access } = cluster;
  checkManagerFlags(program, options);
  const kinds = [...program.operators, ...program.others].flatMap((each) => each.kinds ?? []);
  const { context, namespace } = access;
  const manifests =
    options.apply === undefined ? [] : await readManifests(options.apply, { cwd: shell.cwd, kinds, namespace });
  const configured = await managerOptions(options, { program, namespace, cwd: shell.cwd });
  const served = options.printStatus === true ? withEndpoints(configured, options.metrics === true) : configured;
  const managed = withRejections(served, shell);
  const logger = await commandLogger(shell, { format: options.logFormat, verbose });
  const signal = shell.signal();
  const connection = connect(access);
  const world: World = { fetch: connection.fetch, clock: shell.clock, random: realRandom, logger, signal };
  try {
    await prepare(world, { program, kinds, manifests, managed, install: options.installCrds === true });
    if (options.printStatus === true && options.isRestart !== true) {
      const kubeconfig = cluster.foundIn ?? options.kubeconfig;
      const isFound = kubeconfig !== undefined && isFoundByDefault(shell, kubeconfig);
      shell.stdout(suggestions({ kubeconfig, kinds, manifests, namespace, isFound }));
    }
    shell.onReady?.();
    await runAll(program, { managed, kinds, live: options.printStatus === true, access }, world, shell);
  } catch (error) {
    const refusal = explainRefusal(error, file === undefined ? { context } : { context, file });
    throw explainUnreachable(refusal, cluster, shell);
  } finally {
    await connection.close();
  }
}

const MANAGER_FLAGS = ["leaderElect", "listen", "namespaces", "grace", "qps", "burst"] as const;

/** Throws an InputError if manager flags are set for runnables that are not operators. */
function checkManagerFlags({ others }: Program, flags: ManagerFlags): void {
  const [other] = others;
  if (other === undefined) return;
  const flag = MANAGER_FLAGS.find((name) => flags[name] !== undefined);
  if (flag === undefined) return;
  throw new InputError(`${other.name} is not an operator: the manager flags do not apply to it`, {
    hint: "export it from a separate file, or omit the flags",
  });
}

/** With `--live`, operators serve their runs on loopback unless flags or the file set an address. */
function withEndpoints(managed: ManagerOptions, metrics: boolean): ManagerOptions {
  const endpoints = { port: 0, debugToken: randomUUID(), metrics };
  return managed.endpoints === undefined ? { ...managed, endpoints } : managed;
}

/** Reports unhandled rejections of this process, unless the file sets another source. */
function withRejections(managed: ManagerOptions, { rejections }: Shell): ManagerOptions {
  if (rejections === undefined) return managed;
  return { ...managed, unhandledRejections: { source: rejections, ...managed.unhandledRejections } };
}

interface Preparation {
  readonly program: Program;
  readonly kinds: readonly AnyCustomKind[];
  readonly manifests: readonly FileManifest[];
  readonly managed: ManagerOptions;
  readonly install: boolean;
}

async function prepare(world: World, preparation: Preparation): Promise<void> {
  const { program, kinds, manifests, managed, install } = preparation;
  const { signal } = world;
  const client = new Client({ fetch: world.fetch, fieldManager: "levelset-cli" });
  const [namespace] = managed.namespaces ?? [];
  for (const kind of install ? kinds : []) {
    const done = await installCrd(client, kind, { ...world, namespace });
    world.logger.debug("crd installed", { kind: kind.kind, done });
  }
  await checkAccess(client, program, { ...managed, signal });
  for (const manifest of manifests) await applyManifest(client, manifest, signal);
}

interface Running {
  readonly managed: ManagerOptions;
  readonly kinds: readonly AnyCustomKind[];
  /** Whether to print state changes of objects. */
  readonly live: boolean;
  readonly access: ClusterConfig;
}

/** Runs all runnables until the signal aborts. If one fails, the others are stopped. */
async function runAll(program: Program, running: Running, world: World, shell: Shell): Promise<void> {
  const { managed, kinds, live, access } = running;
  const { server, context } = access;
  const names = program.operators.map(({ name }) => name);
  const log = world.logger[live ? "debug" : "info"];
  const operators = [...names, ...program.others.map(({ name }) => name)].join(",");
  const logRunning = (): void => log("running", { operators, server, context });
  let runFile: Disposable | undefined;
  const onEndpoints = (url: string): void => {
    managed.onEndpoints?.(url);
    logRunning();
    log("listening", { url });
    runFile = tryWriteRunFile({ url, operators: names, server }, managed, world.logger, shell);
  };
  // With endpoints, it counts as running only once they listen.
  if (managed.endpoints === undefined || names.length === 0) logRunning();
  using stop = new LinkedAbortController([world.signal]);
  const inner = { ...world, signal: stop.signal };
  const all = [
    ...(names.length === 0 ? [] : [manager(program.operators, { ...managed, onEndpoints })]),
    ...program.others,
  ].map((runnable) => runnable.start(inner));
  if (live) {
    const print = (line: string): void => shell.stdout(`${line}\n`);
    all.push(
      printStatus(
        { kinds, namespaces: managed.namespaces },
        { ...inner, logger: withoutWarnings(world.logger) },
        print,
      ),
    );
  }
  try {
    await Promise.all(all);
  } finally {
    stop.abort();
    await Promise.allSettled(all);
    runFile?.[Symbol.dispose]();
  }
}

/** Writes the run file. A failure is only logged. */
function tryWriteRunFile(
  run: Omit<RunFile, "pid" | "token">,
  { endpoints }: ManagerOptions,
  logger: Logger,
  shell: Shell,
): Disposable | undefined {
  const { debugToken: token } = endpoints ?? {};
  try {
    return writeRunFile(
      { ...run, pid: process.pid, ...(token === undefined ? {} : { token }) },
      thisMachine(shell.env),
    );
  } catch (error) {
    logger.warn("cannot write the run file; levelset why and trace will not find this process", {
      err: toError(error),
    });
    return undefined;
  }
}

/** Suppresses warnings: the operator's own informers already log connection errors. */
function withoutWarnings(logger: Logger): Logger {
  return { ...logger, warn: (message, fields) => logger.debug(message, fields) };
}
