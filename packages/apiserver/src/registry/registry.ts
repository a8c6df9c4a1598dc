import { randomBytes } from "node:crypto";
import { deepEqual, formatTimestamp } from "@levelset/core/internal";
import { isAlreadyExists, isNotFound } from "@levelset/core";
import type { Clock, JsonObject, JsonValue, ManagedFieldsEntry, Random } from "@levelset/core";
import type { ApiObject, Store, StoredRecord, StoreKey } from "../store/index.ts";
import { applyToObject, applyToStorageResource, decodeMerged } from "./apply-object.ts";
import { ALLOW_ALL, ServiceAccountTokens } from "../auth/index.ts";
import type { Authorizer } from "../auth/index.ts";
import {
  BUILTIN_RESOURCES,
  crdResource,
  namespaceResource,
  asCrd,
  hasNameConflict,
  withAcceptedNames,
  INITIAL_NAMESPACES,
} from "../kinds/index.ts";
import { asBody, viewAs } from "./alias-view.ts";
import { ResourceCatalog } from "./resource-catalog.ts";
import { newObject } from "./create.ts";
import { decodeObject, decodePatchResult } from "./decode.ts";
import type { DecodeResult } from "./decode.ts";
import type { DeleteOptions, Resource, StrategyContext, WritableSubresource } from "../resource/index.ts";
import {
  alreadyExistsError,
  conflictError,
  OPTIMISTIC_LOCK_MESSAGE,
  terminatingKindError,
  terminatingNamespaceError,
  finalizerWarnings,
} from "../resource/index.ts";
import { decideDeletion, shouldDeleteDuringUpdate } from "./decide-deletion.ts";
import { UniqueValues } from "./unique-values.ts";
import { managedFieldsOnUpdate, managedFieldsOnCreate, withManagedFields } from "./managed-fields.ts";
import type { ManagedWrite } from "./managed-fields.ts";
import type { Patcher } from "./patch.ts";
import { dryRunCreate, toStorageVersion } from "./storage-version.ts";
import { absent, checkRequestNames, storeKeyOf, prepareApplyCreate } from "./resource-object-ref.ts";
import type { ResourceObjectRef } from "./resource-object-ref.ts";
import { PendingWrites } from "./pending-writes.ts";
import { updatedObject } from "./update.ts";
import type { RegistryDeleteResult, RegistryWriteResult, WriteOptions } from "./write-options.ts";
import { versionedObjectOf, versionedObjectFrom } from "./versioned-object.ts";
import type { VersionedObject } from "./versioned-object.ts";

/** Options of {@link Registry}. */
export interface RegistryOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Answers access reviews. Default: allows every authenticated request. */
  readonly authorizer?: Authorizer;
  /** The built-in resources. Default: all of `kinds`. */
  readonly resources?: readonly Resource[];
  /** Secret key that signs service account tokens, 32 bytes. Default: random, so tokens become invalid on restart. */
  readonly signingKey?: Uint8Array;
}

const GENERATE_TRIES = 8;
const PATCH_TRIES = 5;

/** API semantics over a store. Methods reject with a `StatusError` that has the reason of kube-apiserver. */
export class Registry {
  readonly store: Store;
  readonly catalog: ResourceCatalog;
  readonly authorizer: Authorizer;
  /** Issues and verifies service account tokens. */
  readonly tokens: ServiceAccountTokens;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #pending: PendingWrites = new PendingWrites();
  readonly #held: UniqueValues;

  constructor(options: RegistryOptions) {
    this.store = options.store;
    this.catalog = new ResourceCatalog(options.resources ?? BUILTIN_RESOURCES);
    this.#held = new UniqueValues(options.store, this.#pending);
    this.#clock = options.clock;
    this.#random = options.random;
    this.authorizer = options.authorizer ?? ALLOW_ALL;
    this.tokens = new ServiceAccountTokens({ ...options, key: options.signingKey ?? randomBytes(32) });
  }

  /** Loads CustomResourceDefinitions and creates the initial namespaces. Must be called once, first. */
  async start(): Promise<void> {
    this.catalog.load(this.store);
    for (const name of INITIAL_NAMESPACES) {
      const key: StoreKey = { resource: namespaceResource.id, namespace: "", name };
      if (this.store.get(key) !== undefined || this.store.quarantined(key) !== undefined) continue;
      const options = { dryRun: false, fieldValidation: "Strict", fieldManager: "kube-apiserver" } as const;
      await this.create(namespaceResource, "", { metadata: { name } }, options);
    }
  }

