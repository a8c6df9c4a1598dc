import { realClock, realRandom, silentLogger } from "@levelset/core";
import { Maintenance } from "@levelset/fleet/server";
import { openStore } from "@levelset/fleet";
import type { FleetStore } from "@levelset/fleet";
import { installHint, missingPrograms, POSTGRESQL } from "../tools/system/system-requirement.ts";
import { measureQueries } from "./fleet/query-scaling.ts";
import { FleetProcess } from "./fleet/fleet-process.ts";
import { postgresEnvironment, sqliteEnvironment } from "./fleet/store-environment.ts";
import type { StoreEnvironment } from "./fleet/store-environment.ts";
import { pulses } from "./fleet/pulses.ts";
import { percentile } from "./fleet/rate.ts";
import { httpReports, OURS, serviceReports } from "./fleet/reports.ts";
import { QUICK_SCALE, FULL_SCALE } from "./fleet/bench-scale.ts";
import type { BenchScale } from "./fleet/bench-scale.ts";
import { reportBody, seedStore } from "./fleet/seed-store.ts";
import type { Measurement } from "./report.ts";
import { Results } from "./runtime/results.ts";

const SEARCH_MS = 20;
const WORLD = { clock: realClock, random: realRandom, logger: silentLogger };

/**
 * Measures the fleet on each of its stores: reports compared with raw upserts, query times by fleet size, and latency
 * and cost of the messages of a Sentinel. API and Sentinels run in their own processes.
 */
export async function fleet(args: readonly string[]): Promise<readonly Measurement[]> {
  const scale = args.includes("--quick") ? QUICK_SCALE : FULL_SCALE;
  const results = new Results(OURS);
  for (const open of places(args)) {
    await using environment = await open();
    await measure(environment, scale, results);
  }
  return results.figures();
}

function places(args: readonly string[]): readonly (() => Promise<StoreEnvironment>)[] {
  const isThere = missingPrograms(POSTGRESQL).length === 0;
  if (!isThere) console.warn(`bench: PostgreSQL is not installed, skipped. Hint: ${installHint(POSTGRESQL)}`);
  return [
    ...(args.includes("--postgres") ? [] : [sqliteEnvironment]),
    ...(args.includes("--sqlite") || !isThere ? [] : [postgresEnvironment]),
  ];
}

async function measure(environment: StoreEnvironment, scale: BenchScale, results: Results): Promise<void> {
  const ids: string[] = [];
  await using raw = await environment.openRaw();
  const contest = { place: environment, results, raw, ids, scale };
  {
    await using store = await openStore(environment.config, WORLD);
    await grow(contest, store);
    await raw.seed(ids, JSON.stringify(reportBody("dns", 1)));
    await environment.checkpoint();
    await serviceReports(contest, store);
  }
  {
    await using api = await FleetProcess.start({ config: environment.config, roles: ["api"] });
    await httpReports(contest, api);
  }
  await environment.checkpoint();
  await pulses(contest);
}

/** Measures every query at each size, compared with the previous size. */
async function grow(
  {
    place: environment,
    results,
    ids,
    scale,
  }: {
    readonly place: StoreEnvironment;
    readonly results: Results;
    readonly ids: string[];
    readonly scale: BenchScale;
  },
  store: FleetStore,
): Promise<void> {
  let before: { readonly name: string; readonly times: ReadonlyMap<string, readonly number[]> } | undefined;
  for (const size of scale.sizes) {
    const start = performance.now();
    await seedStore(store, ids, size);
    await new Maintenance({ ...WORLD, store }).trim();
    await environment.checkpoint();
    const name = size.toLocaleString("en");
    console.warn(`${environment.name}: seeded ${name} in ${Math.round((performance.now() - start) / 1000)} s`);
    const times = await measureQueries(store, ids, scale.calls);
    for (const [what, each] of times) {
      const titled = `${environment.name} at ${name}: ${what}`;
      results.add(titled, "ms", OURS, percentile(each, 50));
      const earlier = before?.times.get(what);
      if (before !== undefined && earlier !== undefined)
        results.add(titled, "ms", `at ${before.name}`, percentile(earlier, 50));
      if (what.startsWith("search")) results.add(titled, "ms", "target on PostgreSQL: at most", SEARCH_MS);
    }
    before = { name, times };
  }
}
