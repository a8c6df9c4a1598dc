import { kindId } from "@levelset/core";
import type { JsonValue, Kind, LogLine, NewOf, ObjectOf } from "@levelset/core";
import { atRest, memoryLogger, seededRandom, VirtualClock } from "@levelset/core/testing";
import { Registry } from "../registry/index.ts";
import type { DeleteOptions } from "../registry/index.ts";
import { MemoryStore } from "../store/index.ts";
import type { Store } from "../store/index.ts";
import { Actor } from "./actor.ts";
import { startControllers } from "./controllers.ts";
import type { ControllerOptions, RunningControllers } from "./controllers.ts";

/** How a cluster under test starts. */
export interface ClusterOptions extends ControllerOptions {
  /** One that is there already, for controllers that start anew. */
  readonly store?: Store;
  readonly clock?: VirtualClock;
}

/** A registry with controllers behind it, without HTTP. */
export class Cluster implements Disposable {
  readonly clock: VirtualClock;
  readonly store: Store;
  readonly registry: Registry;
  readonly actor: Actor;
  readonly logs: readonly LogLine[];
  readonly #controllers: RunningControllers;

  private constructor(
    parts: { readonly clock: VirtualClock; readonly store: Store; readonly registry: Registry },
    options: ClusterOptions,
  ) {
    this.clock = parts.clock;
    this.store = parts.store;
    this.registry = parts.registry;
    this.actor = new Actor(parts.registry);
    const { logger, lines } = memoryLogger();
    this.logs = lines;
    this.#controllers = startControllers({ ...parts, random: seededRandom(2), logger }, options);
  }

  static async start(options: ClusterOptions = {}): Promise<Cluster> {
    const { clock = new VirtualClock(), store = new MemoryStore() } = options;
    const registry = new Registry({ store, clock, random: seededRandom(1) });
    await registry.start();
    return new Cluster({ clock, store, registry }, options);
  }

  /** Waits until no write comes any more while the clock stands still. */
  async rest(): Promise<void> {
    for (let round = 0; round < 500; round++) {
      const { revision } = this.store;
      await atRest();
      await atRest();
      if (this.store.revision === revision) return;
    }
    throw new Error("the controllers do not come to rest");
  }

  /** Moves the clock in small steps, at rest after each. */
  async pass(ms: number, stepMs = 100): Promise<void> {
    await this.rest();
    for (let passed = 0; passed < ms; passed += stepMs) {
      await this.clock.advance(Math.min(stepMs, ms - passed));
      await this.rest();
    }
  }

  create<K extends Kind>(kind: K, fields: NewOf<K>, namespace = "default"): Promise<ObjectOf<K>> {
    return this.actor.create(kind, kind.scope === "Cluster" ? "" : namespace, fields);
  }

  get<K extends Kind>(kind: K, name: string, namespace = "default"): ObjectOf<K> | undefined {
    return this.actor.get(kind, kind.scope === "Cluster" ? "" : namespace, name);
  }

  names(kind: Kind, namespace?: string): readonly string[] {
    return this.actor.list(kind, namespace).map(({ metadata }) => metadata.name);
  }

  /** Changes an object by a function. */
  async change<K extends Kind>(kind: K, name: string, next: (old: ObjectOf<K>) => unknown): Promise<void> {
    const object = this.get(kind, name);
    if (object === undefined) throw new Error(`${kindId(kind)} ${name} is not there`);
    await this.actor.change(kind, object, next);
  }

  /** Deletes as a request would. */
  async delete(kind: Kind, name: string, options: Partial<DeleteOptions> = {}, namespace = "default"): Promise<void> {
    const resource = this.registry.catalog.find(kind.group, kind.version, kind.plural);
    if (resource === undefined) throw new Error(`${kindId(kind)} is not served`);
    const target = { resource, namespace: kind.scope === "Cluster" ? "" : namespace, name };
    await this.registry.delete(target, { dryRun: false, preconditions: {}, ...options });
  }

  /** Creates an object of any served kind from a manifest. */
  async apply(manifest: Readonly<Record<string, unknown>>, namespace = "default"): Promise<void> {
    const { apiVersion, kind } = manifest;
    const resource = this.registry.catalog.resources.find(
      (each) => each.kind === kind && [each.group, each.version].filter((part) => part !== "").join("/") === apiVersion,
    );
    if (resource === undefined) throw new Error(`${String(apiVersion)} ${String(kind)} is not served`);
    const body = manifest as unknown as JsonValue; // tests write plain data
    await this.registry.create(resource, resource.scope === "Cluster" ? "" : namespace, body, {
      dryRun: false,
      fieldValidation: "Strict",
    });
  }

  publishCa(ca: string): void {
    this.#controllers.publishCa(ca);
  }

  /** The controllers stop; the store stays as it is. */
  [Symbol.dispose](): void {
    this.#controllers.close();
  }
}
