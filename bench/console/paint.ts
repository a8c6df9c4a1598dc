import type { Browser } from "playwright-core";

/** When a page first showed anything, and when it showed what somebody came for, in milliseconds after it was asked for. */
export interface Paint {
  readonly first: number;
  readonly meaningful: number;
}

/** Notes the frame after the first entry of what is not ready. */
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

/** Opens the overview again and again, each time in a browser that has nothing of it. */
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
