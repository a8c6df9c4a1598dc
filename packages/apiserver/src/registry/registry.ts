import { randomBytes } from "node:crypto";
import { deepEqual, isAlreadyExists, isNotFound, timestamp } from "@levelset/core";
import type { Clock, JsonObject, JsonValue, ManagedFieldsEntry, Random } from "@levelset/core";
import type { ApiObject, Store, StoredRecord, StoreKey } from "../store/index.ts";
import { appliedObject, appliedToHome, decodeApplied } from "./apply.ts";
import { ALLOW_ALL } from "./authorizer.ts";
import type { Authorizer } from "./authorizer.ts";
import { CRDS, NAMESPACES } from "./builtins.ts";
import { Catalog } from "./catalog.ts";
import { asCrd, isInConflict, withAcceptance } from "./crd.ts";
import { newObject } from "./create.ts";
import { decodeObject, decodePatched } from "./decode.ts";
import type { Decoded, FieldValidation } from "./decode.ts";
import type { Draft } from "./draft.ts";
import { alreadyExists, conflict, forbidden, STALE, terminatingKind } from "./failure.ts";
import { decideRemoval, isLetGo } from "./decide-removal.ts";
import type { DeleteOptions } from "./delete-options.ts";
import { HeldValues } from "./held-values.ts";
import { rulesOf } from "./kinds.ts";
import { ownersOfChanged, ownersOfNew, withOwners } from "./managed-fields.ts";
import type { OwnedWrite } from "./managed-fields.ts";
import { finalizerWarnings } from "./metadata.ts";
import { INITIAL_NAMESPACES } from "./namespace.ts";
import type { Patch } from "./patch.ts";
import type { Alias, Resource } from "./resource.ts";
import { answerTo } from "./review.ts";
import type { ReviewContext } from "./review.ts";
import type { RuleContext } from "./rules.ts";
import { ServiceAccountTokens } from "./service-account-token.ts";
import { dryCreate, inStorageVersion } from "./storage-form.ts";
import { absent, checkNames, keyOf, newlyNamed } from "./target.ts";
import type { Target } from "./target.ts";
import { UnderWay } from "./under-way.ts";
import { updatedObject } from "./update.ts";
import type { Subresource } from "./subresource/part.ts";
import { viewOf, viewOfObject } from "./view.ts";
import type { View } from "./view.ts";

/** What a registry needs. */
export interface RegistryOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Decides who may do what. Default: whoever was let in may do everything. */
  readonly authorizer?: Authorizer;
  /** Signs the tokens of service accounts; 32 bytes that nobody knows. Default: new ones, so tokens end with the server. */
  readonly signingKey?: Uint8Array;
}

/** Who asks a question, and in which namespace. */
export type Asker = Pick<ReviewContext, "namespace" | "user"> & Partial<Pick<ReviewContext, "tokens">>;

/** How a write is to be done. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** Who owns what is written. Default: unknown. */
  readonly fieldManager?: string;
}

/** What a write left behind. */
export interface Written {
  readonly view: View;
  readonly warnings: readonly string[];
  /** Whether it made a new object where one might have been there. */
  readonly created?: boolean;
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
  readonly authorizer: Authorizer;
  /** Issues the tokens of service accounts, and knows them again. */
  readonly tokens: ServiceAccountTokens;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #underWay: UnderWay = new UnderWay();
  readonly #held: HeldValues;

  constructor(options: RegistryOptions) {
    this.store = options.store;
    this.#held = new HeldValues(options.store, this.#underWay);
    this.#clock = options.clock;
    this.#random = options.random;
    this.authorizer = options.authorizer ?? ALLOW_ALL;
    this.tokens = new ServiceAccountTokens({ ...options, key: options.signingKey ?? randomBytes(32) });
  }

  /** Reads what the store holds already and makes sure of the namespaces that every cluster has. */
  async start(): Promise<void> {
    this.catalog.load(this.store);
    for (const name of INITIAL_NAMESPACES) {
      const key: StoreKey = { resource: NAMESPACES.id, namespace: "", name };
      if (this.store.get(key) !== undefined || this.store.quarantined(key) !== undefined) continue;
      const options = { dryRun: false, fieldValidation: "Strict", fieldManager: "kube-apiserver" } as const;
      await this.create(NAMESPACES, "", { metadata: { name } }, options);
    }
  }

