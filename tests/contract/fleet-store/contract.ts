import { describe } from "vitest";
import { describeChanges } from "./changes.ts";
import { describeFeed } from "./feed.ts";
import type { StoreHarness } from "./harness.ts";
import { describeJournal } from "./journal.ts";
import { describeLists } from "./lists.ts";
import { describeRemoval } from "./removal.ts";
import { describeReports } from "./reports.ts";
import { describeWork } from "./work.ts";

/** Contract tests of all stores, run against one of them. */
export function describeStore(name: string, harness: () => StoreHarness): void {
  describe(name, () => {
    describeChanges(harness);
    describeReports(harness);
    describeRemoval(harness);
    describeLists(harness);
    describeFeed(harness);
    describeWork(harness);
    describeJournal(harness);
  });
}
