import { randomUUID } from "node:crypto";
import { readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { hasCode } from "./errors.ts";

export interface LockOptions {
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
  /** Called once if another holder blocks this one. */
  readonly onWait?: (holder: string) => void;
}

export interface Lock {
  release(): Promise<void>;
}

interface Holder {
  readonly text: string;
  readonly pid: number;
  readonly host: string;
  readonly ageMs: number;
}

const BEAT_MS = 5_000;
const STALE_AFTER_MS = 60_000;
const POLL_MS = 500;

/**
 * Takes the lock, waiting while a living process holds it. A lock whose process is gone, or which has not been
 * touched for a minute, is taken over. Two processes that do so at the same moment may both get it: the lock
 * saves work, and what it guards must be safe without it.
 */
export async function acquireLock(options: LockOptions): Promise<Lock> {
  const text = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  let waiting = false;
  for (;;) {
    options.signal?.throwIfAborted();
    if (await create(options.path, text)) return hold(options.path, text);
    const holder = await readHolder(options.path);
    if (holder === undefined) continue;
    if (isStale(holder)) {
      await rm(options.path, { force: true });
      continue;
    }
    if (!waiting) options.onWait?.(`process ${holder.pid} on ${holder.host}`);
    waiting = true;
    await delay(POLL_MS, undefined, { signal: options.signal });
  }
}

function hold(path: string, text: string): Lock {
  const beat = setInterval(() => {
    const now = new Date();
    // The lock was taken over by another process; `release` handles that.
    utimes(path, now, now).catch(() => undefined);
  }, BEAT_MS);
  beat.unref();
  return {
    async release(): Promise<void> {
      clearInterval(beat);
      const holder = await readHolder(path);
      if (holder?.text === text) await rm(path, { force: true });
    },
  };
}

async function create(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Returns undefined if the lock was released in the meantime. For an unreadable lock only its age counts. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const text = await readFile(path, "utf8");
    const ageMs = Date.now() - (await stat(path)).mtimeMs;
    const [, pid = "0"] = /"pid":(\d+)/.exec(text) ?? [];
    const [, host = "an unknown machine"] = /"host":"([^"]*)"/.exec(text) ?? [];
    return { text, pid: Number(pid), host, ageMs };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function isStale(holder: Holder): boolean {
  if (holder.ageMs > STALE_AFTER_MS) return true;
  return holder.host === hostname() && !isAlive(holder.pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0); // signal 0 only checks that the process exists
    return true;
  } catch (error) {
    return !hasCode(error, "ESRCH");
  }
}
