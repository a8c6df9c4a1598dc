import { kindId } from "@levelset/core";
import type { JsonValue, Kind, LogLine, NewOf, ObjectOf } from "@levelset/core";
import { untilIdle, memoryLogger, seededRandom, VirtualClock } from "@levelset/core/testing";
import { Registry } from "../registry/index.ts";
import type { DeleteOptions } from "../resource/delete-options.ts";
import { MemoryStore } from "../store/index.ts";
import type { Store } from "../store/index.ts";
import { ControllerClient } from "./controller-client.ts";
import { startControllers } from "./controllers.ts";
import type { BuiltinControllerOptions, ControllerManager } from "./controllers.ts";

/** Options of {@link ControllerHarness}. */
export interface ControllerHarnessOptions extends BuiltinControllerOptions {
  /** An existing store, to test a restart of the controllers. */
  readonly store?: Store;
  readonly clock?: VirtualClock;
}

/** A registry with controllers, without HTTP. */
export class ControllerHarness implements Disposable {
  readonly clock: VirtualClock;
  readonly store: Store;
  readonly registry: Registry;
  readonly actor: ControllerClient;
  readonly logs: readonly LogLine[];
  readonly #controllers: ControllerManager;

  private constructor(
    parts: { readonly clock: VirtualClock; readonly store: Store; readonly registry: Registry },
    options: ControllerHarnessOptions,
  ) {
    this.clock = parts.clock;
    this.store = parts.store;
    this.registry = parts.registry;
    this.actor = new ControllerClient(parts.registry);
    const { logger, lines } = memoryLogger();
    this.logs = lines;
    this.#controllers = startControllers({ ...parts, random: seededRandom(2), logger }, options);
  }

  static async start(options: ControllerHarnessOptions = {}): Promise<ControllerHarness> {
    const { clock = new VirtualClock(), store = new MemoryStore() } = options;
    const registry = new Registry({ store, clock, random: seededRandom(1) });
    await registry.start();
    return new ControllerHarness({ clock, store, registry }, options);
  }

  /** Waits until the controllers stop writing, without advancing the clock. */
  async untilIdle(): Promise<void> {
    for (let round = 0; round < 500; round++) {
      const { revision } = this.store;
      await untilIdle();
      await untilIdle();
      if (this.store.revision === revision) return;
    }
    throw new Error("the controllers do not become idle");
  }

  /** Advances the clock in small steps and waits until idle after each. */
  async advance(ms: number, stepMs = 100): Promise<void> {
    await this.untilIdle();
    for (let passed = 0; passed < ms; passed += stepMs) {
      await this.clock.advance(Math.min(stepMs, ms - passed));
      await this.untilIdle();
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

  /** Updates an object by a function. */
  async update<K extends Kind>(kind: K, name: string, next: (old: ObjectOf<K>) => unknown): Promise<void> {
    const object = this.get(kind, name);
    if (object === undefined) throw new Error(`${kindId(kind)} ${name} not found`);
    await this.actor.update(kind, object, next);
  }

  /** Deletes an object like a request. */
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
    const body = manifest as unknown as JsonValue; // tests pass plain data
    await this.registry.create(resource, resource.scope === "Cluster" ? "" : namespace, body, {
      dryRun: false,
      fieldValidation: "Strict",
    });
  }

  publishCa(ca: string): void {
    this.#controllers.publishCa(ca);
  }

  /** Stops the controllers. The store stays open. */
  [Symbol.dispose](): void {
    this.#controllers.close();
  }
}
