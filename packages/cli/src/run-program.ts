import { randomUUID } from "node:crypto";
import { InputError, realRandom, toError } from "@levelset/core";
import type { AnyCustomKind, Logger, World } from "@levelset/core";
import { Client, connect, installKind, manager } from "@levelset/operator";
import type { ClusterAccess, ManagerOptions } from "@levelset/operator";
import { isFoundByDefault } from "./access.ts";
import { checkAccess } from "./access-check.ts";
import { printLive } from "./live.ts";
import type { Program } from "./load.ts";
import { commandLogger } from "./log.ts";
import type { LogFormat } from "./log.ts";
import { managerOptions } from "./manager-flags.ts";
import type { ManagerFlags } from "./manager-flags.ts";
import { applyManifest, readManifests } from "./manifests.ts";
import type { Manifest } from "./manifests.ts";
import { explainRefusal } from "./refusal.ts";
import { thisMachine, writeRunFile } from "./run-file.ts";
import type { RunFile } from "./run-file.ts";
import type { Shell } from "./shell.ts";
import { suggestions } from "./suggestions.ts";

/** How a program is run against a cluster. */
export interface RunProgramOptions extends ManagerFlags {
  /** The kubeconfig, if one was named. */
  readonly kubeconfig?: string;
  readonly installCrds?: boolean;
  /** A file with objects to apply at the start. */
  readonly apply?: string;
  readonly live?: boolean;
  /** With `live`: whether figures are kept too. They cost memory and start-up time. */
  readonly figures?: boolean;
  /** With `live`: whether it is started anew, so that what to try has been said. */
  readonly again?: boolean;
  readonly logFormat: LogFormat;
  readonly verbose: boolean;
  /** The file that the program is from, if any. */
  readonly file?: string;
}

/** Runs a program against a cluster until somebody asks the process to stop. */
export async function runProgram(
  program: Program,
  access: ClusterAccess,
  options: RunProgramOptions,
  shell: Shell,
): Promise<void> {
  const { file, verbose } = options;
  checkReach(program, options);
  const kinds = [...program.operators, ...program.others].flatMap((each) => each.kinds ?? []);
  const { context, namespace } = access;
  const manifests =
    options.apply === undefined ? [] : await readManifests(options.apply, { cwd: shell.cwd, kinds, namespace });
  const told = await managerOptions(options, { program, namespace, cwd: shell.cwd });
  const managed = options.live === true ? askable(told, options.figures === true) : told;
  const logger = await commandLogger(shell, { format: options.logFormat, verbose });
  const signal = shell.signal();
  const connection = connect(access);
  const world: World = { fetch: connection.fetch, clock: shell.clock, random: realRandom, logger, signal };
  try {
    await prepare(world, { program, kinds, manifests, managed, install: options.installCrds === true });
    if (options.live === true && options.again !== true) {
      const { kubeconfig } = options;
      const isFound = kubeconfig !== undefined && isFoundByDefault(shell, kubeconfig);
      shell.stdout(suggestions({ kubeconfig, kinds, manifests, namespace, isFound }));
    }
    shell.isUp?.();
    await runAll(program, { managed, kinds, live: options.live === true, access }, world, shell);
  } catch (error) {
    throw explainRefusal(error, file === undefined ? { context } : { context, file });
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

/** Whoever watches operators live will want to ask them why: they answer on this machine, unless flags or their file say where. */
function askable(managed: ManagerOptions, metrics: boolean): ManagerOptions {
  const endpoints = { port: 0, debugToken: randomUUID(), metrics };
  return managed.endpoints === undefined ? { ...managed, endpoints } : managed;
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
  readonly access: ClusterAccess;
}

/** Runs everything until the signal aborts. When one cannot go on, the others are stopped too. */
async function runAll(program: Program, running: Running, world: World, shell: Shell): Promise<void> {
  const { managed, kinds, live, access } = running;
  const { server, context } = access;
  const names = program.operators.map(({ name }) => name);
  const say = world.logger[live ? "debug" : "info"];
  const operators = [...names, ...program.others.map(({ name }) => name)].join(",");
  const sayRunning = (): void => say("running", { operators, server, context });
  let runFile: Disposable | undefined;
  const onEndpoints = (url: string): void => {
    managed.onEndpoints?.(url);
    sayRunning();
    say("listening", { url });
    runFile = announce({ url, operators: names, server }, managed, world.logger, shell);
  };
  // Where it listens, it runs only if it can.
  if (managed.endpoints === undefined || names.length === 0) sayRunning();
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
    logger.warn("others will not find this process", { error: toError(error) });
    return undefined;
  }
}

/** The operator's own watch already logs what goes wrong on the way to the cluster. */
function quiet(logger: Logger): Logger {
  return { ...logger, warn: (message, fields) => logger.debug(message, fields) };
}