  /** The latest state of one object. Throws NotFound. */
  get(target: Target): View {
    return viewOf(target.resource, this.#record(target));
  }

  /** Creates an object from a body. */
  async create(resource: Resource, namespace: string, body: JsonValue, options: WriteOptions): Promise<Written> {
    const { draft, warnings } = decodeObject(resource, body, options.fieldValidation);
    const { alias } = resource;
    if (alias !== undefined) {
      return shownAs(alias, await this.create(alias.home, namespace, asBody(alias.toHome(draft)), options), warnings);
    }
    const owners = ownersOfNew(this.#owned(resource, undefined, options), draft);
    return this.#create(resource, namespace, { draft, warnings }, owners, options);
  }

  async #create(
    resource: Resource,
    namespace: string,
    { draft, warnings }: Decoded,
    owners: readonly ManagedFieldsEntry[],
    options: WriteOptions,
  ): Promise<Written> {
    this.#admitCreate(resource, namespace, draft.metadata.name ?? "");
    const said = [...warnings, ...finalizerWarnings(draft.metadata)];
    for (let tried = 1; ; tried++) {
      const unowned = newObject(resource, draft, { ...this.#context(), namespace, random: this.#random });
      const object = withOwners(unowned, owners, undefined);
      const { name } = object.metadata;
      const key: StoreKey = { resource: resource.id, namespace, name };
      const generated = (draft.metadata.name ?? "") === "";
      const result = options.dryRun
        ? dryCreate(this.store, key, object)
        : await this.#underWay.during(resource.id, object, () =>
            this.store.create(key, inStorageVersion(resource, object)),
          );
      if (result.kind === "written") {
        if (!options.dryRun) this.#follow(result.record);
        const view = viewOf(this.catalog.current(resource), result.record);
        return { view, warnings: [...said, ...(rulesOf(resource).warnings?.(view.object) ?? [])] };
      }
      if (!generated || tried === GENERATE_TRIES) throw alreadyExists(resource, name);
    }
  }

  /** Answers a question, such as whether somebody may do something. Nothing is stored. */
  ask(resource: Resource, body: JsonValue, asker: Asker, options: WriteOptions): View {
    const { draft } = decodeObject(resource, body, options.fieldValidation);
    const answer = answerTo(resource, draft, { authorizer: this.authorizer, tokens: this.tokens, ...asker });
    // A question has a type and metadata like any object.
    return viewOfObject(answer as ApiObject);
  }

  /** Replaces an object, or its status, by a body. */
  async update(target: Target, body: JsonValue, subresource: Subresource, options: WriteOptions): Promise<Written> {
    const { draft, warnings } = decodeObject(target.resource, body, options.fieldValidation);
    checkNames(target, draft);
    const { alias } = target.resource;
    if (alias !== undefined) {
      const home: Target = { ...target, resource: alias.home };
      return shownAs(alias, await this.update(home, asBody(alias.toHome(draft)), subresource, options), warnings);
    }
    const mayCreate = subresource === undefined && rulesOf(target.resource).createsOnUpdate === true;
    if (mayCreate && this.store.get(keyOf(target)) === undefined) {
      const owners = ownersOfNew(this.#owned(target.resource, undefined, options), draft);
      const created = await this.#create(target.resource, target.namespace, { draft, warnings }, owners, options);
      return { ...created, created: true };
    }
    return this.#change(target, options, (old) =>
      this.#updated(target, old, { draft, warnings }, subresource, options),
    );
  }

  /** Applies a patch to an object, or to its status, as often as it takes when others write at the same time. */
  async patch(target: Target, patch: Patch, subresource: Subresource, options: WriteOptions): Promise<Written> {
    const { alias } = target.resource;
    if (alias !== undefined) {
      const home: Target = { ...target, resource: alias.home };
      const throughAlias: Patch = (old) => {
        // Stored objects came from JSON and are nothing else.
        const patched = patch(asBody(alias.fromHome(old as unknown as ApiObject)));
        return asBody(alias.toHome(decodePatched(target.resource, patched, options.fieldValidation).draft));
      };
      return shownAs(alias, await this.patch(home, throughAlias, subresource, options), []);
    }
    return this.#change(target, options, (old) => {
      // Stored objects came from JSON and are nothing else.
      const patched = patch(old as unknown as JsonValue);
      const { draft, warnings } = decodePatched(target.resource, patched, options.fieldValidation);
      checkNames(target, draft);
      return this.#updated(target, old, { draft, warnings }, subresource, options);
    });
  }

