import { apiVersionOf, isNotFound, kindId } from "@levelset/core";
import type { JsonValue, Kind, KubeObject, NewOf, ObjectOf } from "@levelset/core";
import type { DeleteOptions, Registry, Resource, Target, WriteOptions } from "../registry/index.ts";
import type { ApiObject, StoredRecord } from "../store/index.ts";
import { amendObject, deleteObject } from "./guarded-write.ts";

const OPTIONS: WriteOptions = { dryRun: false, fieldValidation: "Ignore", fieldManager: "kube-controller-manager" };

/** How a controller deletes, beyond the default. */
export type RemoveOptions = Partial<Pick<DeleteOptions, "propagationPolicy" | "gracePeriodSeconds" | "preconditions">>;

/** What controllers do to objects: typed by kind, in this process, by the same rules as every writer. */
export class Actor {
  readonly registry: Registry;

  constructor(registry: Registry) {
    this.registry = registry;
  }

  /** The object as it is now. */
  get<K extends Kind>(kind: K, namespace: string, name: string): ObjectOf<K> | undefined {
    const record = this.registry.store.get({ resource: kindId(kind), namespace, name });
    return record === undefined ? undefined : objectOf<K>(record);
  }

  /** All objects of a kind, in one namespace if named. */
  list<K extends Kind>(kind: K, namespace?: string): readonly ObjectOf<K>[] {
    const scope = { resource: kindId(kind), ...(namespace === undefined ? {} : { namespace }) };
    const listing = this.registry.store.list(scope);
    return listing.kind === "compacted" ? [] : listing.records.map((record) => objectOf<K>(record));
  }

  /** Creates an object. */
  async create<K extends Kind>(kind: K, namespace: string, fields: NewOf<K>): Promise<ObjectOf<K>> {
    const body = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...fields };
    // Plain data, as the type of new objects says.
    const written = await this.registry.create(this.#resource(kind), namespace, body as unknown as JsonValue, OPTIONS);
    return written.view.object; // validated by the schema that the type comes from
  }

  /** Changes this very object; another of the same name is left alone. Answers undefined when it is gone. */
  change<K extends Kind>(
    kind: K,
    object: ObjectOf<K>,
    next: (old: ObjectOf<K>) => unknown,
  ): Promise<ObjectOf<K> | undefined> {
    return this.#patch(kind, object, next, undefined);
  }

  /** Replaces the status of this very object. Answers undefined when it is gone. */
  changeStatus<K extends Kind>(
    kind: K,
    object: ObjectOf<K>,
    status: (old: ObjectOf<K>) => unknown,
  ): Promise<ObjectOf<K> | undefined> {
    return this.#patch(kind, object, (old) => ({ ...old, status: status(old) }), "status");
  }

  /** Changes this very object as a writer of its status may: for some kinds annotations go along. */
  changeThroughStatus<K extends Kind>(
    kind: K,
    object: ObjectOf<K>,
    next: (old: ObjectOf<K>) => unknown,
  ): Promise<ObjectOf<K> | undefined> {
    return this.#patch(kind, object, next, "status");
  }

  /** Changes this very object beyond what the rules of its kind allow to writers, such as a pod's node. */
  async amend<K extends Kind>(kind: K, object: ObjectOf<K>, next: (old: ObjectOf<K>) => unknown): Promise<void> {
    // What a controller makes of an object is of the same kind.
    const change = (old: ApiObject): ApiObject => next(old) as ApiObject;
    await amendObject(this.registry, this.#target(kind, object), object.metadata.uid, change);
  }

  /** Deletes this very object, which may be gone already. */
  async remove(kind: Kind, object: KubeObject, options: RemoveOptions = {}): Promise<void> {
    await deleteObject(this.registry, this.#target(kind, object), object.metadata.uid, options);
  }

  async #patch<K extends Kind>(
    kind: K,
    object: ObjectOf<K>,
    next: (old: ObjectOf<K>) => unknown,
    subresource: "status" | undefined,
  ): Promise<ObjectOf<K> | undefined> {
    const patch = (old: JsonValue): JsonValue => {
      const current = old as unknown as ObjectOf<K>; // validated by the schema that the type comes from
      const isSame = current.metadata.uid === object.metadata.uid;
      return isSame ? (next(current) as JsonValue) : old; // plain data, made from plain data
    };
    try {
      const { view } = await this.registry.patch(this.#target(kind, object), patch, subresource, OPTIONS);
      return view.object; // the same
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #target(kind: Kind, { metadata }: KubeObject): Target {
    return { resource: this.#resource(kind), namespace: metadata.namespace ?? "", name: metadata.name };
  }

  #resource(kind: Kind): Resource {
    const resource = this.registry.catalog.find(kind.group, kind.version, kind.plural);
    if (resource === undefined) throw new TypeError(`${kindId(kind)} is not served`);
    return resource;
  }
}

/** A stored object as one of its kind. */
export function objectOf<K extends Kind>(record: StoredRecord): ObjectOf<K> {
  // Validated by the schema that the type comes from, when it was written.
  return record.object;
}
