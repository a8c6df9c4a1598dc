import { mapConcurrent } from "@levelset/core/internal";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inChromium } from "../../support/chromium.ts";
import { ADAPTERS, ConsoleHarness } from "./console-harness.ts";

const OBJECTS = 10_000;
const CLUSTERS = 5_000;

inChromium("the console at scale", (launch) => {
  let browser: Browser;
  let harness: ConsoleHarness;
  let page: Page;
  beforeAll(async () => {
    browser = await launch();
    harness = await ConsoleHarness.open({ operators: false });
    await mapConcurrent([...Array(OBJECTS).keys()], (index) => harness.createSimple(`object-${index}`, 1));
    await mapConcurrent([...Array(CLUSTERS).keys()], async (index) => {
      const cluster = await harness.createCluster(`cluster-${index}`);
      // Most clusters have no reports; some are Ready, some are Degraded. Benchmarks measure the performance.
      if (index % 4 === 1) for (const adapter of ADAPTERS) await harness.report(cluster, adapter, index % 7 !== 0);
    });
    page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    await page.goto(await harness.start());
    await page.getByText("5,000 resources").waitFor({ timeout: 60_000 });
  });
  afterAll(async () => {
    await browser.close();
    await harness[Symbol.asyncDispose]();
  });

  /** Searches, and waits until the page shows the number of matches. */
  async function find(query: string, matches: string): Promise<void> {
    await page.locator("[data-search]").fill(query);
    await page.getByText(matches, { exact: true }).waitFor();
  }

  test.for([
    [
      "Objects",
      [
        ["object", "10,000 objects"],
        ["object-9", "1,111 objects of 10,000"],
        ["object-99 default", "111 objects of 10,000"],
        ["no such", "0 objects of 10,000"],
        ["", "10,000 objects"],
      ],
    ],
    [
      "Fleet",
      [
        ["cluster", "5,000 resources"],
        ["cluster-4", "1,111 resources"],
        ["NoQuota", "178 resources"],
        ["name like 'cluster-49%'", "111 resources, found by the fleet"],
        ["", "5,000 resources"],
      ],
    ],
  ] as const)(
    "%s can be searched, and only the visible rows are rendered at any scroll position",
    async ([view, queries]) => {
      await page.getByRole("link", { name: view, exact: true }).first().click();
      for (const [query, matches] of queries) {
        await find(query, matches);
        expect(await page.locator(".row-link").count()).toBeLessThan(80);
      }
      const list = page.locator(".long-list");
      for (const part of [0.25, 0.5, 1]) {
        await list.evaluate((element, at) => {
          element.scrollTop = at * element.scrollHeight;
        }, part);
        await expect.poll(() => page.locator(".row-link").count()).toBeGreaterThan(15);
        expect(await page.locator(".row-link").count()).toBeLessThan(80);
      }
    },
  );

  test.for([
    ["Objects", "object-999", "11 objects of 10,000"],
    ["Fleet", "cluster-499", "11 resources"],
  ] as const)("in %s every row is shown once after the console restarted", async ([view, query, matches]) => {
    await page.getByRole("link", { name: view, exact: true }).first().click();
    await find(query, matches);
    await harness.stop();
    await page.locator(".link.lost").waitFor();
    await harness.start();
    await page.locator(".link.live").waitFor();
    await page.getByText(matches, { exact: true }).waitFor();
    expect(await page.locator(".row-link").count()).toBe(11);
  });

  test("a page uses less than 150 MB of heap", async () => {
    const devTools = await page.context().newCDPSession(page);
    await devTools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await devTools.send("Runtime.getHeapUsage");
    expect(usedSize).toBeLessThan(150e6);
  });
});
