import { deepEqual, deepFreeze, formatApiVersion, stringifyJson, timestamp } from "@levelset/core";
import type { Clock, JsonValue, ObjectMeta, Random } from "@levelset/core";
import type { ApiObject, Store, StoredRecord, StoreKey } from "../store/index.ts";
import { CRDS, NAMESPACES } from "./builtins.ts";
import { Cascade } from "./cascade.ts";
import type { Removed } from "./cascade.ts";
import { Catalog } from "./catalog.ts";
import { asCrd } from "./crd.ts";
import { newObject } from "./create.ts";
import { decodeObject, decodePatched } from "./decode.ts";
import type { Draft, FieldValidation } from "./decode.ts";
import { alreadyExists, badRequest, conflict, forbidden, notFound, STALE, terminatingKind } from "./failure.ts";
import { finalizerWarnings } from "./metadata.ts";
import { IMMORTAL_NAMESPACES, isHeldByContent } from "./namespace.ts";
import type { Patch } from "./patch.ts";
import { checkRemovalPreconditions, isReleased, removal } from "./remove.ts";
import type { Preconditions } from "./remove.ts";
import { resourceApiVersion } from "./resource.ts";
import type { Resource } from "./resource.ts";
import type { RuleContext } from "./rules.ts";
import { updatedObject } from "./update.ts";
import type { Subresource } from "./update.ts";
import { viewOf } from "./view.ts";
import type { View } from "./view.ts";

/** What a registry needs. */
export interface RegistryOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}

/** Names one object of a resource. `namespace` is empty for cluster-scoped ones. */
export interface Target {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

/** How a write is to be done. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
}

/** What a write left behind. */
export interface Written {
  readonly view: View;
  readonly warnings: readonly string[];
}

/** What a deletion left behind: nothing, or an object that waits for its finalizers. */
export interface Deleted {
  readonly kind: "gone" | "waiting";
  readonly view: View;
}

const GENERATE_TRIES = 8;
const PATCH_TRIES = 5;

/** The rules of the API over a store: which writes are allowed, and what they leave behind. */
export class Registry {
  readonly store: Store;
  readonly catalog: Catalog = new Catalog();
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #cascade: Cascade;

  constructor(options: RegistryOptions) {
    this.store = options.store;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#cascade = new Cascade({ store: this.store, catalog: this.catalog });
  }

  /** Reads what the store holds already and makes sure of the namespaces that every cluster has. */
  async start(): Promise<void> {
    this.catalog.load(this.store);
    for (const name of IMMORTAL_NAMESPACES) {
      if (this.store.get({ resource: NAMESPACES.id, namespace: "", name }) !== undefined) continue;
      const body = { metadata: { name } };
      await this.create(NAMESPACES, "", body, { dryRun: false, fieldValidation: "Strict" });
    }
  }

  /** The latest state of one object. Throws NotFound. */
  get(target: Target): View {
    return viewOf(target.resource, this.#record(target));
  }

  /** Creates an object from a body. */
  async create(resource: Resource, namespace: string, body: JsonValue, options: WriteOptions): Promise<Written> {
    const { draft, warnings } = decodeObject(resource, body, options.fieldValidation);
    this.#admitCreate(resource, namespace, draft.metadata.name ?? "");
    const said = [...warnings, ...finalizerWarnings(draft.metadata)];
    for (let tried = 1; ; tried++) {
      const object = newObject(resource, draft, { ...this.#context(), namespace, random: this.#random });
      const { name } = object.metadata;
      const key: StoreKey = { resource: resource.id, namespace, name };
      const generated = (draft.metadata.name ?? "") === "";
      const result = options.dryRun
        ? dryCreate(this.store.get(key), key, object)
        : await this.store.create(key, inStorageVersion(resource, object));
      if (result.kind === "written") {
        if (!options.dryRun) this.#follow(result.record);
        return { view: viewOf(this.catalog.current(resource), result.record), warnings: said };
      }
      if (!generated || tried === GENERATE_TRIES) throw alreadyExists(resource, name);
    }
  }

  /** Replaces an object, or its status, by a body. */
  async update(target: Target, body: JsonValue, subresource: Subresource, options: WriteOptions): Promise<Written> {
    const { draft, warnings } = decodeObject(target.resource, body, options.fieldValidation);
    checkNames(target, draft);
    return this.#change(target, options, (old) => ({
      next: updatedObject(target.resource, old, draft, subresource, this.#context()),
      warnings: [...warnings, ...finalizerWarnings(draft.metadata, old.metadata)],
    }));
  }

  /** Applies a patch to an object, or to its status, as often as it takes when others write at the same time. */
  async patch(target: Target, patch: Patch, subresource: Subresource, options: WriteOptions): Promise<Written> {
    return this.#change(target, options, (old) => {
      // Stored objects came from JSON and are nothing else.
      const patched = patch(old as unknown as JsonValue);
      const { draft, warnings } = decodePatched(target.resource, patched, options.fieldValidation);
      checkNames(target, draft);
      return {
        next: updatedObject(target.resource, old, draft, subresource, this.#context()),
        warnings: [...warnings, ...finalizerWarnings(draft.metadata, old.metadata)],
      };
    });
  }

