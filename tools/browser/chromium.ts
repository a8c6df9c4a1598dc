import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import { findProgram } from "../system/program.ts";

/** Executable names of Chromium. */
const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** Returns the path of Chromium on this machine, or of CHROMIUM; undefined if there is none. */
export function chromiumPath(): string | undefined {
  const { CHROMIUM: named = "" } = process.env;
  if (named !== "") return named;
  return NAMES.map(findProgram).find((path) => path !== undefined);
}

/** Starts a browser. As root, as in most containers, Chromium's sandbox is disabled. */
export function launchChromium(executablePath: string): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args });
}
