import { formatKey, InputError } from "@levelset/core";
import type { ObjectKey } from "@levelset/core";
import { compareRuns, kindNamed } from "@levelset/operator";
import type { ControllerJson, RunJson } from "@levelset/operator";
import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import { findCluster } from "../access.ts";
import type { AskedCluster } from "../access.ts";
import { addClusterFlags, describeCluster } from "../cluster-session.ts";
import type { ClusterFlags } from "../cluster-session.ts";
import { keyIn, parseObjectWord } from "../object-word.ts";
import type { ObjectWord } from "../object-word.ts";
import { askForRuns, describeProcess, findProcesses, isAbout } from "../run-process.ts";
import type { ProcessAnswers, ProcessFlags, RunProcess } from "../run-process.ts";
import { ServerNotRunning } from "../server-memory.ts";
import type { Shell } from "../shell.ts";
import { traceText } from "../trace-text.ts";

interface TraceFlags extends ProcessFlags, ClusterFlags {
  readonly namespace?: string;
  readonly last: number;
  readonly follow?: boolean;
  readonly output: "text" | "json";
}

/** How many runs of an object a process keeps: more is not to be had. */
const RUNS_KEPT = 20;
/** How often `--follow` asks. */
const ASK_AGAIN_MS = 500;

/** `levelset trace OBJECT`: the last runs of an object, why each was and what came of it. */
export function addTraceCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("trace")
    .argument("<object...>", "KIND/NAME or KIND NAME; the kind by any name that kubectl takes")
    .description("show why an object was reconciled, what its steps did and what was written")
    .option("-n, --namespace <name>", "where the object is (default: the namespace of the context)");
  addClusterFlags(command)
    .option("--last <number>", `how many runs, newest first; processes keep ${RUNS_KEPT}`, parseLast, 10)
    .option("--follow", "go on with new runs as they come, newest last")
    .addOption(new Option("-o, --output <format>", "how to answer").choices(["text", "json"]).default("text"))
    .option("--url <address>", "the operator to ask (default: those on this machine that work on the cluster)")
    .option("--token-file <file>", "a file with the bearer token for --url")
    .action(async (words: readonly string[], flags: TraceFlags) => trace(parseObjectWord(words), flags, shell));
}

async function trace(word: ObjectWord, flags: TraceFlags, shell: Shell): Promise<void> {
  const asked = await clusterOf(flags, shell);
  const processes = await processesOn(asked, flags, shell);
  const signal = shell.signal();
  const ask = (key: ObjectKey): Promise<ProcessAnswers> => askForRuns(processes, key, { clock: shell.clock, signal });
  const namespace = flags.namespace ?? asked?.access.namespace ?? "default";
  const controller = controllerNamed(word, await ask({ namespace, name: word.name }), processes);
  const key = keyIn(controller, word.name, namespace);
  const runs = runsOf(controller, await ask(key));
  if (runs.length === 0 && flags.follow !== true) {
    throw new InputError(`no run of ${controller.singular} ${formatKey(key)} is recorded`, {
      hint: `check the name and -n; operators remember the latest runs for as long as they run; ${askedOf(processes)}`,
    });
  }
  const latest = runs.slice(-flags.last);
  print(flags.follow === true ? latest : latest.toReversed(), flags, shell);
  let known = new Set(runs.map(idOf));
  while (flags.follow === true) {
    await shell.clock.sleep(ASK_AGAIN_MS, signal);
    const now = runsOf(controller, await ask(key));
    const fresh = now.filter((run) => !known.has(idOf(run)));
    if (fresh.length >= RUNS_KEPT) shell.stderr("there were more runs than are kept: some are left out\n");
    print(fresh, flags, shell);
    known = new Set(now.map(idOf));
  }
}

/** The cluster that the question is about, if any: runs can be asked for without one. */
async function clusterOf(flags: TraceFlags, shell: Shell): Promise<AskedCluster | undefined> {
  try {
    return await findCluster(shell, flags);
  } catch (error) {
    const isNamed = flags.kubeconfig !== undefined || flags.context !== undefined;
    // Operators of other clusters may know objects of the same names.
    const isGone = error instanceof ServerNotRunning && flags.url === undefined;
    if (!isNamed && !isGone && error instanceof InputError) return undefined;
    throw error;
  }
}

/** The processes to ask: the one that is named, else those that work on the cluster. Others may know objects of the same names. */
async function processesOn(
  asked: AskedCluster | undefined,
  flags: TraceFlags,
  shell: Shell,
): Promise<readonly RunProcess[]> {
  const all = await findProcesses(flags, shell);
  if (flags.url !== undefined) return all;
  const here = asked === undefined ? all : all.filter((process) => isAbout(process, asked.access.server));
  if (here.length > 0) return here;
  const where = asked === undefined || all.length === 0 ? "" : ` for ${describeCluster(asked)}`;
  const others =
    all.length === 0 ? "" : `; --kubeconfig names another cluster: there are ${all.map(describeProcess).join(", ")}`;
  throw new InputError(`no operator that tells its runs was found on this machine${where}`, {
    hint: `levelset dev FILE starts one, and so does levelset run FILE --listen 0; --url names one that runs elsewhere${others}`,
  });
}

/** The controller that reconciles a kind, in whichever process. */
function controllerNamed(
  word: ObjectWord,
  { told, silent }: ProcessAnswers,
  processes: readonly RunProcess[],
): ControllerJson {
  const [failed] = silent;
  if (told.length === 0 && failed !== undefined) {
    throw new InputError(`${describeProcess(failed.process)} does not tell its runs: ${failed.why}`, {
      hint: "is it still running, and is the token the one that it was started with?",
    });
  }
  const controllers = told.flatMap((each) => each.controllers);
  const different = new Map(controllers.map((each) => [`${each.kind}.${each.group}`, each]));
  try {
    return kindNamed(word.kind, [...different.values()]);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${error.message} that an operator on this machine reconciles`, { hint: askedOf(processes) });
  }
}

function askedOf(processes: readonly RunProcess[]): string {
  return `asked ${processes.map(describeProcess).join(", ")}`;
}

/** A run and the process that it ran in. */
interface FoundRun extends RunJson {
  readonly process: string;
}

/** The runs of a controller in all processes, oldest first. */
function runsOf({ name, group, kind }: ControllerJson, { told }: ProcessAnswers): readonly FoundRun[] {
  return told
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
  throw new InvalidArgumentError("a number from 1 to 9999.");
}
