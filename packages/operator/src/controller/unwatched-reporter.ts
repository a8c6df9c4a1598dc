import { isPaused, StatusError, TransportError } from "@levelset/core";
import type { Clock, KubeObject, Logger } from "@levelset/core";
import type { WatchFailure } from "../cache/index.ts";

/** Options of {@link reportUntilWatched}. */
export interface UnwatchedReporterOptions<O extends KubeObject> {
  /** Resolves once the objects themselves are listed. */
  readonly listed: Promise<unknown>;
  /** Resolves once all kinds are listed. */
  readonly synced: Promise<unknown>;
  readonly objects: () => readonly O[];
  /** Returns why the server refuses to list a declared kind; undefined if a retry may succeed. */
  readonly refusal: () => WatchFailure | undefined;
  /** Writes the problem to the status of an object. */
  readonly report: (object: O, message: string) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Resolves when the controller stops, after `signal` aborted. */
  readonly stopped: Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Interval between reports. The first one is late, because a CRD may be installed together with the operator. */
const REPORT_MS = 10_000;

/**
 * Reports on every object while the server refuses to list a kind that the steps declare: no step can run, and without
 * a report the objects would only look unreconciled. Resolves once all kinds are listed.
 */
export async function reportUntilWatched<O extends KubeObject>(options: UnwatchedReporterOptions<O>): Promise<void> {
  const { clock, synced, stopped } = options;
  const ended = Promise.race([synced, stopped]).then(() => "ended" as const);
  await Promise.race([options.listed, ended]);
  for (;;) {
    const interval = Promise.withResolvers<"due">();
    const timer = clock.after(REPORT_MS, () => interval.resolve("due"));
    const next = await Promise.race([ended, interval.promise]);
    timer.cancel();
    if (next === "ended") return;
    const refusal = options.refusal();
    if (refusal !== undefined) await reportAll(options, refusal.message);
  }
}

async function reportAll<O extends KubeObject>(
  { objects, report, logger, signal }: UnwatchedReporterOptions<O>,
  message: string,
): Promise<void> {
  for (const object of objects()) {
    if (signal.aborted) return;
    if (isPaused(object)) continue;
    try {
      await report(object, message);
    } catch (error) {
      // Changed or deleted meanwhile, or the server is unreachable: the next report repeats it.
      if (!(error instanceof StatusError) && !(error instanceof TransportError)) throw error;
      logger.debug("status not written", { object: object.metadata, err: error });
    }
  }
}
