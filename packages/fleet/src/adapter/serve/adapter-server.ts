/**
 * Runs an adapter: it receives pulses from the broker, runs its task for each, and acknowledges handled messages.
 * Changes of applied objects trigger a run for the same resource at once, so a finished Job is reported when it
 * finishes.
 *
 * Runs for one resource never overlap. A message is acknowledged after its run. It is redelivered after a transient
 * failure (the report could not be sent, the API is unavailable), and rejected if it can never be handled (it names no
 * resource).
 */
import { KeyedMutex, LinkedAbortController, toError } from "@levelset/core/internal";
import { TransportError } from "@levelset/core";
import type { Clock, Logger, Timer } from "@levelset/core";
import type { Broker, Message, SubscribeOptions, Subscription } from "../../broker/index.ts";
import type { TaskOutcome } from "../run/index.ts";
import type { Transport } from "../transport/index.ts";
import type { AdapterMetrics } from "./adapter-metrics.ts";
import { LatestPulses } from "./latest-pulses.ts";
import { parsePulse } from "./pulse.ts";
import type { Pulse } from "./pulse.ts";

/** Handles a pulse with one run. */
export type PulseHandler = (
  pulse: Pulse,
  signal: AbortSignal,
) => Promise<Pick<TaskOutcome, "status" | "errors" | "isRetryable" | "skipReason">>;

/** Dependencies of {@link AdapterServer}. */
export interface AdapterServerOptions {
  readonly broker: Broker;
  readonly topic: string;
  readonly subscription: string;
  readonly handler: PulseHandler;
  /** Transports that report changes of applied objects. */
  readonly transports: readonly Transport[];
  readonly metrics: AdapterMetrics;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Maximum duration of a run. Default 5 minutes. */
  readonly deadlineMs?: number;
  readonly subscribe?: SubscribeOptions;
}

const DEADLINE_MS = 5 * 60_000;
/** Changes often come in bursts: those within this time trigger one run. */
const GATHER_MS = 100;
const PULSES_MAX = 10_000;

/** The run failed transiently: the broker redelivers the message. */
class TryAgain extends Error {
  override readonly name = "TryAgain";
}

/** Handles pulses and changes of applied objects. */
export class AdapterServer implements AsyncDisposable {
  readonly #options: AdapterServerOptions;
  readonly #mutex = new KeyedMutex();
  readonly #latest = new LatestPulses(PULSES_MAX);
  readonly #gathering = new Map<string, Timer>();
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  #subscription: Subscription | undefined;
  #unsubscribe: (() => void)[] = [];

  constructor(options: AdapterServerOptions) {
    this.#options = options;
  }

  /** Resolves once the subscription is active: every later pulse is received. */
  async start(): Promise<void> {
    const { broker, topic, subscription, transports, subscribe } = this.#options;
    this.#unsubscribe = transports.flatMap((transport) => {
      const stop = transport.onChange?.((id) => this.#changed(id));
      return stop === undefined ? [] : [stop];
    });
    const handle = (message: Message, signal: AbortSignal): Promise<void> => this.#handle(message, signal);
    this.#subscription = await broker.subscribe(topic, subscription, handle, subscribe);
  }

  /** Stops receiving pulses and waits for runs in progress. */
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
    const pulse = this.#latest.update(parsePulse(event));
    const outcome = await this.#run(pulse, signal);
    if (outcome.isRetryable) throw new TryAgain(outcome.errors.map(({ message }) => message).join("; "));
  }

  #changed(id: string): void {
    if (this.#gathering.has(id) || this.#latest.get(id) === undefined) return;
    const timer = this.#options.clock.after(GATHER_MS, () => {
      this.#gathering.delete(id);
      const pulse = this.#latest.get(id);
      if (pulse === undefined) return;
      this.#options.metrics.clusterChanged();
      // The run logs its own failure, and the Sentinel sends another pulse.
      const ended = this.#run({ ...pulse, trigger: "change" }, this.#stop.signal).catch((error: unknown) =>
        this.#failed(pulse, error),
      );
      this.#running.add(ended);
      void ended.finally(() => this.#running.delete(ended));
    });
    this.#gathering.set(id, timer);
  }

  #run(pulse: Pulse, signal: AbortSignal): ReturnType<PulseHandler> {
    const { clock, metrics, handler, deadlineMs = DEADLINE_MS } = this.#options;
    return this.#mutex.run(pulse.id, async () => {
      const late = (): Error => new TransportError(`run not finished within ${deadlineMs} ms`);
      using limit = new LinkedAbortController([signal], { clock, ms: deadlineMs, error: late });
      const startedAt = clock.monotonic();
      metrics.runStarted();
      try {
        const outcome = await limit.race(handler(pulse, limit.signal));
        metrics.runFinished(
          outcome.status,
          outcome.errors.map(({ phase }) => phase),
          clock.monotonic() - startedAt,
        );
        this.#notify(pulse, outcome, clock.monotonic() - startedAt);
        return outcome;
      } catch (error) {
        metrics.runFinished("failed", ["run"], clock.monotonic() - startedAt);
        throw error;
      }
    });
  }

  #notify(
    { id, generation }: Pulse,
    { status, errors, skipReason }: Awaited<ReturnType<PulseHandler>>,
    durationMs: number,
  ): void {
    const fields = { resource: id, generation, durationMs };
    const { logger } = this.#options;
    for (const { phase, step, message } of errors)
      logger.warn("task phase failed", { ...fields, phase, step, err: message });
    if (status === "success") logger.debug("run finished", fields);
    if (status === "skipped") logger.debug("run skipped", { ...fields, reason: skipReason ?? "" });
  }

  #failed({ id }: Pulse, error: unknown): void {
    if (!this.#stop.signal.aborted) this.#options.logger.error("run failed", { resource: id, err: toError(error) });
  }
}
