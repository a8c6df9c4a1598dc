import { controllerOf } from "@levelset/core";
import type { KubeObject, ObjectOf } from "@levelset/core";
import { describeLiveRef } from "../spec/live-ref.ts";
import { partLabel } from "../spec/labels-and-annotations.ts";
import type { Operand } from "../spec/operand-kinds.ts";
import { failedOutcome } from "./apply-outcome.ts";
import type { ApplyOutcome } from "./apply-outcome.ts";

/** Returns why an Operand may not adopt an existing object; undefined if it may, or manages it already. */
export function adoptionRefusal(live: KubeObject, { metadata, spec }: ObjectOf<Operand>): ApplyOutcome | undefined {
  const { adoption } = spec;
  if (live.metadata.labels?.[partLabel(metadata.uid)] !== undefined || adoption === "Always") return undefined;
  if (adoption === "Never") return failedOutcome("AlreadyExists", "it already exists and spec.adoption is Never");
  const owner = controllerOf(live);
  if (owner === undefined) return undefined;
  const by = describeLiveRef({ group: "", kind: owner.kind, name: owner.name });
  return failedOutcome("NotOurs", `it is controlled by ${by}`);
}
