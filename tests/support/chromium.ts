import type { Browser } from "playwright-core";
import { describe, test } from "vitest";
import { chromiumPath, launchChromium } from "../../tools/browser/chromium.ts";
import { CHROMIUM, hint } from "../../tools/system/need.ts";

/**
 * Defines a suite that needs a real browser. Where none is installed, one line says so and the suite counts as skipped, which the
 * full run in CI takes for a failure.
 */
export function inChromium(suite: string, define: (launch: () => Promise<Browser>) => void): void {
  const executablePath = chromiumPath();
  if (executablePath !== undefined) {
    define(() => launchChromium(executablePath));
    return;
  }
  console.warn(`${suite}: needs Chromium. Hint: ${hint(CHROMIUM)}, or name one with CHROMIUM`);
  describe(suite, () => {
    test.skip("needs Chromium", () => {});
  });
}