  #updated(
    target: Target,
    old: ApiObject,
    { draft, warnings }: Decoded,
    subresource: Subresource,
    options: WriteOptions,
    owners?: readonly ManagedFieldsEntry[],
  ): { readonly next: ApiObject; readonly warnings: readonly string[] } {
    const next = updatedObject(target.resource, old, draft, subresource, this.#context());
    const entries = owners ?? ownersOfChanged(this.#owned(target.resource, subresource, options), old, draft);
    return {
      next: withOwners(next, entries, old),
      warnings: [...warnings, ...finalizerWarnings(draft.metadata, old.metadata)],
    };
  }

  /** Applies a configuration: the object is as it says, except for fields that it does not mention. Creates what is not there. */
  async apply(
    target: Target,
    configuration: JsonObject,
    subresource: Subresource,
    options: WriteOptions & { readonly force: boolean },
  ): Promise<Written & { readonly created: boolean }> {
    const { resource, namespace } = target;
    const { alias } = resource;
    if (alias !== undefined) {
      const home: Target = { ...target, resource: alias.home };
      const written = await this.apply(home, appliedToHome(alias, configuration), subresource, options);
      return { ...shownAs(alias, written, []), created: written.created };
    }
    const write = this.#owned(resource, subresource, options);
    if (subresource === undefined && this.store.get(keyOf(target)) === undefined) {
      const { value, managedFields } = appliedObject(write, undefined, configuration, options.force);
      const context = { ...this.#context(), namespace, random: this.#random };
      const decoded = decodeApplied(resource, value, (draft) => newObject(resource, draft, context));
      const named = newlyNamed(target, decoded);
      try {
        const created = await this.#create(resource, namespace, named, managedFields, options);
        return { ...created, created: true };
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
    }
    const written = await this.#change(target, options, (old) => {
      const { value, managedFields } = appliedObject(write, old, configuration, options.force);
      const decoded = decodeApplied(resource, value, (draft) => {
        updatedObject(resource, old, draft, subresource, this.#context());
      });
      checkNames(target, decoded.draft);
      return this.#updated(target, old, decoded, subresource, options, managedFields);
    });
    return { ...written, created: false };
  }

  #owned(resource: Resource, subresource: Subresource, { fieldManager = "" }: WriteOptions): OwnedWrite {
    const inVersion = (apiVersion: string): Resource | undefined => this.catalog.inVersion(resource, apiVersion);
    return { resource, subresource, manager: fieldManager, now: this.#now(), inVersion };
  }

  /** Changes an object on the server's own behalf: no rule of its kind applies, except that a released object goes. */
  async amend(target: Target, change: (old: ApiObject) => ApiObject): Promise<Written> {
    const options: WriteOptions = { dryRun: false, fieldValidation: "Ignore" };
    return this.#change(target, options, (old) => ({ next: change(old), warnings: [] }));
  }

  /** Deletes an object, or marks it where finalizers or its grace period hold it. */
  async delete(target: Target, options: DeleteOptions): Promise<Deleted> {
    const { resource } = target;
    for (;;) {
      const record = this.#record(target);
      const decided = decideRemoval(resource, record.object, options, this.#clock.now());
      if (decided.kind === "wait") return { kind: "waiting", view: viewOf(resource, record) };
      if (options.dryRun) {
        return decided.kind === "remove"
          ? { kind: "gone", view: viewOf(resource, record) }
          : { kind: "waiting", view: viewOfObject(decided.object) };
      }
      if (decided.kind === "remove") {
        const gone = await this.#remove(record);
        if (gone !== undefined) return { kind: "gone", view: viewOf(resource, gone) };
        continue;
      }
      const result = await this.store.update(record.key, decided.object, record.revision);
      if (result.kind === "conflict") continue;
      this.#follow(result.record);
      return { kind: "waiting", view: viewOf(resource, result.record) };
    }
  }

  /** Removes an object at exactly this version; undefined when it has changed meanwhile. */
  async #remove(record: StoredRecord): Promise<StoredRecord | undefined> {
    const result = await this.store.delete(record.key, record.revision);
    if (result.kind === "conflict") return undefined;
    if (record.key.resource === CRDS.id) {
      this.catalog.withdraw(record.key.name);
      await this.#reconsiderNames(asCrd(record.object).spec.group);
    }
    return result.record;
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
      if (isLetGo(resource, next)) {
        if ((await this.#remove(record)) !== undefined) return { view: viewOfObject(next), warnings };
        continue;
      }
      const result = await this.#underWay.during(resource.id, stored, () =>
        this.store.update(record.key, stored, record.revision),
      );
      if (result.kind === "conflict") continue;
      this.#follow(result.record);
      return { view: viewOf(this.catalog.current(resource), result.record), warnings };
    }
    throw conflict(resource, name, STALE);
  }

  /** Names that became free go to declarations that wanted them. */
  async #reconsiderNames(group: string): Promise<void> {
    const waiting = this.catalog.crds.filter((crd) => crd.spec.group === group && isInConflict(crd));
    for (const { metadata } of waiting) {
      const target: Target = { resource: CRDS, namespace: "", name: metadata.name };
      await this.amend(target, (crd) => withAcceptance(crd, this.catalog.crds, this.#now())).catch(unlessNotFound);
    }
  }

  #record(target: Target): StoredRecord {
    const record = this.store.get(keyOf(target));
    if (record === undefined) throw absent(this.store, target);
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
    if (home === undefined) throw absent(this.store, { resource: NAMESPACES, namespace: "", name: namespace });
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
    const held: RuleContext["held"] = (resource, valuesOf) => this.#held.of(resource, valuesOf);
    return { now: this.#now(), crds: this.catalog.crds, others: (resource) => this.#all(resource), held };
  }

  *#all(resource: string): Generator<ApiObject> {
    const listed = this.store.list({ resource });
    if (listed.kind === "listing") for (const { object } of listed.records) yield object;
    yield* this.#underWay.of(resource);
  }

  #now(): string {
    return timestamp(this.#clock.now());
  }
}

/** What was written as an object of `alias.home`, in the form in which it was asked for. */
function shownAs(alias: Alias, { view, warnings }: Written, said: readonly string[]): Written {
  return { view: viewOfObject(alias.fromHome(view.object)), warnings: [...said, ...warnings] };
}

function asBody(object: Draft | ApiObject): JsonValue {
  // Decoded from JSON and made of nothing else.
  return object as unknown as JsonValue;
}

function unlessNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
