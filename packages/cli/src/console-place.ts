import { randomBytes } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "@levelset/core";
import { writeOwnFile } from "./own-file.ts";

/** Where the console of a directory says where it listened last. */
export const CONSOLE_PATH = ".levelset/console.json";

/** Where a console listens, and what browsers must show it. */
export interface ConsolePlace {
  readonly port: number;
  readonly token: string;
}

/**
 * Starts a console where the one before it in the directory was, with the same token: pages that are still open go on by
 * themselves. Another port is taken when one is asked for, or somebody else has that one by now.
 */
export async function startWhereItWas<Running extends { readonly url: string }>(
  { cwd, port }: { readonly cwd: string; readonly port: number },
  start: (place: ConsolePlace) => Promise<Running>,
): Promise<Running> {
  const path = resolve(cwd, CONSOLE_PATH);
  const kept = await readPlace(path);
  const token = kept?.token ?? randomBytes(24).toString("base64url");
  if (kept !== undefined && port === 0) {
    try {
      return await start({ port: kept.port, token });
    } catch (error) {
      // Most likely another console of this directory is there: its place stays its own.
      if (error instanceof InputError) return start({ port: 0, token });
      throw error;
    }
  }
  const running = await start({ port, token });
  const place: ConsolePlace = { port: Number(new URL(running.url).port), token };
  await writeOwnFile(path, JSON.stringify(place)).catch(() => {}); // a directory that cannot be written is no reason not to look
  return running;
}

/** What was kept; undefined where nothing was, or others could have read it. */
async function readPlace(path: string): Promise<ConsolePlace | undefined> {
  try {
    const isOwn = process.platform === "win32" || ((await stat(path)).mode & 0o077) === 0;
    const found: unknown = JSON.parse(await readFile(path, "utf8"));
    return isOwn && isPlace(found) ? found : undefined;
  } catch {
    return undefined; // not there, or something else
  }
}

function isPlace(found: unknown): found is ConsolePlace {
  if (typeof found !== "object" || found === null) return false;
  const { port, token }: { readonly port?: unknown; readonly token?: unknown } = found;
  return Number.isInteger(port) && Number(port) > 0 && typeof token === "string" && /^[\w-]{32,}$/u.test(token);
}
