import type { JsonObject } from "@levelset/core";
import { parseJson, stringifyJson } from "@levelset/core/internal";
import type { ApiObject } from "@levelset/apiserver";
import { formatId, idOf, MARK_PREFIX } from "../history/index.ts";
import type { Manifest, ObjectId } from "../history/index.ts";
import { differencesOf } from "../violation/index.ts";
import type { Violation } from "../violation/index.ts";
import { keyOf, objectKey } from "../world/index.ts";
import type { Journal } from "../world/index.ts";

/** Domains of labels, annotations and finalizers that Kubernetes and levelset set on objects of any client. */
const COMMON = /^(?:[^/]*\.)?(?:kubernetes\.io|k8s\.io|levelset\.dev)\//u;

/** An object as a user or another client wants it. */
interface WantedObject {
  /** What the server returned. */
  readonly object: ApiObject;
  /** The labels and annotations that were written. */
  readonly written: Required<Pick<Manifest["metadata"], "labels" | "annotations">>;
  /** The finalizers of its first version. */
  readonly finalizers: readonly string[];
  /** Whether it is a custom resource of the program: operators may delete and annotate it, but not change its spec. */
  readonly isRoot: boolean;
}

/** Objects of users and other clients, as they should be. */
export class ForeignObjects {
  /** By their keys. */
  readonly #wanted = new Map<string, WantedObject>();
  /** Annotations that another client has set on a child: object uid → its name and the annotation. */
  readonly #marks = new Map<string, { readonly id: string; readonly mark: string }>();

  /** Another client or a user has written a manifest, and the server has returned the object. */
  wrote(object: ApiObject, { metadata }: Manifest, isRoot: boolean): void {
    const key = keyOf({ object });
    const known = this.#wanted.get(key);
    const earlier = known?.object.metadata.uid === object.metadata.uid ? known : undefined;
    const { labels = {}, annotations = {} } = metadata;
    const finalizers = earlier?.finalizers ?? object.metadata.finalizers ?? [];
    this.#wanted.set(key, { object, written: { labels, annotations }, finalizers, isRoot });
  }

  deleted(id: ObjectId): void {
    this.#wanted.delete(objectKey(id));
  }

  annotated(object: ApiObject, mark: string): void {
    this.#marks.set(object.metadata.uid, { id: formatId(idOf(object)), mark });
  }

  /**
   * Finds objects that were changed or deleted by the operator, and annotations that it removed. At the end, when the
   * custom resources are gone, no label, annotation or finalizer of an operator may be left on an object, either.
   */
  check(journal: Pick<Journal, "present" | "adopted">, time: "rest" | "end"): readonly Violation[] {
    const present = new Map(journal.present().map((record) => [keyOf(record), record.object]));
    // Operands adopt objects without an owner, unless their users forbid it.
    const adopted = new Set(journal.adopted().map(keyOf));
    for (const [key, wanted] of this.#wanted) {
      if (adopted.has(key)) continue;
      const object = present.get(key);
      const touched = wanted.isRoot ? touchOfRoot(wanted, object) : touchOf(wanted, object, time);
      if (touched !== undefined) return [violationOf(wanted, touched), ...this.#findUnmarked(present)];
    }
    return this.#findUnmarked(present);
  }

  #findUnmarked(present: ReadonlyMap<string, ApiObject>): readonly Violation[] {
    const byUid = new Map([...present.values()].map((object) => [object.metadata.uid, object]));
    const unmarked = [...this.#marks].find(([uid, { mark }]) => {
      const object = byUid.get(uid);
      return object !== undefined && object.metadata.annotations?.[`${MARK_PREFIX}${mark}`] === undefined;
    });
    if (unmarked === undefined) return [];
    const [, { id }] = unmarked;
    return [
      {
        rule: "foreign-touched",
        object: id,
        message: `An annotation that another client has set on ${id} was removed.`,
        expected: "Fields of other clients are kept.",
      },
    ];
  }
}

function violationOf({ object, isRoot }: WantedObject, touched: string): Violation {
  const id = formatId(idOf(object));
  return {
    rule: "foreign-touched",
    object: id,
    message: isRoot ? `${id} ${touched} by an operator.` : `${id}, which the operator has not created, ${touched}.`,
    expected: isRoot
      ? "The spec belongs to the user: an operator writes the status only."
      : "Objects of users and other owners are not changed and not deleted.",
  };
}

/** Returns what an operator has done to the fields that a user wrote. Its objects may end, and be created again. */
function touchOfRoot(wanted: WantedObject, object: ApiObject | undefined): string | undefined {
  if (object === undefined || object.metadata.uid !== wanted.object.metadata.uid) return undefined;
  return changeOf(wanted, object);
}

function touchOf(wanted: WantedObject, object: ApiObject | undefined, time: "rest" | "end"): string | undefined {
  if (object === undefined || object.metadata.uid !== wanted.object.metadata.uid) return "was deleted";
  return changeOf(wanted, object) ?? (time === "end" ? leftOn(wanted, object) : undefined);
}

function changeOf({ object: before, written }: WantedObject, after: ApiObject): string | undefined {
  const [change] = differencesOf("", fieldsOf(before), asSent(fieldsOf(after)));
  if (change !== undefined) return `was changed at ${change.path}`;
  for (const field of ["labels", "annotations"] as const) {
    const lost = Object.entries(written[field]).find(
      ([name, value]) => !COMMON.test(name) && after.metadata[field]?.[name] !== value,
    );
    if (lost !== undefined) return `was changed at metadata.${field}.${lost[0]}`;
  }
  return undefined;
}

/** Returns what an operator has left on an object that it used. */
function leftOn({ written, finalizers }: WantedObject, { metadata }: ApiObject): string | undefined {
  const isLeft = (known: readonly string[]) => (name: string) => !COMMON.test(name) && !known.includes(name);
  for (const field of ["labels", "annotations"] as const) {
    const left = Object.keys(metadata[field] ?? {}).find(isLeft(Object.keys(written[field])));
    if (left !== undefined) return `still has ${field === "labels" ? "the label" : "the annotation"} ${left}`;
  }
  const left = (metadata.finalizers ?? []).find(isLeft(finalizers));
  return left === undefined ? undefined : `still has the finalizer ${left}`;
}

/** Returns fields of the store as a client reads them: a float beyond 2^53 without a fraction is read as an integer. */
function asSent(fields: JsonObject): JsonObject {
  return parseJson(stringifyJson(fields)) as JsonObject; // an object stays an object
}

/** Returns the fields of an object that only its owner may change. */
function fieldsOf({ apiVersion: _a, kind: _k, metadata: _m, status: _s, ...fields }: ApiObject): JsonObject {
  return fields as JsonObject; // a stored object is JSON
}
