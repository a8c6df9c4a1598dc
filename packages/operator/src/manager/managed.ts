import { toError } from "@levelset/core";
import type { ObjectKey, World } from "@levelset/core";
import { Cache } from "../cache/index.ts";
import { Client } from "../client/index.ts";
import type { ControllerHealth, HotLoop, RunRecord } from "../controller/index.ts";
import { EventRecorder } from "../events/index.ts";
import { Elector, Fence } from "../leader/index.ts";
import type { ElectionTimes } from "../leader/index.ts";
import { noTracer } from "../step/index.ts";
import type { Tracer } from "../step/index.ts";
import type { EndpointOptions } from "./endpoint-options.ts";
import { installKind } from "./install.ts";
import type { Metrics } from "./metrics.ts";
import type { OpenPort } from "../port/index.ts";
import { controllerJson, runJson } from "./run-json.ts";
import type { RunsJson } from "./run-json.ts";
import type { AnyController, Managed } from "./runtime.ts";

/** One of many processes works, the others stand by with warm caches. */
export interface LeaderElection {
  /** Where the Lease is. */
  readonly namespace: string;
  readonly name: string;
  /** Different for each process, also for a restarted one. */
  readonly identity: string;
  readonly times?: ElectionTimes;
}

/** How operators are run. */
export interface ManagerOptions {
  /** Creates or updates the CRDs of the kinds first. */
  readonly installCrds?: boolean;
  readonly leaderElection?: LeaderElection;
  readonly endpoints?: EndpointOptions;
  /** Told where the endpoints are. */
  readonly onEndpoints?: (url: string) => void;
  /** Only these namespaces. Default: all. */
  readonly namespaces?: readonly string[];
  /** How long runs may go on after the signal to stop. Default: not at all. */
  readonly graceMs?: number;
}

/**
 * Runs operators in one process until the signal aborts: one cache, one client pool, one lease, one set of endpoints. It ends in
 * order: no new runs, the running ones end or are aborted after the grace, events are flushed, the lease is released, watches and
 * endpoints are closed.
 */
export async function runManaged(operators: readonly Managed[], world: World, options: ManagerOptions): Promise<void> {
  const managed = new ManagedProcess(operators, world, options);
  try {
    await managed.run();
  } finally {
    await managed.close();
  }
}

class ManagedProcess {
  readonly #operators: readonly Managed[];
  readonly #world: World;
  readonly #options: ManagerOptions;
  readonly #controllers = new Map<string, AnyController>();
  #cache: Cache | undefined;
  #events: EventRecorder | undefined;
  #elector: Elector | undefined;
  #metrics: Metrics | undefined;
  #endpoints: OpenPort | undefined;
  #isStopping = false;

  constructor(operators: readonly Managed[], world: World, options: ManagerOptions) {
    this.#operators = operators;
    this.#world = world;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { clock, random, signal, logger } = this.#world;
    if (this.#options.endpoints !== undefined) await this.#openEndpoints(this.#options.endpoints);
    const fetch = this.#metrics?.counting(this.#world.fetch) ?? this.#world.fetch;
    if (this.#options.installCrds === true) await this.#install(fetch);
    const { leaderElection } = this.#options;
    const fence = leaderElection === undefined ? undefined : new Fence(fetch, clock);
    const tracer = await availableTracer();
    const behind = fence?.fetch ?? fetch;
    this.#cache = new Cache({ fetch: behind, clock, random, logger });
    this.#follow(this.#cache, tracer, behind);
    if (leaderElection === undefined || fence === undefined) return this.#work(signal);
    this.#elector = new Elector({
      client: new Client({ fetch, fieldManager: "levelset-leader" }),
      fence,
      clock,
      random,
      logger,
      key: { namespace: leaderElection.namespace, name: leaderElection.name },
      identity: leaderElection.identity,
      ...(leaderElection.times === undefined ? {} : { times: leaderElection.times }),
    });
    await this.#elector.run(signal, (leading) => this.#work(leading));
  }

