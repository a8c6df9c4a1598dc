import type { Page } from "playwright-core";
import { inLanes } from "../../tests/console/lanes.ts";
import { ADAPTERS } from "../../tests/console/stage.ts";
import type { Stage } from "../../tests/console/stage.ts";

/** How often each word is filtered by. */
const ROUNDS = 5;

/** Fills a stage: most clusters are fine, some are not, and some are not heard of. */
export async function crowd(
  stage: Stage,
  { objects, clusters }: { readonly objects: number; readonly clusters: number },
): Promise<void> {
  await inLanes(objects, (index) => stage.simple(`object-${index}`, 1));
  await inLanes(clusters, async (index) => {
    const cluster = await stage.cluster(`cluster-${index}`);
    if (index % 10 !== 0) for (const adapter of ADAPTERS) await stage.report(cluster, adapter, index % 7 !== 0);
  });
}

/** How long filters take on a page that is open: from the letter to the frame that shows what it finds. */
export async function filterTimes(page: Page, view: string, words: readonly string[]): Promise<readonly number[]> {
  await page.getByRole("link", { name: view, exact: true }).first().click();
  await page.locator(".row-link").first().waitFor();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of words) times.push(Number(await page.evaluate(filterScript(query))));
  }
  return times;
}

function filterScript(query: string): string {
  return `(async () => {
    const input = document.querySelector("[data-search]");
    const start = performance.now();
    input.value = ${JSON.stringify(query)};
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return performance.now() - start;
  })()`;
}
