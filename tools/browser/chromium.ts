import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";

/** Where a Chromium of the machine may be. */
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

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
