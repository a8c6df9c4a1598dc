import { apiVersionOf, isNotFound, kindId } from "@levelset/core";
import type { JsonValue, Kind, KubeObject, NewOf, ObjectOf } from "@levelset/core";
import type { DeleteOptions, Resource } from "../resource/index.ts";
import type { Registry, ResourceObjectRef, WriteOptions } from "../registry/index.ts";
import type { ApiObject, StoredRecord } from "../store/index.ts";
import { privilegedUpdateByUid, deleteByUid } from "./update-by-uid.ts";

const OPTIONS: WriteOptions = { dryRun: false, fieldValidation: "Ignore", fieldManager: "kube-controller-manager" };

/** Delete options that differ from the default. */
export type ControllerDeleteOptions = Partial<
  Pick<DeleteOptions, "propagationPolicy" | "gracePeriodSeconds" | "preconditions">
>;

/** In-process client of the controllers, typed by kind. Writes pass the same validation as requests. */
export class ControllerClient {
  readonly registry: Registry;

  constructor(registry: Registry) {
    this.registry = registry;
  }

  /** Returns the current object, or undefined. */
  get<K extends Kind>(kind: K, namespace: string, name: string): ObjectOf<K> | undefined {
    const record = this.registry.store.get({ resource: kindId(kind), namespace, name });
    return record === undefined ? undefined : objectOfRecord<K>(record);
  }

  /** Lists all objects of a kind, in one namespace if given. */
  list<K extends Kind>(kind: K, namespace?: string): readonly ObjectOf<K>[] {
    const scope = { resource: kindId(kind), ...(namespace === undefined ? {} : { namespace }) };
    const listing = this.registry.store.list(scope);
    return listing.kind === "compacted" ? [] : listing.records.map((record) => objectOfRecord<K>(record));
  }

  /** Creates an object. */
  async create<K extends Kind>(kind: K, namespace: string, fields: NewOf<K>): Promise<ObjectOf<K>> {
    const body = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...fields };
    // The type of new objects allows plain data only.
    const written = await this.registry.create(this.#resource(kind), namespace, body as unknown as JsonValue, OPTIONS);
    return written.view.object; // validated by the schema of the kind
  }

  /** Updates the object with this uid. Returns undefined if it is gone or was recreated. */
  update<K extends Kind>(
    kind: K,
    object: ObjectOf<K>,
    next: (old: ObjectOf<K>) => unknown,
  ): Promise<ObjectOf<K> | undefined> {
    return this.#patch(kind, object, next, undefined);
  }

  /** Replaces the status of the object with this uid. Returns undefined if it is gone or was recreated. */
  updateStatus<K extends Kind>(
    kind: K,
    object: ObjectOf<K>,
    status: (old: ObjectOf<K>) => unknown,
  ): Promise<ObjectOf<K> | undefined> {
    return this.#patch(kind, object, (old) => ({ ...old, status: status(old) }), "status");
  }

  /** Updates the object with this uid through the status strategy, which for some kinds also accepts annotations. */
  updateViaStatus<K extends Kind>(
    kind: K,
    object: ObjectOf<K>,
    next: (old: ObjectOf<K>) => unknown,
  ): Promise<ObjectOf<K> | undefined> {
    return this.#patch(kind, object, next, "status");
  }

  /** Updates the object with this uid, including fields that clients cannot change, such as the node of a pod. */
  async privilegedUpdate<K extends Kind>(
    kind: K,
    object: ObjectOf<K>,
    next: (old: ObjectOf<K>) => unknown,
  ): Promise<void> {
    // A controller returns an object of the same kind.
    const change = (old: ApiObject): ApiObject => next(old) as ApiObject;
    await privilegedUpdateByUid(this.registry, this.#target(kind, object), object.metadata.uid, change);
  }

  /** Deletes the object with this uid. Does nothing if it is already gone. */
  async delete(kind: Kind, object: KubeObject, options: ControllerDeleteOptions = {}): Promise<void> {
    await deleteByUid(this.registry, this.#target(kind, object), object.metadata.uid, options);
  }

  async #patch<K extends Kind>(
    kind: K,
    object: ObjectOf<K>,
    next: (old: ObjectOf<K>) => unknown,
    subresource: "status" | undefined,
  ): Promise<ObjectOf<K> | undefined> {
    const patch = (old: JsonValue): JsonValue => {
      const current = old as unknown as ObjectOf<K>; // validated by the schema of the kind
      const isSame = current.metadata.uid === object.metadata.uid;
      return isSame ? (next(current) as JsonValue) : old; // plain data, built from plain data
    };
    try {
      const { view } = await this.registry.patch(this.#target(kind, object), patch, subresource, OPTIONS);
      return view.object; // plain data, built from plain data
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #target(kind: Kind, { metadata }: KubeObject): ResourceObjectRef {
    return { resource: this.#resource(kind), namespace: metadata.namespace ?? "", name: metadata.name };
  }

  #resource(kind: Kind): Resource {
    const resource = this.registry.catalog.find(kind.group, kind.version, kind.plural);
    if (resource === undefined) throw new TypeError(`${kindId(kind)} is not served`);
    return resource;
  }
}

/** Returns the object of a record, typed by its kind. */
export function objectOfRecord<K extends Kind>(record: StoredRecord): ObjectOf<K> {
  // Validated by the schema of the kind when it was written.
  return record.object;
}
