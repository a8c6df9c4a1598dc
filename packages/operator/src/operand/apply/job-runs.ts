import type { ObjectOf, SpecOf } from "@levelset/core";
import { digestOf } from "../../apply/index.ts";
import type { JobRecord } from "../../steps/index.ts";
import type { ManifestItem } from "../spec/item.ts";
import { contentHashOf } from "../spec/job-manifest.ts";
import type { HookName, Operand } from "../spec/operand-kinds.ts";

type Status = NonNullable<ObjectOf<Operand>["status"]>;
type StatusRecord = NonNullable<Status["jobs"]>[number];

/** Maximum length of a recorded message. */
const MESSAGE_MAX = 256;

/** Hashes of sets by spec. Specs are frozen. */
const setHashes = new WeakMap<SpecOf<Operand>, string>();

/** Returns the hash of all manifests of a spec. */
export function setHashOf(spec: SpecOf<Operand>): string {
  const found = setHashes.get(spec) ?? digestOf([spec.steadyState, spec.postInstall]);
  setHashes.set(spec, found);
  return found;
}

/**
 * Results of the Jobs of a set in one run: those that the status has, and those to save. A Job that ended keeps its
 * finalizer until the status has its result.
 */
export class JobRuns {
  /** Hooks that run in the current phase. Jobs of other hooks are not applied. */
  active: ReadonlySet<HookName> = new Set();
  /** Hooks that run in this installation, in this phase or in another. Their Jobs are kept until they are recorded. */
  due: ReadonlySet<HookName> = new Set();
  readonly #spec: SpecOf<Operand>;
  readonly #saved: ReadonlyMap<string, StatusRecord>;
  readonly #next: Map<string, StatusRecord>;
  #requeueMs: number | undefined;

  constructor({ spec, status }: Pick<ObjectOf<Operand>, "spec" | "status">) {
    this.#spec = spec;
    this.#saved = new Map((status?.jobs ?? []).map((record) => [keyOfRecord(record), record]));
    this.#next = new Map(this.#saved);
  }

  /** Returns the hook that a Job runs for in this phase; undefined if none. */
  hookOf({ job }: ManifestItem): HookName | undefined {
    return job?.hooks.find((hook) => this.active.has(hook));
  }

  /** Returns the hash that a Job runs once for. A preUpgrade hook runs once for each version of the whole set. */
  hashOf(item: ManifestItem): string {
    const content = contentHashOf(item);
    const hook = this.hookOf(item);
    if (hook === undefined) return content;
    return digestOf(hook === "preUpgrade" ? [hook, content, setHashOf(this.#spec)] : [hook, content]);
  }

  /** Returns the recorded result of a Job, or of its active hook; undefined if there is none. */
  saved(item: ManifestItem): JobRecord | undefined {
    return this.#saved.get(this.#key(item));
  }

  /** Returns the same of another state of the Operand. */
  savedIn(status: Status | undefined, item: ManifestItem): JobRecord | undefined {
    return status?.jobs?.find((record) => keyOfRecord(record) === this.#key(item));
  }

  /** Records the result of a Job, or that no result is valid. It is saved at the end of the run. */
  record(item: ManifestItem, record: JobRecord | undefined): void {
    const key = this.#key(item);
    if (record === undefined) {
      this.#next.delete(key);
      return;
    }
    const hook = this.hookOf(item);
    const { reason, message, ...rest } = record;
    this.#next.set(key, {
      ...rest,
      namespace: item.ref.namespace ?? "",
      ...(hook === undefined ? {} : { hook }),
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message: message.slice(0, MESSAGE_MAX) }),
    });
  }

  /** Returns the records to save: those of the Jobs of the set. */
  recordsFor(items: readonly ManifestItem[]): StatusRecord[] | undefined {
    if (this.#next.size === 0) return undefined;
    const keys = new Set(
      items.flatMap((item) => {
        const { hooks = [] } = item.job ?? {};
        return hooks.length === 0 ? [keyOf(item, undefined)] : hooks.map((hook) => keyOf(item, hook));
      }),
    );
    const kept = [...this.#next].filter(([key]) => keys.has(key)).map(([, record]) => record);
    return kept.length === 0 ? undefined : kept;
  }

  /** Requests another run within this time. */
  requeueAfter(ms: number): void {
    this.#requeueMs = Math.min(this.#requeueMs ?? Infinity, ms);
  }

  /** Delay of the next requested run; undefined if none is requested. */
  get requeueMs(): number | undefined {
    return this.#requeueMs;
  }

  #key(item: ManifestItem): string {
    return keyOf(item, this.hookOf(item));
  }
}

function keyOf({ ref }: ManifestItem, hook: HookName | undefined): string {
  return `${ref.namespace ?? ""}/${ref.name}/${hook ?? ""}`;
}

function keyOfRecord({ namespace, job, hook }: StatusRecord): string {
  return `${namespace}/${job}/${hook ?? ""}`;
}
