import type { Browser } from "playwright-core";

/** Times of the first paint and of the main content, in milliseconds after the request. */
export interface Paint {
  readonly first: number;
  readonly meaningful: number;
}

/** Records the time of the frame after the first object that is not ready appears. */
const WATCH = `new MutationObserver((_, observer) => {
  if (document.querySelector(".worst-item") === null) return;
  observer.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => { globalThis.meaningfulAt = performance.now(); }));
}).observe(document, { childList: true, subtree: true });`;

const READ = `new Promise((resolve) => {
  const look = () => {
    const first = performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
    if (first === undefined || globalThis.meaningfulAt === undefined) return setTimeout(look, 10);
    resolve({ first, meaningful: globalThis.meaningfulAt });
  };
  look();
})`;

/** Opens the overview several times, each time with an empty browser cache. */
export async function paintTimes(browser: Browser, url: string, rounds: number): Promise<readonly Paint[]> {
  const paints: Paint[] = [];
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript(WATCH);
    await page.goto(url);
    paints.push(await page.evaluate<Paint>(READ));
    await context.close();
  }
  return paints;
}
