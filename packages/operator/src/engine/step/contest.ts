import { describeDispute } from "../../apply/index.ts";
import type { Contest } from "../../apply/index.ts";
import { describeRef } from "./object-ref.ts";
import type { ObjectRef } from "./object-ref.ts";
import { requeueAfter } from "./result.ts";
import type { Result } from "./result.ts";

/** Reason of conditions and Events about objects whose fields another client keeps overwriting. */
export const CONTESTED = "Contested";

/** Returns the step result for a contested object: the desired state is not reached, and a later write may reach it. */
export function contestResult(ref: ObjectRef, { dispute, afterMs }: Contest): Result<never> {
  const message = describeDispute(describeRef(ref), dispute);
  return requeueAfter(message, afterMs, { severity: "Warning", reason: CONTESTED, on: [ref] });
}
