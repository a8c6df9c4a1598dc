import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import { findProgram } from "../system/program.ts";

/** The names that a Chromium may have. */
const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The Chromium of this machine, or the one that CHROMIUM names; undefined if there is none. */
export function chromiumPath(): string | undefined {
  const { CHROMIUM: named = "" } = process.env;
  if (named !== "") return named;
  return NAMES.map(findProgram).find((path) => path !== undefined);
}

/** Starts a browser. Root, as in most containers, gets none of Chromium's own sandbox. */
export function launchChromium(executablePath: string): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args });
}
