import { formatKey, InputError } from "@levelset/core";
import type { ObjectKey } from "@levelset/core";
import { compareRuns, resolveKind } from "@levelset/operator/internal";
import type { ControllerJson, RunJson } from "@levelset/operator/internal";
import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import {
  addClusterFlags,
  describeCluster,
  findCluster,
  objectKeyIn,
  parseObjectArg,
  ServerNotRunning,
} from "../cluster/index.ts";
import type { ClusterFlags, ObjectArg, SelectedCluster } from "../cluster/index.ts";
import { describeProcess, fetchRuns, findProcesses, worksOnCluster } from "../process/index.ts";
import type { ProcessFlags, ProcessResponses, RunProcess } from "../process/index.ts";
import type { Shell } from "../terminal/index.ts";
import { traceText } from "../explain/index.ts";
import { examples, outputOption } from "../options/index.ts";

interface TraceFlags extends ProcessFlags, ClusterFlags {
  readonly namespace?: string;
  readonly last: number;
  readonly follow?: boolean;
  readonly output: "text" | "json";
}

/** Number of runs per object that an operator process retains. */
const RUNS_RETAINED = 20;
/** Poll interval of `--follow`. */
const POLL_MS = 500;

/** `levelset trace OBJECT`: prints the latest runs of an object with their triggers and results. */
export function addTraceCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("trace")
    .argument("<object...>", "KIND/NAME or KIND NAME; KIND as in kubectl")
    .description("show the latest reconciles of an object: triggers, steps, writes")
    .option("-n, --namespace <name>", "namespace of the object (default: that of the context)");
  addClusterFlags(command)
    .option("--last <number>", `number of runs, newest first; operators retain ${RUNS_RETAINED}`, parseLast, 10)
    .option("--follow", "print new runs as they finish, newest last")
    .addOption(outputOption("text", "json"))
    .option("--url <address>", "URL of the operator (default: operators of the cluster on this machine)")
    .option("--token-file <file>", "file with the bearer token for --url")
    .addHelpText(
      "after",
      examples("levelset trace simple/ten-by-five --last 3", "levelset trace simple/ten-by-five --follow"),
    )
    .action(async (args: readonly string[], flags: TraceFlags) => trace(parseObjectArg(args), flags, shell));
}

async function trace(object: ObjectArg, flags: TraceFlags, shell: Shell): Promise<void> {
  const cluster = await clusterOf(flags, shell);
  const processes = await processesOn(cluster, flags, shell);
  const signal = shell.signal();
  const fetch = (key: ObjectKey): Promise<ProcessResponses> =>
    fetchRuns(processes, key, { clock: shell.clock, signal });
  const namespace = flags.namespace ?? cluster?.access.namespace ?? "default";
  const controller = controllerNamed(object, await fetch({ namespace, name: object.name }), processes);
  const key = objectKeyIn(controller, object.name, namespace);
  const runs = runsOf(controller, await fetch(key));
  if (runs.length === 0 && flags.follow !== true) {
    throw new InputError(`no run of ${controller.singular} ${formatKey(key)} is recorded`, {
      hint: `check the name and -n; operators retain runs only while they run; ${queriedText(processes)}`,
    });
  }
  const latest = runs.slice(-flags.last);
  print(flags.follow === true ? latest : latest.toReversed(), flags, shell);
  let known = new Set(runs.map(idOf));
  while (flags.follow === true) {
    await shell.clock.sleep(POLL_MS, signal);
    const now = runsOf(controller, await fetch(key));
    const fresh = now.filter((run) => !known.has(idOf(run)));
    if (fresh.length >= RUNS_RETAINED)
      shell.stderr("some runs are missing: more runs finished than operators retain\n");
    print(fresh, flags, shell);
    known = new Set(now.map(idOf));
  }
}

/** Returns the selected cluster, or undefined: runs can be queried without a cluster. */
async function clusterOf(flags: TraceFlags, shell: Shell): Promise<SelectedCluster | undefined> {
  try {
    return await findCluster(shell, flags);
  } catch (error) {
    const isNamed = flags.kubeconfig !== undefined || flags.context !== undefined;
    // Operators of other clusters may have objects of the same names.
    const isEnded = error instanceof ServerNotRunning && flags.url === undefined;
    if (!isNamed && !isEnded && error instanceof InputError) return undefined;
    throw error;
  }
}

/** Returns the process of `--url`, else those of the cluster: other clusters may have objects of the same names. */
async function processesOn(
  cluster: SelectedCluster | undefined,
  flags: TraceFlags,
  shell: Shell,
): Promise<readonly RunProcess[]> {
  const all = await findProcesses(flags, shell);
  if (flags.url !== undefined) return all;
  const here = cluster === undefined ? all : all.filter((process) => worksOnCluster(process, cluster.access.server));
  if (here.length > 0) return here;
  const where = cluster === undefined || all.length === 0 ? "" : ` for ${describeCluster(cluster)}`;
  const others =
    all.length === 0
      ? ""
      : `; operators of other clusters (select with --kubeconfig): ${all.map(describeProcess).join(", ")}`;
  throw new InputError(`no operator that serves its runs was found on this machine${where}`, {
    hint: `start one with levelset dev FILE or levelset run FILE --listen 0, or pass the --url of a remote one${others}`,
  });
}

/** Finds the controller that reconciles a kind in any of the processes. */
function controllerNamed(
  object: ObjectArg,
  { responses, unreachable }: ProcessResponses,
  processes: readonly RunProcess[],
): ControllerJson {
  const [failed] = unreachable;
  if (responses.length === 0 && failed !== undefined) {
    throw new InputError(`${describeProcess(failed.process)} cannot be queried for runs: ${failed.why}`, {
      hint: "check that it is running and that the token is the one it was started with",
    });
  }
  const controllers = responses.flatMap((each) => each.controllers);
  const different = new Map(controllers.map((each) => [`${each.kind}.${each.group}`, each]));
  try {
    return resolveKind(object.kind, [...different.values()]);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${error.message} reconciled by an operator on this machine`, {
      hint: queriedText(processes),
    });
  }
}

function queriedText(processes: readonly RunProcess[]): string {
  return `queried ${processes.map(describeProcess).join(", ")}`;
}

/** A run and the process that it ran in. */
interface FoundRun extends RunJson {
  readonly process: string;
}

/** Returns the runs of a controller in all processes, oldest first. */
function runsOf({ name, group, kind }: ControllerJson, { responses }: ProcessResponses): readonly FoundRun[] {
  return responses
    .filter(({ controllers }) => controllers.some((each) => each.kind === kind && each.group === group))
    .flatMap(({ runs, process }) => runs.map((run) => ({ ...run, process: process.url })))
    .filter(({ controller }) => controller === name)
    .toSorted(compareRuns);
}

function idOf({ process, number }: FoundRun): string {
  return `${process} ${number}`;
}

function print(runs: readonly FoundRun[], { output }: TraceFlags, { stdout, terminal }: Shell): void {
  for (const run of runs) {
    stdout(
      output === "json"
        ? `${JSON.stringify(run)}\n`
        : traceText(run, { columns: terminal?.columns, colors: terminal?.colors ?? false }),
    );
  }
}

function parseLast(text: string): number {
  if (/^[1-9]\d{0,3}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError("write a number from 1 to 9999.");
}
