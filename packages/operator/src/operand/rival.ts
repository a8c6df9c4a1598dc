import { isConflict, isDeleting, StatusError } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import type { Reach } from "../apply/index.ts";
import { Operand } from "./kinds.ts";
import { fieldManagerOf, operandsOf } from "./marks.ts";

const PAGE = 500;

/** Another Operand that wants other values in an object of ours. */
export interface Rival {
  readonly name: string;
  /** Whether its values hold: of two Operands those of the younger do, so that exactly one of them gives way. */
  readonly isYounger: boolean;
  /** The fields, as the server names them. */
  readonly fields: readonly string[];
}

/** Whether an object is part of the set of an Operand other than this one, too. */
export function isShared(live: KubeObject, operandUid: string): boolean {
  return operandsOf(live).some((uid) => uid !== operandUid);
}

/** The Operand that a refused apply is in conflict with; undefined when all of it is about others, or about Operands that are gone. */
export async function rivalIn(error: unknown, operand: KubeObject, reach: Reach): Promise<Rival | undefined> {
  const conflicts = conflictsIn(error);
  if (conflicts.length === 0) return undefined;
  const rivals: Rival[] = [];
  for await (const { items } of reach.client.pages(Operand, { limit: PAGE, signal: reach.signal })) {
    for (const other of items) {
      if (other.metadata.uid === operand.metadata.uid || isDeleting(other)) continue;
      const manager = fieldManagerOf(other.metadata.uid);
      const fields = conflicts.filter((one) => one.manager === manager).map(({ field }) => field);
      if (fields.length === 0) continue;
      rivals.push({ name: other.metadata.name, isYounger: birthOf(other) > birthOf(operand), fields });
    }
  }
  return rivals.find((rival) => rival.isYounger) ?? rivals[0];
}

/** Sorts by birth. Times of objects are whole seconds, all written alike; where they are the same, the uid decides for both alike. */
function birthOf({ metadata: { creationTimestamp = "", uid } }: KubeObject): string {
  return `${creationTimestamp} ${uid}`;
}

interface Conflict {
  readonly manager: string;
  readonly field: string;
}

function conflictsIn(error: unknown): readonly Conflict[] {
  if (!isConflict(error) || !(error instanceof StatusError)) return [];
  return (error.details?.causes ?? []).flatMap(({ message = "", field = "" }) => {
    const manager = /^conflict with "([^"]*)"/u.exec(message)?.[1];
    return manager === undefined ? [] : [{ manager, field }];
  });
}