  /** Returns the current state of one object. Throws NotFound, or InternalError if the object is quarantined. */
  get(target: ResourceObjectRef): VersionedObject {
    return versionedObjectOf(target.resource, this.#record(target));
  }

  /** Creates an object from a request body. */
  async create(
    resource: Resource,
    namespace: string,
    body: JsonValue,
    options: WriteOptions,
  ): Promise<RegistryWriteResult> {
    const { object, warnings } = decodeObject(resource, body, options.fieldValidation);
    const { alias } = resource;
    if (alias !== undefined) {
      return viewAs(
        alias,
        await this.create(alias.storageResource, namespace, asBody(alias.toStorage(object)), options),
        warnings,
      );
    }
    const owners = managedFieldsOnCreate(this.#owned(resource, undefined, options), object);
    return this.#create(resource, namespace, { object, warnings }, owners, options);
  }

  async #create(
    resource: Resource,
    namespace: string,
    { object: decoded, warnings }: DecodeResult,
    owners: readonly ManagedFieldsEntry[],
    options: WriteOptions,
  ): Promise<RegistryWriteResult> {
    this.#admitCreate(resource, namespace, decoded.metadata.name ?? "");
    const requestWarnings = [...warnings, ...finalizerWarnings(decoded.metadata)];
    for (let tried = 1; ; tried++) {
      const unowned = newObject(resource, decoded, { ...this.#context(), namespace, random: this.#random });
      const object = withManagedFields(unowned, owners, undefined);
      const { name } = object.metadata;
      const key: StoreKey = { resource: resource.id, namespace, name };
      const generated = (decoded.metadata.name ?? "") === "";
      const result = options.dryRun
        ? dryRunCreate(this.store, key, object)
        : await this.#pending.track(resource.id, object, () =>
            this.store.create(key, toStorageVersion(resource, object)),
          );
      if (result.kind === "written") {
        if (!options.dryRun) this.#updateCatalog(result.record);
        const view = versionedObjectOf(this.catalog.latest(resource), result.record);
        return { view, warnings: [...requestWarnings, ...(resource.strategy.warnings?.(view.object) ?? [])] };
      }
      if (!generated || tried === GENERATE_TRIES) throw alreadyExistsError(resource, name);
    }
  }

  /** Replaces an object or a subresource. Throws Conflict if the resourceVersion is outdated. */
  async update(
    target: ResourceObjectRef,
    body: JsonValue,
    subresource: WritableSubresource | undefined,
    options: WriteOptions,
  ): Promise<RegistryWriteResult> {
    const { object, warnings } = decodeObject(target.resource, body, options.fieldValidation);
    checkRequestNames(target, object);
    const { alias } = target.resource;
    if (alias !== undefined) {
      const home: ResourceObjectRef = { ...target, resource: alias.storageResource };
      return viewAs(alias, await this.update(home, asBody(alias.toStorage(object)), subresource, options), warnings);
    }
    const mayCreate = subresource === undefined && target.resource.strategy.allowCreateOnUpdate === true;
    if (mayCreate && this.store.get(storeKeyOf(target)) === undefined) {
      const owners = managedFieldsOnCreate(this.#owned(target.resource, undefined, options), object);
      const created = await this.#create(target.resource, target.namespace, { object, warnings }, owners, options);
      return { ...created, created: true };
    }
    return this.#change(target, options, (old) =>
      this.#updated(target, old, { object, warnings }, subresource, options),
    );
  }

  /** Patches an object or a subresource. Retries after concurrent writes unless the patch sets a resourceVersion. */
  async patch(
    target: ResourceObjectRef,
    patch: Patcher,
    subresource: WritableSubresource | undefined,
    options: WriteOptions,
  ): Promise<RegistryWriteResult> {
    const { alias } = target.resource;
    if (alias !== undefined) {
      const home: ResourceObjectRef = { ...target, resource: alias.storageResource };
      const throughAlias: Patcher = (old) => {
        // Stored objects consist of JSON only.
        const patched = patch(asBody(alias.fromStorage(old as unknown as ApiObject)));
        return asBody(alias.toStorage(decodePatchResult(target.resource, patched, options.fieldValidation).object));
      };
      return viewAs(alias, await this.patch(home, throughAlias, subresource, options), []);
    }
    return this.#change(target, options, (old) => {
      // Stored objects consist of JSON only.
      const patched = patch(old as unknown as JsonValue);
      const { object, warnings } = decodePatchResult(target.resource, patched, options.fieldValidation);
      checkRequestNames(target, object);
      return this.#updated(target, old, { object, warnings }, subresource, options);
    });
  }

