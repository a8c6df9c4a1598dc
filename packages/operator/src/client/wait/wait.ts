import { InputError, isNotFound, StatusError } from "@levelset/core";
import { onAbort, toError, unreachable } from "@levelset/core/internal";
import type { Clock, Kind, KubeObject, Logger, ObjectKey, ObjectOf, Random } from "@levelset/core";
import { Reflector } from "../../watch/index.ts";
import type { ListWatch, ReflectedChange } from "../../watch/index.ts";
import type { CallOptions } from "../options.ts";
import { objectPath } from "../path.ts";
import { WaitError } from "./wait-error.ts";
import { evaluate } from "./wait-progress.ts";
import type { ObservedObject, Verdict, WaitGoal, WaitProgress } from "./wait-progress.ts";

/** Options of a wait. */
export interface WaitOptions<O extends KubeObject> extends CallOptions {
  /**
   * `ready` for its latest generation, `available` by its condition Available, or `deleted`. Default: ready. A
   * recreated object of the same name is another object, so the first one counts as deleted.
   */
  readonly for?: WaitGoal;
  /**
   * Ignores reads that are older than this generation, which the response to a write has. A later generation is
   * accepted.
   */
  readonly generation?: number | undefined;
  /**
   * The expected UID: another UID under the same name means that the object was deleted. Default: the first UID that is
   * read.
   */
  readonly uid?: string | undefined;
  /** Continues to wait when the object has failed. Default: rejects, because a person has to act. */
  readonly untilRecovered?: boolean;
  /** Rejects with a WaitError `Timeout` after this time. Default: waits until the signal aborts. */
  readonly timeoutMs?: number | undefined;
  /** Receives every new state while the goal is not reached. */
  readonly onProgress?: ((progress: WaitProgress<O>) => void) | undefined;
}

/** Dependencies of a wait. */
export interface WaitDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** The object to wait for. */
export interface WaitSubject<K extends Kind> {
  readonly kind: K;
  readonly key: ObjectKey;
  readonly source: ListWatch<ObjectOf<K>>;
}

/**
 * Watches one object until the goal is reached. It reads the object once, then watches it across lost connections and
 * expired resourceVersions; it never polls. Resolves with the object, or for `deleted` with the last version that was
 * read. Rejects with a `WaitError` if the goal cannot be reached, with the error of the first read, and with the reason
 * of the signal.
 */
export async function waitForObject<K extends Kind>(
  subject: WaitSubject<K>,
  options: WaitOptions<ObjectOf<K>>,
  dependencies: WaitDependencies,
): Promise<ObjectOf<K> | undefined> {
  checkKey(subject);
  return new Wait(subject, options, dependencies).run();
}

function checkKey({ kind, key }: WaitSubject<Kind>): void {
  // Throws for an invalid name.
  objectPath(kind, key);
  if (kind.scope === "Namespaced" && key.namespace === undefined) {
    throw new InputError(`the key of a ${kind.kind} needs a namespace`, { hint: "a key is { namespace, name }" });
  }
}

class Wait<K extends Kind> {
  readonly #subject: WaitSubject<K>;
  readonly #options: WaitOptions<ObjectOf<K>>;
  readonly #dependencies: WaitDependencies;
  readonly #end = Promise.withResolvers<ObjectOf<K> | undefined>();
  readonly #reflector: Reflector<ObjectOf<K>>;
  #observed: ObservedObject<ObjectOf<K>> = { object: undefined, deleted: undefined, isDeleted: false };
  #progress: WaitProgress<ObjectOf<K>> = { object: undefined, state: "Unknown", message: "not read yet" };
  #reported = "";
  #isScheduled = false;

