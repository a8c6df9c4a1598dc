import type { Clock, KubeObject, Logger } from "@levelset/core";
import type { Contention } from "../apply/index.ts";
import type { Client, Discovery } from "../client/index.ts";
import type { EventSink } from "./event-sink.ts";
import type { Reader } from "./reader.ts";
import type { Tracer } from "./tracer.ts";

/** What a run may use of the world. */
export interface RunTools {
  readonly client: Client;
  readonly discovery: Discovery;
  readonly reader: Reader;
  /** Takes a version of the run's own object that was read live into the cache, which reports what changed in it. */
  readonly observe: (object: KubeObject) => void;
  readonly events: EventSink;
  readonly tracer: Tracer;
  /** Detects other clients that undo what runs write. Lives longer than a run. */
  readonly contention: Contention;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborts when the operator stops. */
  readonly signal: AbortSignal;
  /** What the steps of a run may take together, and their posts again, and each write. */
  readonly deadlineMs: number;
}