  #updated(
    target: ResourceObjectRef,
    old: ApiObject,
    { object, warnings }: DecodeResult,
    subresource: WritableSubresource | undefined,
    options: WriteOptions,
    owners?: readonly ManagedFieldsEntry[],
  ): { readonly next: ApiObject; readonly warnings: readonly string[] } {
    const next = updatedObject(target.resource, old, object, subresource, this.#context());
    const entries = owners ?? managedFieldsOnUpdate(this.#owned(target.resource, subresource, options), old, object);
    return {
      next: withManagedFields(next, entries, old),
      warnings: [...warnings, ...finalizerWarnings(object.metadata, old.metadata)],
    };
  }

  /** Applies a configuration (docs: Server-Side Apply). Creates the object if it does not exist. */
  async apply(
    target: ResourceObjectRef,
    configuration: JsonObject,
    subresource: WritableSubresource | undefined,
    options: WriteOptions & { readonly force: boolean },
  ): Promise<RegistryWriteResult & { readonly created: boolean }> {
    const { resource, namespace } = target;
    const { alias } = resource;
    if (alias !== undefined) {
      const home: ResourceObjectRef = { ...target, resource: alias.storageResource };
      const written = await this.apply(home, applyToStorageResource(alias, configuration), subresource, options);
      return { ...viewAs(alias, written, []), created: written.created };
    }
    const write = this.#owned(resource, subresource, options);
    if (subresource === undefined && this.store.get(storeKeyOf(target)) === undefined) {
      const { value, managedFields } = applyToObject(write, undefined, configuration, options.force);
      const context = { ...this.#context(), namespace, random: this.#random };
      const decoded = decodeMerged(resource, value, (draft) => newObject(resource, draft, context));
      const named = prepareApplyCreate(target, decoded);
      try {
        const created = await this.#create(resource, namespace, named, managedFields, options);
        return { ...created, created: true };
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
    }
    const written = await this.#change(target, options, (old) => {
      const { value, managedFields } = applyToObject(write, old, configuration, options.force);
      const decoded = decodeMerged(resource, value, (draft) => {
        updatedObject(resource, old, draft, subresource, this.#context());
      });
      checkRequestNames(target, decoded.object);
      return this.#updated(target, old, decoded, subresource, options, managedFields);
    });
    return { ...written, created: false };
  }

  #owned(
    resource: Resource,
    subresource: WritableSubresource | undefined,
    { fieldManager = "" }: WriteOptions,
  ): ManagedWrite {
    const inVersion = (apiVersion: string): Resource | undefined => this.catalog.findVersion(resource, apiVersion);
    return { resource, subresource, manager: fieldManager, now: this.#now(), inVersion };
  }

  /** Updates an object without validation, for built-in controllers. Removes it if its last finalizer is gone. */
  async privilegedUpdate(
    target: ResourceObjectRef,
    change: (old: ApiObject) => ApiObject,
  ): Promise<RegistryWriteResult> {
    const options: WriteOptions = { dryRun: false, fieldValidation: "Ignore" };
    return this.#change(target, options, (old) => ({ next: change(old), warnings: [] }));
  }

  /** Deletes an object, or marks it for deletion if it has finalizers or a grace period. */
  async delete(target: ResourceObjectRef, options: DeleteOptions): Promise<RegistryDeleteResult> {
    const { resource } = target;
    for (;;) {
      const record = this.#record(target);
      const decided = decideDeletion(resource, record.object, options, this.#clock.now());
      if (decided.kind === "wait") return { kind: "waiting", view: versionedObjectOf(resource, record) };
      if (options.dryRun) {
        return decided.kind === "remove"
          ? { kind: "gone", view: versionedObjectOf(resource, record) }
          : { kind: "waiting", view: versionedObjectFrom(decided.object) };
      }
      if (decided.kind === "remove") {
        const gone = await this.#remove(record);
        if (gone !== undefined) return { kind: "gone", view: versionedObjectOf(resource, gone) };
        continue;
      }
      const result = await this.store.update(record.key, decided.object, record.revision);
      if (result.kind === "conflict") continue;
      this.#updateCatalog(result.record);
      return { kind: "waiting", view: versionedObjectOf(resource, result.record) };
    }
  }

  /** Removes an object at exactly this version; returns undefined if it has changed. */
  async #remove(record: StoredRecord): Promise<StoredRecord | undefined> {
    const result = await this.store.delete(record.key, record.revision);
    if (result.kind === "conflict") return undefined;
    if (record.key.resource === crdResource.id) {
      this.catalog.removeCrd(record.key.name);
      await this.#reconsiderNames(asCrd(record.object).spec.group);
    }
    return result.record;
  }

  async #change(
    target: ResourceObjectRef,
    options: WriteOptions,
    decide: (old: ApiObject) => { readonly next: ApiObject; readonly warnings: readonly string[] },
  ): Promise<RegistryWriteResult> {
    const { resource, name } = target;
    for (let tried = 0; tried < PATCH_TRIES; tried++) {
      const record = this.#record(target);
      const { next, warnings } = decide(versionedObjectOf(resource, record).object);
      const stored = toStorageVersion(resource, next);
      if (deepEqual(stored, record.object)) return { view: versionedObjectOf(resource, record), warnings };
      if (options.dryRun) return { view: versionedObjectFrom(next), warnings };
      if (shouldDeleteDuringUpdate(resource, next)) {
        if ((await this.#remove(record)) !== undefined) return { view: versionedObjectFrom(next), warnings };
        continue;
      }
      const result = await this.#pending.track(resource.id, stored, () =>
        this.store.update(record.key, stored, record.revision),
      );
      if (result.kind === "conflict") continue;
      this.#updateCatalog(result.record);
      return { view: versionedObjectOf(this.catalog.latest(resource), result.record), warnings };
    }
    throw conflictError(resource, name, OPTIMISTIC_LOCK_MESSAGE);
  }

  /** Re-evaluates the names of CustomResourceDefinitions with conflicts after names were released. */
  async #reconsiderNames(group: string): Promise<void> {
    const waiting = this.catalog.crds.filter((crd) => crd.spec.group === group && hasNameConflict(crd));
    for (const { metadata } of waiting) {
      const target: ResourceObjectRef = { resource: crdResource, namespace: "", name: metadata.name };
      await this.privilegedUpdate(target, (crd) => withAcceptedNames(crd, this.catalog.crds, this.#now())).catch(
        unlessNotFound,
      );
    }
  }

  #record(target: ResourceObjectRef): StoredRecord {
    const record = this.store.get(storeKeyOf(target));
    if (record === undefined) throw absent(this.store, target);
    return record;
  }

  /** Updates the catalog. CustomResourceDefinitions take effect in the write that stores them. */
  #updateCatalog(record: StoredRecord): void {
    if (record.key.resource === crdResource.id) this.catalog.addCrd(asCrd(record.object));
  }

  /** Rejects a create if the namespace does not exist or is terminating, or the kind is terminating. */
  #admitCreate(resource: Resource, namespace: string, name: string): void {
    if (this.catalog.findCrd(resource.id)?.metadata.deletionTimestamp !== undefined)
      throw terminatingKindError(resource);
    if (resource.scope === "Cluster") return;
    const home = this.store.get({ resource: namespaceResource.id, namespace: "", name: namespace });
    if (home === undefined) throw absent(this.store, { resource: namespaceResource, namespace: "", name: namespace });
    if (home.object.metadata.deletionTimestamp === undefined) return;
    throw terminatingNamespaceError(resource, name, namespace);
  }

  #context(): StrategyContext {
    const held: StrategyContext["isValueTaken"] = (resource, valuesOf) => this.#held.of(resource, valuesOf);
    return { now: this.#now(), crds: this.catalog.crds, list: (resource) => this.#all(resource), isValueTaken: held };
  }

  *#all(resource: string): Generator<ApiObject> {
    const listed = this.store.list({ resource });
    if (listed.kind === "listing") for (const { object } of listed.records) yield object;
    yield* this.#pending.of(resource);
  }

  #now(): string {
    return formatTimestamp(this.#clock.now());
  }
}

function unlessNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
