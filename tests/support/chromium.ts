import type { Browser } from "playwright-core";
import { describe, test } from "vitest";
import { chromiumPath, launchChromium } from "../../tools/browser/chromium.ts";
import { CHROMIUM, installHint } from "../../tools/system/system-requirement.ts";

/**
 * Defines a suite that needs Chromium. If it is not installed, prints one line and skips the suite. CI treats that as
 * a failure.
 */
export function inChromium(suite: string, define: (launch: () => Promise<Browser>) => void): void {
  const executablePath = chromiumPath();
  if (executablePath !== undefined) {
    describe(suite, () => {
      define(() => launchChromium(executablePath));
    });
    return;
  }
  console.warn(`${suite}: needs Chromium. Hint: ${installHint(CHROMIUM)}, or name one with CHROMIUM`);
  describe(suite, () => {
    test.skip("needs chromium", () => {});
  });
}
