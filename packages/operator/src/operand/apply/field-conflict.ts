import { isConflict, isDeleting, StatusError } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import type { ClientContext } from "../../apply/index.ts";
import { Operand } from "../spec/operand-kinds.ts";
import { fieldManagerOf, operandsOf } from "../spec/labels-and-annotations.ts";

const PAGE = 500;

/** Another Operand that sets other values in a shared object. */
export interface OperandFieldConflict {
  readonly name: string;
  /** True if its values win. The newer of two Operands wins, so that exactly one of them yields. */
  readonly wins: boolean;
  /** Conflicting field paths as reported by the server. */
  readonly fields: readonly string[];
}

/** Reports whether an object belongs to another Operand too. */
export function isShared(live: KubeObject, operandUid: string): boolean {
  return operandsOf(live).some((uid) => uid !== operandUid);
}

/**
 * Returns the Operand that a rejected apply conflicts with; undefined if the conflict is with other managers or deleted
 * Operands.
 */
export async function findFieldConflict(
  error: unknown,
  operand: KubeObject,
  context: ClientContext,
): Promise<OperandFieldConflict | undefined> {
  const conflicts = conflictsIn(error);
  if (conflicts.length === 0) return undefined;
  const conflictingWriters: OperandFieldConflict[] = [];
  for await (const { items } of context.client.pages(Operand, { limit: PAGE, signal: context.signal })) {
    for (const other of items) {
      if (other.metadata.uid === operand.metadata.uid || isDeleting(other)) continue;
      const manager = fieldManagerOf(other.metadata.uid);
      const fields = conflicts.filter((one) => one.manager === manager).map(({ field }) => field);
      if (fields.length === 0) continue;
      conflictingWriters.push({ name: other.metadata.name, wins: creationOf(other) > creationOf(operand), fields });
    }
  }
  return conflictingWriters.find((conflicting) => conflicting.wins) ?? conflictingWriters[0];
}

/**
 * Sort key by creation. Timestamps are whole seconds in one format; the uid breaks ties the same way for both Operands.
 */
function creationOf({ metadata: { creationTimestamp = "", uid } }: KubeObject): string {
  return `${creationTimestamp} ${uid}`;
}

interface Conflict {
  readonly manager: string;
  readonly field: string;
}

function conflictsIn(error: unknown): readonly Conflict[] {
  if (!isConflict(error) || !(error instanceof StatusError)) return [];
  return (error.details?.causes ?? []).flatMap(({ reason, message = "", field = "" }) => {
    const manager = reason === "FieldManagerConflict" ? /^conflict with "([^"]*)"/u.exec(message)?.[1] : undefined;
    return manager === undefined ? [] : [{ manager, field }];
  });
}
