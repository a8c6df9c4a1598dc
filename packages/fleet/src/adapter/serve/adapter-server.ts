/**
 * An adapter at work: it takes pulses from the broker, runs its task for each, and acknowledges what is done. Besides, it hears of changes of what it applied, and
 * answers them at once with a run for the same resource: a Job that ends is reported when it ends.
 *
 * Runs for one resource never overlap. A message is acknowledged after its run; it is handed out again when only time can help (the report
 * could not be sent, the API could not be asked), and put aside when nothing can (it names no resource).
 */
import { toError } from "@levelset/core";
import type { Clock, Logger, Timer } from "@levelset/core";
import type { Broker, Message, SubscribeOptions, Subscription } from "../../broker/index.ts";
import { TimeLimit } from "../../client/index.ts";
import type { RunOutcome } from "../run/index.ts";
import type { Transport } from "../transport/index.ts";
import type { AdapterMetrics } from "./adapter-metrics.ts";
import { Lanes } from "./lanes.ts";
import { LatestPulses } from "./latest-pulses.ts";
import { readPulse } from "./pulse.ts";
import type { Pulse } from "./pulse.ts";

/** What a run for a pulse is done by. */
export type Work = (
  pulse: Pulse,
  signal: AbortSignal,
) => Promise<Pick<RunOutcome, "status" | "errors" | "isRetryable" | "skipReason">>;

/** What an adapter needs to serve. */
export interface AdapterServerOptions {
  readonly broker: Broker;
  readonly topic: string;
  readonly subscription: string;
  readonly work: Work;
  /** Those that tell of changes. */
  readonly transports: readonly Transport[];
  readonly metrics: AdapterMetrics;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long a run may take. Default 5 minutes. */
  readonly deadlineMs?: number;
  readonly subscribe?: SubscribeOptions;
}

const DEADLINE_MS = 5 * 60_000;
/** Changes often come in bursts: they are answered together. */
const GATHER_MS = 100;
const PULSES_MAX = 10_000;

/** The run could not end, and may be able to later: the broker hands out the message again. */
class TryAgain extends Error {
  override readonly name = "TryAgain";
}

/** An adapter that serves. */
export class AdapterServer implements AsyncDisposable {
  readonly #options: AdapterServerOptions;
  readonly #lanes = new Lanes();
  readonly #latest = new LatestPulses(PULSES_MAX);
  readonly #gathering = new Map<string, Timer>();
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  #subscription: Subscription | undefined;
  #unsubscribe: (() => void)[] = [];

  constructor(options: AdapterServerOptions) {
    this.#options = options;
  }

  /** Resolves once every pulse from now on will reach it. */
  async start(): Promise<void> {
    const { broker, topic, subscription, transports, subscribe } = this.#options;
    this.#unsubscribe = transports.flatMap((transport) => {
      const stop = transport.onChange?.((id) => this.#changed(id));
      return stop === undefined ? [] : [stop];
    });
    const handle = (message: Message, signal: AbortSignal): Promise<void> => this.#handle(message, signal);
    this.#subscription = await broker.subscribe(topic, subscription, handle, subscribe);
  }

  /** Takes no more pulses, and waits for the runs under way. */
  async close(): Promise<void> {
    for (const stop of this.#unsubscribe.splice(0)) stop();
    for (const timer of this.#gathering.values()) timer.cancel();
    this.#gathering.clear();
    await this.#subscription?.close();
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #handle({ event }: Message, signal: AbortSignal): Promise<void> {
    const pulse = this.#latest.keep(readPulse(event));
    const outcome = await this.#run(pulse, signal);
    if (outcome.isRetryable) throw new TryAgain(outcome.errors.map(({ message }) => message).join("; "));
  }

  #changed(id: string): void {
    if (this.#gathering.has(id) || this.#latest.get(id) === undefined) return;
    const timer = this.#options.clock.after(GATHER_MS, () => {
      this.#gathering.delete(id);
      const pulse = this.#latest.get(id);
      if (pulse === undefined) return;
      this.#options.metrics.changed();
      // A failure is told by the run itself, and the Sentinel asks again.
      const ended = this.#run({ ...pulse, trigger: "change" }, this.#stop.signal).catch((error: unknown) =>
        this.#failed(pulse, error),
      );
      this.#running.add(ended);
      void ended.finally(() => this.#running.delete(ended));
    });
    this.#gathering.set(id, timer);
  }

  #run(pulse: Pulse, signal: AbortSignal): ReturnType<Work> {
    const { clock, metrics, work, deadlineMs = DEADLINE_MS } = this.#options;
    return this.#lanes.run(pulse.id, async () => {
      using limit = new TimeLimit({ clock, ms: deadlineMs, outer: signal, message: `no end within ${deadlineMs} ms` });
      const startedAt = clock.monotonic();
      metrics.began();
      try {
        const outcome = await limit.race(work(pulse, limit.signal));
        metrics.ended(
          outcome.status,
          outcome.errors.map(({ phase }) => phase),
          clock.monotonic() - startedAt,
        );
        this.#tell(pulse, outcome, clock.monotonic() - startedAt);
        return outcome;
      } catch (error) {
        metrics.ended("failed", ["run"], clock.monotonic() - startedAt);
        throw error;
      }
    });
  }

  #tell(
    { id, generation }: Pulse,
    { status, errors, skipReason }: Awaited<ReturnType<Work>>,
    durationMs: number,
  ): void {
    const fields = { resource: id, generation, durationMs };
    const { logger } = this.#options;
    for (const { phase, step, message } of errors) logger.warn("a phase failed", { ...fields, phase, step, message });
    if (status === "success") logger.debug("a run ended", fields);
    if (status === "skipped") logger.debug("a run was skipped", { ...fields, reason: skipReason ?? "" });
  }

  #failed({ id }: Pulse, error: unknown): void {
    if (!this.#stop.signal.aborted) this.#options.logger.error("a run broke", { resource: id, error: toError(error) });
  }
}