  constructor(subject: WaitSubject<K>, options: WaitOptions<ObjectOf<K>>, dependencies: WaitDependencies) {
    this.#subject = subject;
    this.#options = options;
    this.#dependencies = dependencies;
    const { source, key } = subject;
    this.#reflector = new Reflector({
      ...dependencies,
      source,
      selection: { namespace: key.namespace, fields: `metadata.name=${escaped(key.name)}` },
      onChange: (change) => this.#take(change),
      onHealth: () => this.#schedule(),
    });
  }

  async run(): Promise<ObjectOf<K> | undefined> {
    const { signal, timeoutMs } = this.#options;
    if (signal?.aborted === true) throw reasonOf(signal);
    const stop = new AbortController();
    using _ = onAbort(signal, () => this.#end.reject(signal === undefined ? undefined : reasonOf(signal)));
    const timer = timeoutMs === undefined ? undefined : this.#dependencies.clock.after(timeoutMs, () => this.#giveUp());
    const running = this.#reflector.run(stop.signal);
    try {
      return await this.#end.promise;
    } finally {
      timer?.cancel();
      stop.abort();
      await running;
    }
  }

  #take(change: ReflectedChange<ObjectOf<K>>): void {
    const { name } = this.#subject.key;
    if (change.kind === "replace") this.#see(change.objects.find(({ metadata }) => metadata.name === name));
    else if (change.object.metadata.name === name) this.#see(change.kind === "put" ? change.object : undefined);
    this.#schedule();
  }

  /** Records the newest version. A deletion is final: the wait is for one UID. */
  #see(object: ObjectOf<K> | undefined): void {
    const { object: before, isDeleted } = this.#observed;
    if (isDeleted) return;
    const uid = this.#options.uid ?? before?.metadata.uid;
    const isGone =
      (before !== undefined && object === undefined) || (uid ?? object?.metadata.uid) !== object?.metadata.uid;
    this.#observed = isGone
      ? { object: undefined, deleted: before, isDeleted: true }
      : { object, deleted: undefined, isDeleted: false };
  }

  /** Schedules the evaluation after all changes that arrived together, so that only the last one counts. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      try {
        this.#evaluate();
      } catch (error) {
        this.#end.reject(error);
      }
    });
  }

  #evaluate(): void {
    const { isSynced, failure, failures } = this.#reflector.health;
    if (failure !== undefined && isNotFound(failure)) return this.#unserved(failure);
    if (!isSynced && failure !== undefined && isFinal(failure, failures)) return this.#end.reject(failure);
    if (!isSynced && failure === undefined) return;
    const { for: goal = "ready", generation } = this.#options;
    if (!isSynced) return this.#report(this.#progress, failure);
    this.#conclude(evaluate(this.#observed, this.#subject.kind, { goal, generation }), failure);
  }

  /** Handles a kind that is not served: its objects do not exist. */
  #unserved(failure: Error): void {
    const { object } = this.#observed;
    if (this.#options.for === "deleted") return this.#end.resolve(this.#observed.deleted ?? object);
    if (object === undefined) return this.#end.reject(failure);
    this.#reject("Deleted", "was deleted with its kind");
  }

  #conclude({ kind, progress }: Verdict<ObjectOf<K>>, failure: Error | undefined): void {
    this.#progress = progress;
    switch (kind) {
      case "reached":
        return this.#end.resolve(progress.object);
      case "failed":
        if (this.#options.untilRecovered === true) return this.#report(progress, failure);
        return this.#reject("Failed", `has failed: ${wordsOf(progress)}`);
      case "deleted":
        return this.#reject("Deleted", progress.state === "Deleting" ? "is being deleted" : progress.message);
      case "no-condition":
        return this.#reject("NoSuchCondition", progress.message);
      case "waiting":
        return this.#report(progress, failure);
      default:
        return unreachable(kind);
    }
  }

  #report(progress: WaitProgress<ObjectOf<K>>, failure: Error | undefined): void {
    const message = failure === undefined ? progress.message : `not watching: ${failure.message}, retrying`;
    const { object: _, ...rest } = { ...progress, message };
    const text = JSON.stringify(rest);
    if (text === this.#reported) return;
    this.#reported = text;
    this.#options.onProgress?.({ ...progress, message });
  }

  #giveUp(): void {
    const { for: goal = "ready", timeoutMs } = this.#options;
    this.#reject("Timeout", `is not ${goal} after ${timeoutMs} ms: ${wordsOf(this.#progress)}`);
  }

  #reject(reason: WaitError["reason"], predicate: string): void {
    const { kind, key } = this.#subject;
    const name = key.namespace === undefined ? key.name : `${key.namespace}/${key.name}`;
    this.#end.reject(new WaitError(reason, `${kind.kind} ${name} ${predicate}`, this.#progress));
  }
}

function wordsOf({ reason = "", message }: WaitProgress<KubeObject>): string {
  return reason === "" || message.startsWith(reason) ? message : `${reason}: ${message}`;
}

/** Maximum number of attempts of the first read if no response arrives. */
const FIRST_READS_MAX = 3;

/** Returns whether a failed first read is not retried. Later failures are always retried. */
function isFinal(failure: Error, failures: number): boolean {
  if (failure instanceof StatusError) return failure.retryStrategy !== "backoff" && failure.retryStrategy !== "relist";
  return failures >= FIRST_READS_MAX;
}

/** Escapes a field selector value as `EscapeValue` of k8s.io/apimachinery/pkg/fields/selector.go does. */
function escaped(name: string): string {
  return name.replaceAll(/[\\,=]/gu, String.raw`\$&`);
}

function reasonOf(signal: AbortSignal): Error {
  return toError(signal.reason);
}
