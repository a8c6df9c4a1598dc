import { realClock, realRandom, silentLogger } from "@levelset/core";
import { Maintenance, openStore } from "@levelset/fleet";
import type { FleetStore } from "@levelset/fleet";
import { hint, missingPrograms, POSTGRESQL } from "../tools/system/need.ts";
import { questions } from "./fleet/growth.ts";
import { Member } from "./fleet/member.ts";
import { postgresPlace, sqlitePlace } from "./fleet/place.ts";
import type { Place } from "./fleet/place.ts";
import { pulses } from "./fleet/pulses.ts";
import { percentile } from "./fleet/rate.ts";
import { httpReports, OURS, serviceReports } from "./fleet/reports.ts";
import { QUICK, WHOLE } from "./fleet/scale.ts";
import type { Scale } from "./fleet/scale.ts";
import { reportBody, stock } from "./fleet/stock.ts";
import type { Figure } from "./report.ts";
import { Results } from "./runtime/results.ts";

const SEARCH_MS = 20;
const WORLD = { clock: realClock, random: realRandom, logger: silentLogger };

/**
 * The fleet on each of its stores: what reports cost beside the least that any write costs there, how answers grow with the fleet, and how soon
 * and at what price a Sentinel sends messages. API and Sentinels are processes of their own.
 */
export async function fleet(args: readonly string[]): Promise<readonly Figure[]> {
  const scale = args.includes("--quick") ? QUICK : WHOLE;
  const results = new Results(OURS);
  for (const open of places(args)) {
    await using place = await open();
    await measure(place, scale, results);
  }
  return results.figures();
}

function places(args: readonly string[]): readonly (() => Promise<Place>)[] {
  const isThere = missingPrograms(POSTGRESQL).length === 0;
  if (!isThere) console.warn(`bench: PostgreSQL is left out. Hint: ${hint(POSTGRESQL)}`);
  return [
    ...(args.includes("--postgres") ? [] : [sqlitePlace]),
    ...(args.includes("--sqlite") || !isThere ? [] : [postgresPlace]),
  ];
}

async function measure(place: Place, scale: Scale, results: Results): Promise<void> {
  const ids: string[] = [];
  await using raw = await place.openRaw();
  const contest = { place, results, raw, ids, scale };
  {
    await using store = await openStore(place.config, WORLD);
    await grow(contest, store);
    await raw.stock(ids, JSON.stringify(reportBody("dns", 1)));
    await place.settle();
    await serviceReports(contest, store);
  }
  {
    await using api = await Member.start({ config: place.config, roles: ["api"] });
    await httpReports(contest, api);
  }
  await place.settle();
  await pulses(contest);
}

/** Every question at each size; beside it, how long it took at the size before. */
async function grow(
  {
    place,
    results,
    ids,
    scale,
  }: { readonly place: Place; readonly results: Results; readonly ids: string[]; readonly scale: Scale },
  store: FleetStore,
): Promise<void> {
  let before: { readonly name: string; readonly times: ReadonlyMap<string, readonly number[]> } | undefined;
  for (const size of scale.sizes) {
    const start = performance.now();
    await stock(store, ids, size);
    await new Maintenance({ ...WORLD, store }).trim();
    await place.settle();
    const name = size.toLocaleString("en");
    console.warn(`${place.name}: stocked up to ${name} in ${Math.round((performance.now() - start) / 1000)} s`);
    const times = await questions(store, ids, scale.calls);
    for (const [what, each] of times) {
      const titled = `${place.name} at ${name}: ${what}`;
      results.add(titled, "ms", OURS, percentile(each, 50));
      const earlier = before?.times.get(what);
      if (before !== undefined && earlier !== undefined)
        results.add(titled, "ms", `at ${before.name}`, percentile(earlier, 50));
      if (what.startsWith("search")) results.add(titled, "ms", "asked of PostgreSQL: at most", SEARCH_MS);
    }
    before = { name, times };
  }
}
