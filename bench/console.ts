import { realClock } from "@levelset/core";
import type { Browser, Page } from "playwright-core";
import { Stage } from "../tests/console/stage.ts";
import { chromiumPath, launchChromium } from "../tools/browser/chromium.ts";
import { crowd, filterTimes } from "./console/crowd.ts";
import { firstDownload } from "./console/download.ts";
import { paintTimes } from "./console/paint.ts";
import { percentile } from "./fleet/rate.ts";
import { median } from "./report.ts";
import type { Figure } from "./report.ts";

const ROUNDS = 9;
const OBJECTS = 10_000;
const CLUSTERS = 5_000;

/** The console in a real browser: what is downloaded, how soon it shows, how soon it turns, and lists at scale. There is no peer. */
export async function console(): Promise<readonly Figure[]> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error("no Chromium: apt-get install chromium, or name one with CHROMIUM");
  const browser = await launchChromium(executablePath);
  try {
    return [...(await small(browser)), ...(await large(browser))];
  } finally {
    await browser.close();
  }
}

/** With what `npm start` has. */
async function small(browser: Browser): Promise<readonly Figure[]> {
  await using stage = await Stage.open();
  const url = await stage.start();
  await stage.simple("bad", 0);
  await stage.simple("turning", 5);
  const paints = await paintTimes(browser, url, ROUNDS);
  return [
    { what: "first download, compressed", unit: "kB", ours: (await firstDownload(url)) / 1e3 },
    { what: "first paint", unit: "ms", ours: median(paints.map(({ first }) => first)) },
    {
      what: "first meaningful paint: what is not ready, and why",
      unit: "ms",
      ours: median(paints.map(({ meaningful }) => meaningful)),
    },
    {
      what: "an object's page turns, from the write of its spec",
      unit: "ms",
      ours: median(await turnTimes(browser, url, stage)),
    },
  ];
}

/** From writing a spec that cannot be reached, or can be again, until an open page says so. */
async function turnTimes(browser: Browser, url: string, stage: Stage): Promise<readonly number[]> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.goto(new URL("/objects/examples.levelset.dev%2Fv1beta1/Simple/default/turning", url).href);
  await page.locator(".banner.good").waitFor();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const isBad = round % 2 === 0;
    const start = realClock.now();
    await stage.divideBy("turning", isBad ? 0 : 5);
    await page.locator(isBad ? ".banner.bad" : ".banner.good").waitFor();
    times.push(realClock.now() - start);
  }
  await page.close();
  return times;
}

async function large(browser: Browser): Promise<readonly Figure[]> {
  await using stage = await Stage.open({ operators: false });
  await crowd(stage, { objects: OBJECTS, clusters: CLUSTERS });
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  const url = await stage.start();
  const start = realClock.now();
  await page.goto(url);
  await page.getByText("5,000 resources").waitFor({ timeout: 60_000 });
  await page.getByText("10,000 objects").waitFor({ timeout: 60_000 });
  const whole = realClock.now() - start;
  const objects = await filterTimes(page, "Objects", OBJECT_WORDS);
  const fleet = await filterTimes(page, "Fleet", FLEET_WORDS);
  return [
    {
      what: "10,000 objects and 5,000 clusters × 5 adapters: all on the overview, the console just started",
      unit: "ms",
      ours: whole,
    },
    { what: "there, p95 of a filter of objects", unit: "ms", ours: percentile(objects, 95) },
    { what: "there, p95 of a filter of the matrix", unit: "ms", ours: percentile(fleet, 95) },
    { what: "there, the page's memory", unit: "MB", ours: (await heapOf(page)) / 1e6 },
  ];
}

const OBJECT_WORDS = ["object", "object-9", "object-99", "object-999", "default", "progressing 42", "", "5"];
const FLEET_WORDS = ["cluster", "cluster-4", "cluster-49", "cluster-499", "failed", "shard 7", "NoQuota", ""];

async function heapOf(page: Page): Promise<number> {
  return Number(await page.evaluate("performance.memory.usedJSHeapSize"));
}
