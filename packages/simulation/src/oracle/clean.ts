import type { Violation } from "../violation/index.ts";
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
