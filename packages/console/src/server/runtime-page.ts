import { formatKey } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { ControllerJson, InformerHealth, RunJson } from "@levelset/operator";
import type { CacheView, ControllerView, ProcessView, RuntimeDocument } from "../api/index.ts";
import type { Processes, ProcessRuns } from "./processes.ts";
import { parseSamples } from "./samples.ts";

/** How many objects are named that ran last. */
const BUSIEST_MAX = 8;

/** How the processes that operators run in are doing, and the console's own copies. */
export async function runtimePage(
  sources: { readonly processes: Processes; readonly health: readonly InformerHealth[]; readonly clock: Clock },
  signal: AbortSignal,
): Promise<RuntimeDocument> {
  const { processes, health, clock } = sources;
  const { told, silent } = await processes.runs(undefined, signal);
  const views = told.map(async (each): Promise<ProcessView> => {
    const text = await processes.figures(each.url, signal);
    return {
      title: each.title,
      url: each.url,
      controllers: each.controllers.map((controller) => controllerView(controller, each)),
      samples: text === undefined ? [] : parseSamples(text),
      silent: text === undefined ? "it keeps no figures: only what its runs tell is shown" : "",
    };
  });
  const mute = silent.map(({ title, url, why }) => ({ title, url, controllers: [], samples: [], silent: why }));
  return {
    at: new Date(clock.now()).toISOString(),
    processes: [...(await Promise.all(views)), ...mute],
    caches: health.map(cacheView),
  };
}

function controllerView({ name, kind }: ControllerJson, { runs }: ProcessRuns): ControllerView {
  const own = runs.filter(({ controller }) => controller === name);
  const results: Record<string, number> = {};
  for (const { result } of own) results[result] = (results[result] ?? 0) + 1;
  return {
    name,
    kind,
    results,
    busiest: own
      .toSorted((a, b) => b.number - a.number)
      .slice(0, BUSIEST_MAX)
      .map(busy),
  };
}

function busy(run: RunJson): ControllerView["busiest"][number] {
  return { object: formatKey(run), run: run.number, result: run.result };
}

function cacheView({ kind, objects, isSynced, heardAt, lists, connects, failures }: InformerHealth): CacheView {
  return {
    kind,
    objects,
    isSynced,
    ...(heardAt === undefined ? {} : { heardAt: new Date(heardAt).toISOString() }),
    lists,
    connects,
    failures,
  };
}
