import { formatKey } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { ControllerJson, InformerHealth, RunJson, RunResult } from "@levelset/operator/internal";
import type { CacheView, ControllerView, ProcessView, RuntimeDocument } from "../../api/index.ts";
import type { Processes, ProcessRuns } from "../monitor/processes.ts";
import { parseSamples } from "./samples.ts";

/** Maximum number of objects per controller. */
const BUSIEST_MAX = 8;

/** Computes the runtime page: operator processes, and the informer caches of the console. */
export async function runtimePage(
  sources: { readonly processes: Processes; readonly health: readonly InformerHealth[]; readonly clock: Clock },
  signal: AbortSignal,
): Promise<RuntimeDocument> {
  const { processes, health, clock } = sources;
  const { responses, unreachable } = await processes.runs(undefined, signal);
  const views = responses.map(async (each): Promise<ProcessView> => {
    const text = await processes.metrics(each.url, signal);
    return {
      title: each.title,
      url: each.url,
      controllers: each.controllers.map((controller) => controllerView(controller, each)),
      samples: text === undefined ? [] : parseSamples(text),
      unreachable: text === undefined ? "no metrics: only its recorded runs are shown" : "",
    };
  });
  const failed = unreachable.map(({ title, url, why }) => ({
    title,
    url,
    controllers: [],
    samples: [],
    unreachable: why,
  }));
  return {
    at: new Date(clock.now()).toISOString(),
    processes: [...(await Promise.all(views)), ...failed],
    caches: health.map(cacheView),
  };
}

function controllerView({ name, kind }: ControllerJson, { runs }: ProcessRuns): ControllerView {
  const own = runs.filter(({ controller }) => controller === name);
  const results: Partial<Record<RunResult, number>> = {};
  for (const { result } of own) results[result] = (results[result] ?? 0) + 1;
  return {
    name,
    kind,
    results,
    busiest: own
      .toSorted((a, b) => b.number - a.number)
      .slice(0, BUSIEST_MAX)
      .map(runView),
  };
}

function runView(run: RunJson): ControllerView["busiest"][number] {
  return { object: formatKey(run), run: run.number, result: run.result };
}

function cacheView({ kind, objects, isSynced, lastEventAt, lists, connects, failures }: InformerHealth): CacheView {
  return {
    kind,
    objects,
    isSynced,
    ...(lastEventAt === undefined ? {} : { lastEventAt: new Date(lastEventAt).toISOString() }),
    lists,
    connects,
    failures,
  };
}
