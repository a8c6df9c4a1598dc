import { expect, test } from "vitest";
import { ADAPTERS, runWithCrash } from "./adapter-crash.ts";
import { VirtualSystem } from "./virtual-system.ts";

const WRITES_MAX = 100;

test.each(ADAPTERS)(
  "%s continues after a crash, whichever write it crashed after",
  async (adapter) => {
    await using harness = await VirtualSystem.open();
    let crashes = 0;
    while (crashes < WRITES_MAX && (await runWithCrash(harness, adapter, crashes + 1)) === "died") crashes += 1;
    expect(crashes).toBeGreaterThan(4);
    expect(crashes).toBeLessThan(WRITES_MAX);
  },
  120_000,
);
