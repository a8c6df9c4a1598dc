import { expect, test } from "vitest";
import { ADAPTERS, livedThrough } from "./death.ts";
import { VirtualPlace } from "./virtual-place.ts";

const WRITES_MAX = 100;

test.each(ADAPTERS)(
  "%s goes on where it was, whichever write it died after",
  async (adapter) => {
    await using place = await VirtualPlace.open();
    let deaths = 0;
    while (deaths < WRITES_MAX && (await livedThrough(place, adapter, deaths + 1)) === "died") deaths += 1;
    expect(deaths).toBeGreaterThan(4);
    expect(deaths).toBeLessThan(WRITES_MAX);
  },
  120_000,
);
