import { isConflict, isNotFound } from "@levelset/core";
import type { Kind, KubeObject, ObjectOf } from "@levelset/core";
import { liveObject } from "../../apply/index.ts";
import type { ClientContext } from "../../apply/index.ts";
import { keyOfRef } from "../spec/live-ref.ts";
import type { ManifestItem } from "../spec/item.ts";
import type { Operand } from "../spec/operand-kinds.ts";
import { adoptionRefusal } from "./adoption-refusal.ts";
import { waitingOutcome } from "./apply-outcome.ts";
import type { ApplyOutcome } from "./apply-outcome.ts";

/** Outcome of an object that is deleted, or would be in a real run, and is not recreated yet. */
export const RECREATING: ApplyOutcome = waitingOutcome(
  "Recreating",
  "an immutable field changed; the object is deleted and recreated",
);

/** What {@link deleteToRecreate} needs. */
export interface DeleteToRecreateContext extends ClientContext {
  readonly operand: ObjectOf<Operand>;
  readonly dryRun?: boolean;
}

/**
 * Deletes an object with changed immutable fields, in the version that was checked to be ours. Returns undefined if the
 * object can be created again, otherwise the outcome.
 */
export async function deleteToRecreate(
  context: DeleteToRecreateContext,
  item: ManifestItem,
  kind: Kind,
  { metadata: { uid } }: KubeObject,
): Promise<ApplyOutcome | undefined> {
  const { client, signal, operand, dryRun = false } = context;
  const fresh = await liveObject(context, kind, keyOfRef(item.ref));
  if (fresh !== undefined) {
    if (fresh.metadata.uid !== uid)
      return waitingOutcome("Changing", "it was replaced by another object of the same name during apply");
    const refusal = adoptionRefusal(fresh, operand);
    if (refusal !== undefined) return refusal;
    const { resourceVersion } = fresh.metadata;
    const options = { uid, resourceVersion, propagationPolicy: "Background", signal, dryRun } as const;
    try {
      await client.delete(kind, keyOfRef(item.ref), options);
    } catch (error) {
      if (isConflict(error)) return waitingOutcome("Changing", "it changed before it could be recreated");
      if (!isNotFound(error)) throw error;
    }
  }
  return dryRun ? RECREATING : undefined;
}
