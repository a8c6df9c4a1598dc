import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import { describe, test } from "vitest";

/** Where a Chromium of the machine may be. */
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

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
  console.warn("no Chromium: apt-get install chromium, or name one with CHROMIUM");
  describe(suite, () => {
    test.skip("needs Chromium", () => {});
  });
}

/** The Chromium of this machine; undefined if there is none. */
export function chromiumPath(): string | undefined {
  const { CHROMIUM } = process.env;
  return [CHROMIUM ?? "", ...PLACES].find((path) => path !== "" && existsSync(path));
}

/** Starts a browser. Root, as in most containers, gets none of Chromium's own sandbox. */
export function launchChromium(executablePath: string): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args });
}
