import type { Clock, KubeObject, Logger } from "@levelset/core";
import type { ApplyCache, Contention } from "../apply/index.ts";
import type { Client, Discovery } from "../client/index.ts";
import type { EventSink } from "./step/event-sink.ts";
import type { CacheReader } from "./cache-reader.ts";
import type { EffectHooks } from "./external-interceptor.ts";
import type { StepScope } from "./step-scope.ts";
import type { Tracer } from "./tracer.ts";

/** Dependencies of a run. */
export interface RunDependencies extends EffectHooks {
  readonly client: Client;
  readonly discovery: Discovery;
  readonly reader: CacheReader;
  /** Adds a version of the run's own object that was read from the server to the cache, which emits the change. */
  readonly observe: (object: KubeObject) => void;
  readonly events: EventSink;
  readonly tracer: Tracer;
  /** Detects other clients that undo writes of runs. Shared by all runs. */
  readonly contention: Contention;
  /** Applied children that the server normalizes. Shared by all runs. */
  readonly applyCache: ApplyCache;
  /** Attributes work that steps start; absent if that is not needed. */
  readonly stepScope?: StepScope | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborts when the operator stops. */
  readonly signal: AbortSignal;
  /**
   * Time limit for all `do` or `cleanup` phases of a run together, for all `post` phases together, and for each write.
   */
  readonly deadlineMs: number;
}
