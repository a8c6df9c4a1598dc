import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Builds the console's pages in a clone if they are missing or outdated. Installed packages contain them. Errors are
 * ignored: the console server reports missing pages.
 */
export async function buildConsole(): Promise<void> {
  const entry = fileURLToPath(import.meta.resolve("@levelset/console"));
  const sources = dirname(entry);
  const directory = dirname(sources);
  if (!entry.endsWith(".ts") || isFresh(sources, join(directory, "dist", "pages", "main.js"))) return;
  const child = spawn("npm", ["run", "--silent", "build:web"], {
    cwd: directory,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  await once(child, "exit").catch(() => {}); // npm is not available
}

function isFresh(sources: string, built: string): boolean {
  const at = statSync(built, { throwIfNoEntry: false })?.mtimeMs;
  if (at === undefined) return false;
  const files = readdirSync(sources, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.every(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs < at);
}
