import { describeDispute } from "../apply/index.ts";
import type { Contest } from "../apply/index.ts";
import { describeRef } from "./object-ref.ts";
import type { ObjectRef } from "./object-ref.ts";
import { requeueAfter } from "./result.ts";
import type { Result } from "./result.ts";

/** The reason of conditions and Events about objects that another client writes too. */
export const CONTESTED = "Contested";

/** What a contested object means for the object on whose behalf it is written: the desired state is not reached, and a later write may. */
export function contestResult(ref: ObjectRef, { dispute, afterMs }: Contest): Result<never> {
  const message = describeDispute(describeRef(ref), dispute);
  return requeueAfter(message, afterMs, { severity: "Warning", reason: CONTESTED, on: [ref] });
}
