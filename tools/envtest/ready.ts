import { setTimeout as delay } from "node:timers/promises";
import type { Daemon } from "./daemon.ts";
import { EnvtestError } from "./errors.ts";

export type Probe = { readonly kind: "ready" } | { readonly kind: "waiting"; readonly reason: string };

export interface ReadyOptions {
  /** The one that is waited for; its log explains a failure. */
  readonly daemon: Daemon;
  /** Others that it needs. */
  readonly needs: readonly Daemon[];
  readonly probe: () => Promise<Probe>;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A process that did not come up. The message ends with the last lines of its log. */
export class NotReady extends EnvtestError {
  /** Whether somebody else had taken the port meanwhile: then another port may do. */
  readonly portTaken: boolean;

  constructor(what: string, lastLines: string) {
    super(`${what}. The last lines of its log:\n${lastLines}`);
    this.portTaken = lastLines.includes("address already in use");
  }
}

const POLL_MS = 50;

/** Waits until the probe is content; fails as soon as one of the processes ends, or at the deadline. */
export async function untilReady(options: ReadyOptions): Promise<void> {
  const { daemon, signal } = options;
  const deadline = performance.now() + options.deadlineMs;
  for (;;) {
    const probe = await options.probe();
    signal?.throwIfAborted();
    const dead = [...options.needs, daemon].find((one) => one.end !== undefined);
    if (dead !== undefined) {
      throw new NotReady(`${dead.name} ended with ${dead.end ?? ""} while starting`, await dead.lastLines());
    }
    if (probe.kind === "ready") return;
    if (performance.now() > deadline) {
      const seconds = options.deadlineMs / 1000;
      throw new NotReady(`${daemon.name} was not ready after ${seconds} s (${probe.reason})`, await daemon.lastLines());
    }
    await delay(POLL_MS, undefined, { signal });
  }
}
