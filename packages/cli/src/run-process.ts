import { formatKey, InputError, isAbort, isJsonObject, toError } from "@levelset/core";
import type { Clock, ObjectKey } from "@levelset/core";
import type { RunsJson } from "@levelset/operator";
import { printable } from "./paint.ts";
import { readRunFiles, thisMachine } from "./run-file.ts";
import type { RunFile } from "./run-file.ts";
import type { Shell } from "./shell.ts";
import { readTokenFile } from "./token-file.ts";

/** A process that operators run in, as far as it can be asked about them. */
export type RunProcess = Pick<RunFile, "url" | "token" | "server"> & Partial<Pick<RunFile, "pid" | "operators">>;

/** What processes said about an object. */
export interface ProcessAnswers {
  readonly told: readonly ProcessRuns[];
  /** Those that did not answer, or not to us. */
  readonly silent: readonly { readonly process: RunProcess; readonly why: string }[];
}

/** What one process said. */
export interface ProcessRuns extends RunsJson {
  readonly process: RunProcess;
}

/** Flags that name a process. */
export interface ProcessFlags {
  readonly url?: string;
  readonly tokenFile?: string;
}

/** What asking takes. */
export interface AskWorld {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** How long a process may take to answer. */
const PATIENCE_MS = 3_000;

/** The processes to ask: the one that flags name, else those of this user on this machine. */
export async function findProcesses(flags: ProcessFlags, shell: Shell): Promise<readonly RunProcess[]> {
  const { url, tokenFile } = flags;
  if (url === undefined && tokenFile !== undefined)
    throw new InputError("--token-file without --url: nobody is shown it");
  if (url === undefined) return readRunFiles(thisMachine(shell.env));
  if (!URL.canParse(url) || !/^https?:/u.test(url)) {
    throw new InputError(`${JSON.stringify(url)} is not an address`, { hint: "write one like http://127.0.0.1:8080" });
  }
  return [{ url, ...(tokenFile === undefined ? {} : { token: await readTokenFile(tokenFile, shell.cwd) }) }];
}

/** Whether a process may work on a cluster: those of others may have objects of the same names. */
export function isAbout({ server }: RunProcess, asked: string): boolean {
  return server === undefined || new URL(server).href === new URL(asked).href;
}

/** Asks processes for the runs of the objects with a key, of whatever kind; without a key for the latest run of every object. */
export async function askForRuns(
  processes: readonly RunProcess[],
  key: ObjectKey | undefined,
  world: AskWorld,
): Promise<ProcessAnswers> {
  const answers = await Promise.all(
    processes.map(async (process) => ({ process, answer: await ask(process, key, world) })),
  );
  return {
    told: answers.flatMap(({ process, answer }) => (typeof answer === "string" ? [] : [{ ...answer, process }])),
    silent: answers.flatMap(({ process, answer }) => (typeof answer === "string" ? [{ process, why: answer }] : [])),
  };
}

/** The figures of a process, as Prometheus reads them; undefined where it keeps none, or does not answer. */
export async function askForFigures(process: RunProcess, world: AskWorld): Promise<string | undefined> {
  const answer = await get(process, new URL("/metrics", process.url), world);
  return answer.kind === "told" ? answer.body : undefined;
}

/** What a process tells, or why it does not. */
async function ask(process: RunProcess, key: ObjectKey | undefined, world: AskWorld): Promise<RunsJson | string> {
  const url = new URL("/debug/runs", process.url);
  if (key !== undefined) url.searchParams.set("object", formatKey(key));
  const answer = await get(process, url, world);
  if (answer.kind === "silent") return answer.why;
  try {
    const told: unknown = JSON.parse(answer.body);
    return isRunsJson(told) ? told : "it is of another version of levelset";
  } catch (error) {
    return toError(error).message;
  }
}

type Answer = { readonly kind: "told"; readonly body: string } | { readonly kind: "silent"; readonly why: string };

async function get(process: RunProcess, url: URL, { clock, signal }: AskWorld): Promise<Answer> {
  const enough = new AbortController();
  const stop = (): void => enough.abort();
  const timer = clock.after(PATIENCE_MS, stop);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const headers = process.token === undefined ? {} : { authorization: `Bearer ${process.token}` };
    const response = await fetch(url, { headers, redirect: "error", signal: enough.signal });
    const body = await response.text();
    if (response.ok) return { kind: "told", body };
    return { kind: "silent", why: printable(body) || `HTTP ${response.status}` };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "silent", why: isAbort(error) ? `no answer within ${PATIENCE_MS / 1_000} s` : causeOf(error) };
  } finally {
    timer.cancel();
    signal.removeEventListener("abort", stop);
  }
}

/** `fetch failed` says nothing; what it was caused by does. */
function causeOf(thrown: unknown): string {
  const error = toError(thrown);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Whether an answer has the shape that this version of the command knows. */
function isRunsJson(value: unknown): value is RunsJson {
  if (!isJsonObject(value)) return false;
  const { controllers, runs } = value;
  return (
    isListOf(controllers, ["name", "group", "kind", "plural"]) && isListOf(runs, ["apiVersion", "kind", "startedAt"])
  );
}

function isListOf(list: unknown, texts: readonly string[]): boolean {
  return (
    Array.isArray(list) &&
    list.every((item: unknown) => isJsonObject(item) && texts.every((name) => typeof item[name] === "string"))
  );
}

/** `pid 4711 at http://127.0.0.1:8080 (simple)`: a process for people. */
export function describeProcess({ pid, url, operators = [] }: RunProcess): string {
  const names = operators.length === 0 ? "" : ` (${operators.join(", ")})`;
  return `${pid === undefined ? "" : `pid ${pid} at `}${url}${names}`;
}
