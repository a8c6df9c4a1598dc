import { realClock } from "@levelset/core";
import type { Browser, Page } from "playwright-core";
import { ConsoleHarness } from "../tests/e2e/console/console-harness.ts";
import { chromiumPath, launchChromium } from "../tools/browser/chromium.ts";
import { seedClusters, filterTimes } from "./console/seed-clusters.ts";
import { firstDownload } from "./console/download.ts";
import { paintTimes } from "./console/paint.ts";
import { percentile } from "./fleet/rate.ts";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";

const ROUNDS = 9;
const OBJECTS = 10_000;
const CLUSTERS = 5_000;

/** Measures the console in Chromium: download size, first paint, update latency and large lists. Without a peer. */
export async function console(): Promise<readonly Measurement[]> {
  const executablePath = chromiumPath();
  if (executablePath === undefined)
    throw new Error("Chromium is not installed: run apt-get install chromium, or set CHROMIUM to its path");
  const browser = await launchChromium(executablePath);
  try {
    return [...(await small(browser)), ...(await large(browser))];
  } finally {
    await browser.close();
  }
}

/** Measures with the objects of `npm start`. */
async function small(browser: Browser): Promise<readonly Measurement[]> {
  await using harness = await ConsoleHarness.open();
  const url = await harness.start();
  await harness.createSimple("bad", 0);
  await harness.createSimple("turning", 5);
  const paints = await paintTimes(browser, url, ROUNDS);
  return [
    { what: "first download, compressed", unit: "kB", ours: (await firstDownload(url)) / 1e3 },
    { what: "first paint", unit: "ms", ours: median(paints.map(({ first }) => first)) },
    {
      what: "first meaningful paint: objects that are not ready, with reasons",
      unit: "ms",
      ours: median(paints.map(({ meaningful }) => meaningful)),
    },
    {
      what: "an object page shows a new state, from the write of the spec",
      unit: "ms",
      ours: median(await turnTimes(browser, url, harness)),
    },
  ];
}

/** Measures the time from the write of an invalid or valid spec until an open page shows the new state. */
async function turnTimes(browser: Browser, url: string, harness: ConsoleHarness): Promise<readonly number[]> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.goto(new URL("/objects/examples.levelset.dev%2Fv1beta1/Simple/default/turning", url).href);
  await page.locator(".banner.good").waitFor();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const isBad = round % 2 === 0;
    const start = realClock.now();
    await harness.divideBy("turning", isBad ? 0 : 5);
    await page.locator(isBad ? ".banner.bad" : ".banner.good").waitFor();
    times.push(realClock.now() - start);
  }
  await page.close();
  return times;
}

async function large(browser: Browser): Promise<readonly Measurement[]> {
  await using harness = await ConsoleHarness.open({ operators: false });
  await seedClusters(harness, { objects: OBJECTS, clusters: CLUSTERS });
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  const url = await harness.start();
  const start = realClock.now();
  await page.goto(url);
  await page.getByText("5,000 resources").waitFor({ timeout: 60_000 });
  await page.getByText("10,000 objects").waitFor({ timeout: 60_000 });
  const whole = realClock.now() - start;
  const objects = await filterTimes(page, "Objects", OBJECT_WORDS);
  const fleet = await filterTimes(page, "Fleet", FLEET_WORDS);
  return [
    {
      what: "10,000 objects and 5,000 clusters × 5 adapters: overview complete after the console starts",
      unit: "ms",
      ours: whole,
    },
    { what: "with these, p95 of filtering objects", unit: "ms", ours: percentile(objects, 95) },
    { what: "with these, p95 of filtering the matrix", unit: "ms", ours: percentile(fleet, 95) },
    { what: "with these, memory of the page", unit: "MB", ours: (await heapOf(page)) / 1e6 },
  ];
}

const OBJECT_WORDS = ["object", "object-9", "object-99", "object-999", "default", "progressing 42", "", "5"];
const FLEET_WORDS = ["cluster", "cluster-4", "cluster-49", "cluster-499", "failed", "shard 7", "NoQuota", ""];

async function heapOf(page: Page): Promise<number> {
  return Number(await page.evaluate("performance.memory.usedJSHeapSize"));
}
