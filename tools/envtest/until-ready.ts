import { setTimeout as delay } from "node:timers/promises";
import type { Daemon } from "./daemon.ts";
import { EnvtestError } from "./errors.ts";

export type Probe = { readonly kind: "ready" } | { readonly kind: "waiting"; readonly reason: string };

export interface ReadyOptions {
  /** The process to wait for; its log explains a failure. */
  readonly daemon: Daemon;
  /** Its dependencies. */
  readonly needs: readonly Daemon[];
  readonly probe: () => Promise<Probe>;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A process did not become ready. The message ends with the last lines of its log. */
export class NotReadyError extends EnvtestError {
  /** Whether another process had taken the port: a retry with another port may work. */
  readonly portTaken: boolean;

  constructor(what: string, lastLines: string) {
    super(`${what}. The last lines of its log:\n${lastLines}`);
    this.portTaken = lastLines.includes("address already in use");
  }
}

const POLL_MS = 50;

/** Waits until the probe succeeds. Fails as soon as one of the processes ends, or at the deadline. */
export async function untilReady(options: ReadyOptions): Promise<void> {
  const { daemon, signal } = options;
  const deadline = performance.now() + options.deadlineMs;
  for (;;) {
    const probe = await options.probe();
    signal?.throwIfAborted();
    const dead = [...options.needs, daemon].find((one) => one.exitMessage !== undefined);
    if (dead !== undefined) {
      throw new NotReadyError(
        `${dead.name} ended with ${dead.exitMessage ?? ""} while starting`,
        await dead.lastLines(),
      );
    }
    if (probe.kind === "ready") return;
    if (performance.now() > deadline) {
      const seconds = options.deadlineMs / 1000;
      throw new NotReadyError(
        `${daemon.name} was not ready after ${seconds} s (${probe.reason})`,
        await daemon.lastLines(),
      );
    }
    await delay(POLL_MS, undefined, { signal });
  }
}
