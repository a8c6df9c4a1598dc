import { LinkedAbortController, onAbort, toError, whenAborted } from "@levelset/core/internal";
import type { ObjectKey, World } from "@levelset/core";
import type { HttpListener } from "@levelset/core/http";
import { Cache } from "../cache/index.ts";
import { Client, RequestThrottle } from "../client/index.ts";
import type { ControllerHealth, HotLoop, RunRecord } from "../controller/index.ts";
import { EventRecorder } from "../events/index.ts";
import { LeaderElector, Fence } from "../leader/index.ts";
import type { ElectionTimes } from "../leader/index.ts";
import { noopTracer } from "../engine/index.ts";
import type { ExternalInterceptor, Tracer } from "../engine/index.ts";
import type { WatchSeconds } from "../watch/index.ts";
import type { EndpointOptions } from "./endpoint-options.ts";
import { installCrd } from "./install-crd.ts";
import type { Metrics } from "./metrics.ts";
import { requestRate } from "./request-rate.ts";
import { controllerJson, runJson } from "./run-json.ts";
import type { RunsJson } from "./run-json.ts";
import { RejectionMonitor } from "./rejection-monitor.ts";
import type { UnhandledRejectionOptions } from "./rejection-monitor.ts";
import type { AnyController, ManagedOperator } from "./runtime.ts";

/** Leader election: one process reconciles, the others stand by with synced caches. */
export interface LeaderElection {
  /** Where the Lease is. */
  readonly namespace: string;
  readonly name: string;
  /** Different for each process, also for a restarted one. */
  readonly identity: string;
  readonly times?: ElectionTimes;
}

/** Options of `manager`: how one process runs its operators. */
export interface ManagerOptions {
  /** Creates or updates the CRDs of the kinds first. */
  readonly installCrds?: boolean;
  readonly leaderElection?: LeaderElection;
  readonly endpoints?: EndpointOptions;
  /** Called with the URL of the endpoints. */
  readonly onEndpoints?: (url: string) => void;
  /** Only these namespaces. Default: all. */
  readonly namespaces?: readonly string[];
  /** How long runs may continue after the stop signal. Default: 0. */
  readonly graceMs?: number;
  /**
   * Maximum sustained requests per second of all operators of the process, as in client-go; requests above it wait.
   * Requests for the Lease are not limited. Default: unlimited.
   */
  readonly qps?: number;
  /** Requests that may be sent at once before `qps` limits them. Default: twice `qps`. */
  readonly burst?: number;
  /** What happens when a promise of a step rejects that is not awaited. */
  readonly unhandledRejections?: UnhandledRejectionOptions;
}

/** Options of {@link runOperators}: those of `manager`, and what only the packages of levelset may set. */
export interface RunOperatorsOptions extends ManagerOptions {
  /** Intercepts the calls of `external` steps. Default: they are made directly. */
  readonly externalInterceptor?: ExternalInterceptor | undefined;
  /** Requested duration of a watch. Default: five to ten minutes. */
  readonly watchSeconds?: WatchSeconds | undefined;
}

/**
 * Runs operators in one process until the signal aborts: one cache, one client pool, one lease, one set of endpoints.
 * It stops in this order: no new runs start, running ones end or are aborted after the grace period, Events are
 * flushed, the lease is released, watches and endpoints are closed.
 */
export async function runOperators(
  operators: readonly ManagedOperator[],
  world: World,
  options: RunOperatorsOptions,
): Promise<void> {
  using stop = new LinkedAbortController([world.signal]);
  const managed = new ManagedProcess(operators, { ...world, signal: stop.signal }, options);
  const running = managed.run();
  try {
    await Promise.race([running, managed.fatal]);
  } finally {
    stop.abort();
    await Promise.allSettled([running]);
    await managed.close();
  }
}

class ManagedProcess {
  readonly #operators: readonly ManagedOperator[];
  readonly #world: World;
  readonly #options: RunOperatorsOptions;
  readonly #controllers = new Map<string, AnyController>();
  /** Shared by all clients except that of the lease: a process that waits must still renew it. */
  readonly #throttle: RequestThrottle;
  #cache: Cache | undefined;
  #events: EventRecorder | undefined;
  #elector: LeaderElector | undefined;
  #metrics: Metrics | undefined;
  #endpoints: HttpListener | undefined;
  #isStopping = false;
  readonly #rejections: RejectionMonitor | undefined;

  constructor(operators: readonly ManagedOperator[], world: World, options: RunOperatorsOptions) {
    this.#operators = operators;
    this.#world = world;
    this.#options = options;
    const { clock, random, logger } = world;
    this.#throttle = new RequestThrottle({ clock, random, rate: requestRate(options) });
    const { source, max } = options.unhandledRejections ?? {};
    if (source === undefined) return;
    const onDefect = (controller: string, step: string): void => this.#metrics?.countDefect(controller, step);
    this.#rejections = new RejectionMonitor({ source, max, clock, logger, events: () => this.#events, onDefect });
  }

  /** Rejects if the process cannot continue. */
  get fatal(): Promise<never> {
    return this.#rejections?.fatal ?? new Promise<never>(() => {});
  }

