import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inChromium } from "../support/chromium.ts";
import { inLanes } from "./lanes.ts";
import { ADAPTERS, Stage } from "./stage.ts";

const OBJECTS = 10_000;
const CLUSTERS = 5_000;

inChromium("the console at scale", (launch) => {
  let browser: Browser;
  let stage: Stage;
  let page: Page;
  beforeAll(async () => {
    browser = await launch();
    stage = await Stage.open({ operators: false });
    await inLanes(OBJECTS, (index) => stage.simple(`object-${index}`, 1));
    await inLanes(CLUSTERS, async (index) => {
      const cluster = await stage.cluster(`cluster-${index}`);
      // Of most nothing was heard, some are fine, and some are not. How fast all this is, the benchmark measures.
      if (index % 4 === 1) for (const adapter of ADAPTERS) await stage.report(cluster, adapter, index % 7 !== 0);
    });
    page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    await page.goto(await stage.start());
    await page.getByText("5,000 resources").waitFor({ timeout: 60_000 });
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    await stage[Symbol.asyncDispose]();
  });

  /** Looks for something, and waits until the page says how much it found. */
  async function find(query: string, words: string): Promise<void> {
    await page.locator("[data-search]").fill(query);
    await page.getByText(words, { exact: true }).waitFor();
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
    "all of %s is found, and no more of it is in the page than fits, wherever it is scrolled",
    async ([view, queries]) => {
      await page.getByRole("link", { name: view, exact: true }).first().click();
      for (const [query, words] of queries) {
        await find(query, words);
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
  ] as const)("in %s everything is there once after the console was away", async ([view, query, words]) => {
    await page.getByRole("link", { name: view, exact: true }).first().click();
    await find(query, words);
    await stage.stop();
    await page.locator(".link.lost").waitFor();
    await stage.start();
    await page.locator(".link.live").waitFor();
    await page.getByText(words, { exact: true }).waitFor();
    expect(await page.locator(".row-link").count()).toBe(11);
  });

  test("a page holds all of it in less than 150 MB", async () => {
    const used = Number(await page.evaluate("performance.memory.usedJSHeapSize"));
    expect(used).toBeLessThan(150e6);
  });
});
