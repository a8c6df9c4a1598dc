import type { Kind, KubeObject, ObjectOf } from "@levelset/core";
import { takeOverItems } from "../../apply/index.ts";
import type { TakeOverOptions } from "../../apply/index.ts";
import type { Operand } from "../spec/operand-kinds.ts";
import { fieldManagerOf } from "../spec/labels-and-annotations.ts";
import { waitingOutcome } from "./apply-outcome.ts";
import type { ApplyOutcome } from "./apply-outcome.ts";
import { isTakenOver } from "./former-fields.ts";

/** Options of {@link applyWithoutItems}. */
export interface ApplyWithoutItemsOptions extends Omit<TakeOverOptions<Kind>, "manager"> {
  readonly operand: ObjectOf<Operand>;
  /** Applies the object again. `before` is the object before the takeover, with managedFields. */
  readonly send: (object: KubeObject, before: KubeObject) => Promise<ApplyOutcome>;
}

/**
 * Applies an object again without the items of other writers for which the server refused it. Rejects with the error of
 * the apply if they are not the cause, if the Operand has not applied the object yet, or if it keeps the fields of other
 * managers (`spec.conflicts: Fail`).
 */
export async function applyWithoutItems(options: ApplyWithoutItemsOptions): Promise<ApplyOutcome> {
  const { operand, live, error, send } = options;
  const { uid } = operand.metadata;
  if (isTakenOver(live, uid) || operand.spec.conflicts !== "Force") throw error;
  const takeover = await takeOverItems({ ...options, manager: fieldManagerOf(uid) });
  switch (takeover.kind) {
    case "none":
      throw error;
    case "changed":
      return waitingOutcome("Changing", "it changed while items of other writers were taken over");
    case "expected":
      return { kind: "applied", object: takeover.object, change: "changed" };
    case "taken":
      return send(takeover.object, takeover.before);
  }
}
