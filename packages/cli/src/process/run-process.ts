import { formatKey, InputError, isAbortError, isJsonObject } from "@levelset/core";
import { LinkedAbortController, toError } from "@levelset/core/internal";
import type { Clock, ObjectKey } from "@levelset/core";
import type { RunsJson } from "@levelset/operator/internal";
import { escapeControlChars } from "../terminal/index.ts";
import { readRunFiles, thisMachine } from "./run-file.ts";
import type { RunFile } from "./run-file.ts";
import type { Shell } from "../terminal/index.ts";
import { readTokenFile } from "../files/index.ts";

/** An operator process that serves its runs. */
export type RunProcess = Pick<RunFile, "url" | "token" | "server"> & Partial<Pick<RunFile, "pid" | "operators">>;

/** Responses of operator processes. */
export interface ProcessResponses {
  readonly responses: readonly ProcessRuns[];
  /** Processes that did not respond or refused the request. */
  readonly unreachable: readonly { readonly process: RunProcess; readonly why: string }[];
}

/** Response of one process. */
export interface ProcessRuns extends RunsJson {
  readonly process: RunProcess;
}

/** Flags that select a process. */
export interface ProcessFlags {
  readonly url?: string;
  readonly tokenFile?: string;
}

/** Dependencies of {@link fetchRuns}. */
export interface FetchRunsWorld {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Request timeout. */
const REQUEST_TIMEOUT_MS = 3_000;

/** Returns the process of the flags, else the processes of this user on this machine. */
export async function findProcesses(flags: ProcessFlags, shell: Shell): Promise<readonly RunProcess[]> {
  const { url, tokenFile } = flags;
  if (url === undefined && tokenFile !== undefined) throw new InputError("--token-file has no effect without --url");
  if (url === undefined) return readRunFiles(thisMachine(shell.env));
  if (!URL.canParse(url) || !/^https?:/u.test(url)) {
    throw new InputError(`${JSON.stringify(url)} is not an address`, {
      hint: "write a URL such as http://127.0.0.1:8080",
    });
  }
  return [{ url, ...(tokenFile === undefined ? {} : { token: await readTokenFile(tokenFile, shell.cwd) }) }];
}

/** Reports whether a process may belong to a cluster: other clusters may have objects of the same names. */
export function worksOnCluster({ server }: RunProcess, url: string): boolean {
  return server === undefined || new URL(server).href === new URL(url).href;
}

/** Fetches the runs of objects with a key, of any kind; without a key, the latest run of every object. */
export async function fetchRuns(
  processes: readonly RunProcess[],
  key: ObjectKey | undefined,
  world: FetchRunsWorld,
): Promise<ProcessResponses> {
  const results = await Promise.all(
    processes.map(async (process) => ({ process, result: await fetchProcessRuns(process, key, world) })),
  );
  return {
    responses: results.flatMap(({ process, result }) => (typeof result === "string" ? [] : [{ ...result, process }])),
    unreachable: results.flatMap(({ process, result }) =>
      typeof result === "string" ? [{ process, why: result }] : [],
    ),
  };
}

/** Fetches the metrics of a process in Prometheus format; undefined if it serves none or does not respond. */
export async function fetchMetrics(process: RunProcess, world: FetchRunsWorld): Promise<string | undefined> {
  const response = await get(process, new URL("/metrics", process.url), world);
  return response.kind === "ok" ? response.body : undefined;
}

/** Returns the response of a process, or the reason of its failure. */
async function fetchProcessRuns(
  process: RunProcess,
  key: ObjectKey | undefined,
  world: FetchRunsWorld,
): Promise<RunsJson | string> {
  const url = new URL("/debug/runs", process.url);
  if (key !== undefined) url.searchParams.set("object", formatKey(key));
  const response = await get(process, url, world);
  if (response.kind === "failed") return response.why;
  try {
    const reported: unknown = JSON.parse(response.body);
    return isRunsJson(reported) ? reported : "it runs another version of levelset";
  } catch (error) {
    return toError(error).message;
  }
}

type ProcessResponse =
  | { readonly kind: "ok"; readonly body: string }
  | { readonly kind: "failed"; readonly why: string };

async function get(process: RunProcess, url: URL, { clock, signal }: FetchRunsWorld): Promise<ProcessResponse> {
  using limit = new LinkedAbortController([signal], { clock, ms: REQUEST_TIMEOUT_MS });
  try {
    const headers = process.token === undefined ? {} : { authorization: `Bearer ${process.token}` };
    const response = await fetch(url, { headers, redirect: "error", signal: limit.signal });
    const body = await response.text();
    if (response.ok) return { kind: "ok", body };
    return { kind: "failed", why: escapeControlChars(body) || `HTTP ${response.status}` };
  } catch (error) {
    signal.throwIfAborted();
    return {
      kind: "failed",
      why: isAbortError(error) ? `no response within ${REQUEST_TIMEOUT_MS / 1_000} s` : causeOf(error),
    };
  }
}

/** Returns the cause of an error: the message `fetch failed` alone has no information. */
function causeOf(thrown: unknown): string {
  const error = toError(thrown);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Reports whether a response has the format of this version. */
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

/** Describes a process: `pid 4711 at http://127.0.0.1:8080 (simple)`. */
export function describeProcess({ pid, url, operators = [] }: RunProcess): string {
  const names = operators.length === 0 ? "" : ` (${operators.join(", ")})`;
  return `${pid === undefined ? "" : `pid ${pid} at `}${url}${names}`;
}