  async run(): Promise<void> {
    const { clock, random, signal, logger } = this.#world;
    if (this.#options.endpoints !== undefined) await this.#openEndpoints(this.#options.endpoints);
    const fetch = this.#metrics?.countRequests(this.#world.fetch) ?? this.#world.fetch;
    if (this.#options.installCrds === true) await this.#install(fetch);
    const { leaderElection } = this.#options;
    const fence = leaderElection === undefined ? undefined : new Fence(fetch, clock);
    const tracer = await availableTracer();
    const behind = fence?.fetch ?? fetch;
    const { watchSeconds } = this.#options;
    this.#cache = new Cache({ fetch: behind, clock, random, logger, throttle: this.#throttle, watchSeconds });
    this.#watch(this.#cache, tracer, behind, fence);
    if (leaderElection === undefined || fence === undefined) return this.#work(signal);
    this.#elector = new LeaderElector({
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

  /** Closes all resources in order. */
  async close(): Promise<void> {
    for (const controller of this.#controllers.values()) controller.close();
    await this.#cache?.close();
    await this.#endpoints?.close();
    this.#rejections?.[Symbol.dispose]();
  }

  #watch(cache: Cache, tracer: Tracer, fetch: World["fetch"], fence: Fence | undefined): void {
    const { clock, random, logger } = this.#world;
    const [first] = this.#operators;
    const events = new EventRecorder({
      client: new Client({
        fetch,
        fieldManager: "levelset-events",
        throttle: this.#throttle,
        retry: { clock, random },
      }),
      clock,
      random,
      logger,
      component: `levelset-${first?.name ?? "operator"}`,
    });
    this.#events = events;
    for (const operator of this.#operators) {
      const { name } = operator;
      const listener = {
        onRun: (record: RunRecord) => this.#metrics?.observeRun(name, record),
        onHotLoop: (_key: ObjectKey, _loop: HotLoop) => this.#metrics?.countHotLoop(name),
      };
      const { namespaces, externalInterceptor } = this.#options;
      const stepScope = this.#rejections?.scope(name);
      const hooks = { stepScope, externalInterceptor, assertLeading: fence?.assertOpen };
      const runtime = { cache, clock, random, logger, events, tracer, ...hooks, listener, namespaces };
      this.#controllers.set(name, operator.createController(runtime));
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { graceMs = 0 } = this.#options;
    using _ = onAbort(signal, () => {
      this.#isStopping = true;
    });
    try {
      await Promise.all([...this.#controllers.values()].map((controller) => controller.run(signal, graceMs)));
    } finally {
      if (graceMs > 0) await this.#flushEvents(graceMs);
    }
  }

  /** Flushes pending Events, with a time limit in case the server does not respond. */
  async #flushEvents(graceMs: number): Promise<void> {
    using limit = new LinkedAbortController([], { clock: this.#world.clock, ms: graceMs });
    await Promise.race([this.#events?.flush(), whenAborted(limit.signal)]);
  }

  async #install(fetch: World["fetch"]): Promise<void> {
    const { clock, signal, logger } = this.#world;
    const client = new Client({ fetch, fieldManager: "levelset-crds", throttle: this.#throttle });
    for (const { kinds, rbac } of this.#operators) {
      const [namespace] = rbac.namespaces ?? this.#options.namespaces ?? [];
      for (const kind of kinds) {
        const done = await installCrd(client, kind, { clock, signal, namespace });
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
    this.#endpoints = await serveEndpoints(
      { ...options, logger: this.#world.logger },
      {
        problems: () => this.#problems(),
        metrics: metrics && (() => metrics.render()),
        runs: (controller, key) => this.#runs(controller, key),
      },
    );
    this.#options.onEndpoints?.(this.#endpoints.url);
  }

  /** Loads the metrics module on demand, because it costs memory and start-up time. */
  async #openMetrics(): Promise<Metrics> {
    const { Metrics: Figures } = await import("./metrics.ts");
    return new Figures({
      now: () => this.#world.clock.now(),
      informers: () => this.#cache?.health ?? [],
      controllers: () => this.#health(),
      isLeading: () => this.#elector?.isLeader ?? this.#controllers.size > 0,
      droppedEvents: () => this.#events?.dropped ?? 0,
      throttledSeconds: () => this.#throttle.waitedSeconds,
    });
  }

  #health(): Readonly<Record<string, ControllerHealth>> {
    return Object.fromEntries([...this.#controllers].map(([name, { health }]) => [name, health]));
  }

  #problems(): readonly string[] {
    if (this.#isStopping) return ["stopping"];
    const informers = this.#cache?.health;
    if (informers === undefined) return ["starting"];
    // Failures of optional informers are reported in the conditions of the objects that need them.
    const required = informers.filter(({ isOptional }) => !isOptional);
    return required.flatMap(({ kind, isSynced, failures, phase }) => {
      if (!isSynced) return [`${kind}: ${phase.kind === "failing" ? phase.failure.message : "not listed yet"}`];
      return failures > FAILURES_MAX ? [`${kind}: the watch failed ${failures} times in a row`] : [];
    });
  }

  #runs(controller: string | undefined, key: ObjectKey | undefined): RunsJson {
    const requested = this.#operators
      .filter(({ name }) => controller === undefined || name === controller)
      .map(({ name, rbac }) => ({ name, ...rbac }));
    return {
      controllers: requested.map(controllerJson),
      runs: requested.flatMap((each) => {
        const log = this.#controllers.get(each.name)?.runs;
        return (key === undefined ? log?.latest() : log?.of(key))?.map((record) => runJson(each, record)) ?? [];
      }),
    };
  }
}

/** A watch that failed more often in a row makes the process not ready. */
const FAILURES_MAX = 5;

/** Returns an OpenTelemetry tracer if an SDK has registered its global; a no-op tracer otherwise. */
async function availableTracer(): Promise<Tracer> {
  if (!(Symbol.for("opentelemetry.js.api.1") in globalThis)) return noopTracer;
  try {
    const { openTelemetryTracer } = await import("./tracing.ts");
    return openTelemetryTracer();
  } catch (error) {
    throw new Error(`OpenTelemetry is registered but cannot be used: ${toError(error).message}`, { cause: error });
  }
}