  /** Deletes an object, or marks it where finalizers hold it. */
  async delete(
    target: Target,
    options: { readonly dryRun: boolean; readonly preconditions: Preconditions },
  ): Promise<Deleted> {
    const { resource, name } = target;
    const decide = (record: StoredRecord): void => {
      checkRemovalPreconditions(resource, record.object, options.preconditions);
      if (resource.id === NAMESPACES.id && IMMORTAL_NAMESPACES.includes(name)) {
        throw forbidden(resource, name, "this namespace may not be deleted");
      }
    };
    if (options.dryRun) return this.#dryDelete(target, decide);
    const removed: Removed | undefined = await this.#cascade.delete(keyOf(target), this.#now(), decide);
    if (removed === undefined) throw notFound(resource, name);
    return { kind: removed.kind, view: viewOf(resource, removed.record) };
  }

  #dryDelete(target: Target, decide: (record: StoredRecord) => void): Deleted {
    const record = this.#record(target);
    decide(record);
    const gone = removal(record.object, this.#now()).kind === "remove";
    return { kind: gone ? "gone" : "waiting", view: viewOf(target.resource, record) };
  }

  async #change(
    target: Target,
    options: WriteOptions,
    decide: (old: ApiObject) => { readonly next: ApiObject; readonly warnings: readonly string[] },
  ): Promise<Written> {
    const { resource, name } = target;
    for (let tried = 0; tried < PATCH_TRIES; tried++) {
      const record = this.#record(target);
      const { next, warnings } = decide(viewOf(resource, record).object);
      const stored = inStorageVersion(resource, next);
      if (deepEqual(stored, record.object)) return { view: viewOf(resource, record), warnings };
      if (options.dryRun) return { view: viewOfObject(next), warnings };
      if (isReleased(next) && !(resource.id === NAMESPACES.id && isHeldByContent(next))) {
        if ((await this.#cascade.remove(record, this.#now())) !== undefined)
          return { view: viewOfObject(next), warnings };
        continue;
      }
      const result = await this.store.update(record.key, stored, record.revision);
      if (result.kind === "conflict") continue;
      this.#follow(result.record);
      return { view: viewOf(this.catalog.current(resource), result.record), warnings };
    }
    throw conflict(resource, name, STALE);
  }

  #record(target: Target): StoredRecord {
    const record = this.store.get(keyOf(target));
    if (record === undefined) throw notFound(target.resource, target.name);
    return record;
  }

  /** Declarations take effect with the write that stores them. */
  #follow(record: StoredRecord): void {
    if (record.key.resource === CRDS.id) this.catalog.declare(asCrd(record.object));
  }

  /** Nothing is created where there is no place for it, or where that place is about to go. */
  #admitCreate(resource: Resource, namespace: string, name: string): void {
    if (this.catalog.declarationOf(resource.id)?.metadata.deletionTimestamp !== undefined)
      throw terminatingKind(resource);
    if (resource.scope === "Cluster") return;
    const home = this.store.get({ resource: NAMESPACES.id, namespace: "", name: namespace });
    if (home === undefined) throw notFound(NAMESPACES, namespace);
    if (home.object.metadata.deletionTimestamp === undefined) return;
    throw forbidden(
      resource,
      name,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [
        {
          reason: "NamespaceTerminating",
          message: `namespace ${namespace} is being terminated`,
          field: "metadata.namespace",
        },
      ],
    );
  }

  #context(): RuleContext {
    return { now: this.#now(), crds: this.catalog.crds };
  }

  #now(): string {
    return timestamp(this.#clock.now());
  }
}

/** Where the store keeps an object. */
export function keyOf(target: Target): StoreKey {
  return { resource: target.resource.id, namespace: target.namespace, name: target.name };
}

function inStorageVersion(resource: Resource, object: ApiObject): ApiObject {
  const apiVersion = formatApiVersion(resource.group, resource.storageVersion);
  return resourceApiVersion(resource) === apiVersion ? object : { ...object, apiVersion };
}

function dryCreate(
  current: StoredRecord | undefined,
  key: StoreKey,
  object: ApiObject,
): { readonly kind: "written"; readonly record: StoredRecord } | { readonly kind: "conflict" } {
  if (current !== undefined) return { kind: "conflict" };
  const { resourceVersion: _none, ...metadata } = object.metadata;
  // What is not stored has no version, which no other object lacks.
  const unversioned = { ...object, metadata: metadata as ObjectMeta };
  return { kind: "written", record: { key, ...viewOfObject(unversioned), revision: Number.MAX_SAFE_INTEGER } };
}

function viewOfObject(object: ApiObject): View {
  return { object: deepFreeze(object), json: stringifyJson(object) };
}

function checkNames(target: Target, draft: Draft): void {
  const { name, namespace } = draft.metadata;
  if (name !== undefined && name !== "" && name !== target.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`);
  }
  if (target.namespace !== "" && namespace !== undefined && namespace !== "" && namespace !== target.namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}
