import { formatKey, isJsonObject } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { JsonObject, ObjectKey } from "@levelset/core";
import { RUN_RESULTS } from "@levelset/operator/internal";
import type { RunsJson } from "@levelset/operator/internal";
import { requestProcess } from "./process-request.ts";
import type { RequestWorld } from "./process-request.ts";
import type { RunProcess } from "./run-process.ts";

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

/** Fetches the runs of objects with a key, of any kind; without a key, the latest run of every object. */
export async function fetchRuns(
  processes: readonly RunProcess[],
  key: ObjectKey | undefined,
  world: RequestWorld,
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

/** Returns the response of a process, or the reason of its failure. */
async function fetchProcessRuns(
  process: RunProcess,
  key: ObjectKey | undefined,
  world: RequestWorld,
): Promise<RunsJson | string> {
  const url = new URL("/debug/runs", process.url);
  if (key !== undefined) url.searchParams.set("object", formatKey(key));
  const response = await requestProcess(process, url, world);
  if (response.kind === "failed") return response.why;
  try {
    const reported: unknown = JSON.parse(response.body);
    return isRunsJson(reported) ? reported : "it runs another version of levelset";
  } catch (error) {
    return toError(error).message;
  }
}

/** Reports whether a response has the format of this version. */
function isRunsJson(value: unknown): value is RunsJson {
  if (!isJsonObject(value)) return false;
  const { controllers, runs } = value;
  return (
    isListOf(controllers, ["name", "group", "kind", "plural"]) &&
    isListOf(runs, ["apiVersion", "kind", "startedAt"]) &&
    runs.every(
      ({ result, steps }) =>
        isRunResult(result) && isListOf(steps, ["step", "phase"]) && steps.every((each) => isRunResult(each["result"])),
    )
  );
}

function isRunResult(value: unknown): boolean {
  return RUN_RESULTS.some((result) => result === value);
}

function isListOf(list: unknown, texts: readonly string[]): list is readonly JsonObject[] {
  return (
    Array.isArray(list) &&
    list.every((item: unknown) => isJsonObject(item) && texts.every((name) => typeof item[name] === "string"))
  );
}
