import { canonicalJson } from "@levelset/core/internal";
import type { ApiObject } from "@levelset/apiserver";
import type { Violation } from "../violation/index.ts";
import { formatId, idOf, MARK_PREFIX } from "../history/index.ts";
import type { ExternalWorld } from "../subject/index.ts";
import { describeRecord } from "../world/index.ts";
import type { Journal } from "../world/index.ts";

/** Finds what is left after all custom resources of the user were deleted. */
export function findLeftovers(journal: Journal, external: ExternalWorld | undefined): readonly Violation[] {
  const stuck = journal
    .present()
    .filter((record) => record.object.metadata.deletionTimestamp !== undefined)
    .filter((record) => journal.isOfUser(record) || journal.isChild(record));
  const left = journal
    .children()
    .filter((record) => record.object.metadata.deletionTimestamp === undefined && !journal.mayStay(record));
  const live = external?.live() ?? [];
  return [
    ...stuck.slice(0, 1).map((record): Violation => {
      const { finalizers = [] } = record.object.metadata;
      return {
        rule: "stuck-finalizer",
        object: describeRecord(record),
        message: `${describeRecord(record)} is still being deleted long after its last change; its finalizers are ${finalizers.join(", ")}.`,
        expected: "Every deletion ends.",
      };
    }),
    ...(stuck.length > 0 ? [] : left.slice(0, 1)).map((record): Violation => ({
      rule: "left-behind",
      object: describeRecord(record),
      message: `${describeRecord(record)} still exists after all custom resources were deleted.`,
      expected: "Everything that the operator has created is deleted with its owner.",
    })),
    ...(stuck.length > 0 ? [] : live.slice(0, 1)).map((key): Violation => ({
      rule: "external-left",
      message: `The external resource "${key}" still exists after all custom resources were deleted.`,
      expected: "External resources are deleted with their owner.",
    })),
  ];
}

/** Objects of users and other clients, as they should be. */
export class ForeignObjects {
  readonly #wanted = new Map<string, ApiObject>();
  /** Annotations that another client has set on a child: object uid → its name and the annotation. */
  readonly #marks = new Map<string, { readonly id: string; readonly mark: string }>();

  /** Another client or a user has written an object. */
  wrote(object: ApiObject): void {
    this.#wanted.set(formatId(idOf(object)), object);
  }

  deleted(id: string): void {
    this.#wanted.delete(id);
  }

  annotated(object: ApiObject, mark: string): void {
    this.#marks.set(object.metadata.uid, { id: formatId(idOf(object)), mark });
  }

  /** Finds objects that were changed or deleted by the operator, and annotations that it removed. */
  check(journal: Journal): readonly Violation[] {
    const present = new Map(journal.present().map(({ object }) => [formatId(idOf(object)), object]));
    // Operands adopt objects without an owner, unless their users forbid it.
    const adopted = new Set(journal.adopted().map(describeRecord));
    const touched = [...this.#wanted].find(
      ([id, object]) => contentOf(present.get(id)) !== contentOf(object) && !adopted.has(id),
    );
    const byUid = new Map([...present.values()].map((object) => [object.metadata.uid, object]));
    const unmarked = [...this.#marks].find(([uid, { mark }]) => {
      const object = byUid.get(uid);
      return object !== undefined && object.metadata.annotations?.[`${MARK_PREFIX}${mark}`] === undefined;
    });
    return [
      ...(touched === undefined ? [] : [touchedViolation(touched[0], present.has(touched[0]))]),
      ...(unmarked === undefined
        ? []
        : [
            {
              rule: "foreign-touched" as const,
              object: unmarked[1].id,
              message: `An annotation that another client has set on ${unmarked[1].id} was removed.`,
              expected: "Fields of other clients are kept.",
            },
          ]),
    ];
  }
}

function touchedViolation(id: string, exists: boolean): Violation {
  return {
    rule: "foreign-touched",
    object: id,
    message: `${id}, which the operator has not created, was ${exists ? "changed" : "deleted"}.`,
    expected: "Objects of users and other owners are not changed and not deleted.",
  };
}

/** Returns the fields of an object that only its owner may change. */
function contentOf(object: ApiObject | undefined): string {
  if (object === undefined) return "";
  const { apiVersion: _a, kind: _k, metadata, status: _s, ...fields } = object;
  return `${metadata.uid} ${canonicalJson(fields)}`;
}
