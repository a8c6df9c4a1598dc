import { isNotFound } from "@levelset/core";
import { jitter, formatTimestamp } from "@levelset/core/internal";
import { matchesLabelSelector, parseLabelSelector } from "@levelset/core/schema";
import type { Clock, JsonValue, Random } from "@levelset/core";
import type { Registry } from "../../../registry/index.ts";
import type { Resource } from "../../../resource/index.ts";
import type { ApiObject, StoredRecord } from "../../../store/index.ts";
import type { BuiltinController } from "../../controller.ts";
import type { RecordChange } from "../../change-feed.ts";
import { formatStoreKey, parseStoreKey } from "../../owner-index.ts";
import type { Stage } from "./stage.ts";

/** The stage of an object, and when it ends. */
interface Stay {
  readonly uid: string;
  readonly stage: Stage;
  readonly until: number;
}

/** Moves objects through stages. */
export class StageController implements BuiltinController {
  readonly name = "stages";
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #stages: ReadonlyMap<string, readonly Stage[]>;
  readonly #stays = new Map<string, Stay>();

  constructor(options: {
    readonly registry: Registry;
    readonly clock: Clock;
    readonly random: Random;
    readonly stages: readonly Stage[];
  }) {
    this.#registry = options.registry;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#stages = Map.groupBy(options.stages.map(withSelector), ({ resource }) => resource);
  }

  *affectedKeys({ key, current }: RecordChange): Iterable<string> {
    if (!this.#stages.has(key.resource)) return;
    if (current === undefined) this.#stays.delete(formatStoreKey(key));
    else yield formatStoreKey(key);
  }

  async sync(text: string): Promise<number | undefined> {
    const key = parseStoreKey(text);
    const record = this.#registry.store.get(key);
    const stage = record && this.#stages.get(key.resource)?.find((candidate) => candidate.when(record.object));
    if (record === undefined || stage === undefined) {
      this.#stays.delete(text);
      return undefined;
    }
    const left = this.#stayOf(text, record.object, stage).until - this.#clock.now();
    if (left > 0) return left;
    this.#stays.delete(text);
    await this.#apply(stage, record);
    return undefined;
  }

  #stayOf(key: string, object: ApiObject, stage: Stage): Stay {
    const { uid } = object.metadata;
    const known = this.#stays.get(key);
    if (known?.uid === uid && known.stage === stage) return known;
    const delay = typeof stage.after === "number" ? stage.after : stage.after(object);
    const ms = stage.jitter === undefined ? delay : jitter(this.#random, delay, stage.jitter);
    const stay = { uid, stage, until: this.#clock.now() + Math.round(ms) };
    this.#stays.set(key, stay);
    return stay;
  }

  async #apply({ effect, when }: Stage, { key, object }: StoredRecord): Promise<void> {
    const { catalog } = this.#registry;
    const resource: Resource | undefined = catalog.resources.find(({ id }) => id === key.resource);
    if (resource === undefined) return;
    const target = { resource, namespace: key.namespace, name: key.name };
    const { uid } = object.metadata;
    try {
      if (effect.kind === "remove") {
        await this.#registry.delete(target, { dryRun: false, gracePeriodSeconds: 0, preconditions: { uid } });
        return;
      }
      const now = formatTimestamp(this.#clock.now());
      const patch = (old: JsonValue): JsonValue => {
        // Stored objects and results of stages are JSON.
        const current = old as unknown as ApiObject;
        if (current.metadata.uid !== uid || !when(current)) return old;
        return { ...current, status: effect.status(current, { now }) } as unknown as JsonValue;
      };
      await this.#registry.patch(target, patch, resource.hasStatus ? "status" : undefined, {
        dryRun: false,
        fieldValidation: "Ignore",
        fieldManager: "kubelet",
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** Returns a stage whose `when` includes its selector. */
function withSelector(stage: Stage): Stage {
  if (stage.selector === undefined) return stage;
  const selector = parseLabelSelector(stage.selector);
  return { ...stage, when: (object) => matchesLabelSelector(selector, object.metadata.labels) && stage.when(object) };
}
