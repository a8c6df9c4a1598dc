import { randomBytes } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "@levelset/core";
import { writePrivateFile } from "../files/index.ts";

/** File with the last address of the console of a directory. */
export const CONSOLE_STATE_PATH = ".levelset/console.json";

/** Port and token of a console. */
export interface ConsoleState {
  readonly port: number;
  readonly token: string;
}

/**
 * Starts a console with the port and token of the previous one in the directory, so that open pages reconnect. Uses
 * another port if one is requested or the previous one is in use.
 */
export async function startAtLastAddress<Running extends { readonly url: string }>(
  { cwd, port }: { readonly cwd: string; readonly port: number },
  start: (state: ConsoleState) => Promise<Running>,
): Promise<Running> {
  const path = resolve(cwd, CONSOLE_STATE_PATH);
  const previous = await readState(path);
  const token = previous?.token ?? randomBytes(24).toString("base64url");
  if (previous !== undefined && port === 0) {
    try {
      return await start({ port: previous.port, token });
    } catch (error) {
      // Probably another console of this directory uses the port: its state file stays unchanged.
      if (error instanceof InputError) return start({ port: 0, token });
      throw error;
    }
  }
  const running = await start({ port, token });
  const state: ConsoleState = { port: Number(new URL(running.url).port), token };
  await writePrivateFile(path, JSON.stringify(state)).catch(() => {}); // the console works without its state file
  return running;
}

/** Reads the state file; undefined if it is missing, invalid or readable by other users. */
async function readState(path: string): Promise<ConsoleState | undefined> {
  try {
    const isOwn = process.platform === "win32" || ((await stat(path)).mode & 0o077) === 0;
    const found: unknown = JSON.parse(await readFile(path, "utf8"));
    return isOwn && isConsoleState(found) ? found : undefined;
  } catch {
    return undefined; // missing or invalid
  }
}

function isConsoleState(found: unknown): found is ConsoleState {
  if (typeof found !== "object" || found === null) return false;
  const { port, token }: { readonly port?: unknown; readonly token?: unknown } = found;
  return Number.isInteger(port) && Number(port) > 0 && typeof token === "string" && /^[\w-]{32,}$/u.test(token);
}