  /** Lets go of everything, in order. */
  async close(): Promise<void> {
    for (const controller of this.#controllers.values()) controller.close();
    await this.#cache?.close();
    await this.#endpoints?.close();
  }

  #follow(cache: Cache, tracer: Tracer, fetch: World["fetch"]): void {
    const { clock, random, logger } = this.#world;
    const [first] = this.#operators;
    const events = new EventRecorder({
      client: new Client({ fetch, fieldManager: "levelset-events" }),
      clock,
      random,
      logger,
      component: `levelset-${first?.name ?? "operator"}`,
    });
    this.#events = events;
    for (const operator of this.#operators) {
      const { name } = operator;
      const listener = {
        onRun: (record: RunRecord) => this.#metrics?.run(name, record),
        onHotLoop: (_key: ObjectKey, _loop: HotLoop) => this.#metrics?.hotLoop(name),
      };
      const { namespaces } = this.#options;
      const runtime = { cache, clock, random, logger, events, tracer, listener, namespaces };
      this.#controllers.set(name, operator.control(runtime));
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { graceMs = 0 } = this.#options;
    const onStop = (): void => {
      this.#isStopping = true;
    };
    signal.addEventListener("abort", onStop, { once: true });
    try {
      await Promise.all([...this.#controllers.values()].map((controller) => controller.run(signal, graceMs)));
    } finally {
      signal.removeEventListener("abort", onStop);
      if (graceMs > 0) await this.#flushEvents(graceMs);
    }
  }

  /** What was told last is worth some waiting, but not for a server that does not answer. */
  async #flushEvents(graceMs: number): Promise<void> {
    const enough = Promise.withResolvers<void>();
    const timer = this.#world.clock.after(graceMs, () => enough.resolve());
    await Promise.race([this.#events?.flush(), enough.promise]);
    timer.cancel();
  }

  async #install(fetch: World["fetch"]): Promise<void> {
    const { clock, signal, logger } = this.#world;
    const client = new Client({ fetch, fieldManager: "levelset-crds" });
    for (const { kinds, needs } of this.#operators) {
      const [namespace] = needs.namespaces ?? this.#options.namespaces ?? [];
      for (const kind of kinds) {
        const done = await installKind(client, kind, { clock, signal, namespace });
        logger.debug("crd installed", { kind: kind.kind, done });
      }
    }
  }

  async #openEndpoints(options: EndpointOptions): Promise<void> {
    const [metrics, { serveEndpoints }] = await Promise.all([
      options.metrics === false ? undefined : this.#openMetrics(),
      import("./endpoints.ts"),
    ]);
    this.#metrics = metrics;
    this.#endpoints = await serveEndpoints(options, {
      problems: () => this.#problems(),
      metrics: metrics && (() => metrics.text()),
      runs: (controller, key) => this.#runs(controller, key),
    });
    this.#options.onEndpoints?.(this.#endpoints.url);
  }

  /** Figures cost memory and start-up time, so only those who ask for them load them. */
  async #openMetrics(): Promise<Metrics> {
    const { Metrics: Figures } = await import("./metrics.ts");
    return new Figures({
      now: () => this.#world.clock.now(),
      informers: () => this.#cache?.health ?? [],
      controllers: () => this.#health(),
      isLeading: () => this.#elector?.isLeading ?? this.#controllers.size > 0,
      droppedEvents: () => this.#events?.dropped ?? 0,
    });
  }

  #health(): Readonly<Record<string, ControllerHealth>> {
    return Object.fromEntries([...this.#controllers].map(([name, { health }]) => [name, health]));
  }

  #problems(): readonly string[] {
    if (this.#isStopping) return ["stopping"];
    const informers = this.#cache?.health;
    if (informers === undefined) return ["starting"];
    // What single objects ask for is their own concern: their conditions say it.
    const required = informers.filter(({ isOptional }) => !isOptional);
    return required.flatMap(({ kind, isSynced, failures, phase }) => {
      if (!isSynced) return [`${kind}: ${phase.kind === "failing" ? phase.failure.message : "not listed yet"}`];
      return failures > FAILURES_MAX ? [`${kind}: the watch failed ${failures} times in a row`] : [];
    });
  }

  #runs(controller: string | undefined, key: ObjectKey | undefined): RunsJson {
    const asked = this.#operators
      .filter(({ name }) => controller === undefined || name === controller)
      .map(({ name, needs }) => ({ name, ...needs }));
    return {
      controllers: asked.map(controllerJson),
      runs: asked.flatMap((each) => {
        const log = this.#controllers.get(each.name)?.runs;
        return (key === undefined ? log?.latest() : log?.of(key))?.map((record) => runJson(each, record)) ?? [];
      }),
    };
  }
}

/** A watch that failed more often in a row makes the process not ready. */
const FAILURES_MAX = 5;

/** Spans, if somebody in this process collects them: an SDK leaves this mark. */
async function availableTracer(): Promise<Tracer> {
  if (!(Symbol.for("opentelemetry.js.api.1") in globalThis)) return noTracer;
  try {
    const { openTelemetryTracer } = await import("./tracing.ts");
    return openTelemetryTracer();
  } catch (error) {
    throw new Error(`OpenTelemetry is there but cannot be used: ${toError(error).message}`, { cause: error });
  }
}
