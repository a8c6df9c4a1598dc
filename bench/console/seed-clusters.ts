import type { Page } from "playwright-core";
import { mapConcurrent } from "@levelset/core/internal";
import { ADAPTERS } from "../../tests/e2e/console/console-harness.ts";
import type { ConsoleHarness } from "../../tests/e2e/console/console-harness.ts";

/** Number of measurements per filter text. */
const ROUNDS = 5;

/** Creates clusters: most are ready, some are not, and some have no reports. */
export async function seedClusters(
  harness: ConsoleHarness,
  { objects, clusters }: { readonly objects: number; readonly clusters: number },
): Promise<void> {
  await mapConcurrent([...Array(objects).keys()], (index) => harness.createSimple(`object-${index}`, 1));
  await mapConcurrent([...Array(clusters).keys()], async (index) => {
    const cluster = await harness.createCluster(`cluster-${index}`);
    if (index % 10 !== 0) for (const adapter of ADAPTERS) await harness.report(cluster, adapter, index % 7 !== 0);
  });
}

/** Measures filters on an open page: from the input event to the frame that shows the result. */
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
