import { READY } from "@levelset/core";
import { secretScrubber } from "@levelset/core/internal";
import type { JsonObject, Kind, KubeObject } from "@levelset/core";
import { conditionsOf, generationStatusOf, refOf } from "@levelset/operator/internal";
import { Operand } from "@levelset/operator";
import { formatRef } from "../../api/index.ts";
import type { ObjectRow } from "../../api/index.ts";
import { displayStatus } from "./display-state.ts";

/** Returns an object as a list row. */
export function objectRow(object: KubeObject, kind: Pick<Kind, "kind" | "group" | "hasStatus">): ObjectRow {
  const { hasStatus } = kind;
  const ref = refOf(object);
  const { state, message } = displayStatus(object, hasStatus);
  const ready = conditionsOf(object).find(({ type }) => type === READY);
  const generation = generationStatusOf(object, hasStatus);
  const { deletionTimestamp, creationTimestamp } = object.metadata;
  // A condition of another generation does not apply to this spec.
  const reported = generation === undefined || generation.state === "current" ? ready?.lastTransitionTime : undefined;
  const since = deletionTimestamp ?? (reported === "" ? undefined : reported) ?? creationTimestamp;
  const isSet = kind.kind === Operand.kind && kind.group === Operand.group;
  return {
    id: formatRef(ref),
    ...ref,
    type: isSet ? "set" : "object",
    state,
    reason: state === "ready" || state === "paused" ? "" : (ready?.reason ?? ""),
    // Operands may contain Secrets.
    message: isSet && state !== "ready" ? secretScrubber([object as unknown as JsonObject])(message) : message,
    ...(since === undefined ? {} : { since }),
    ...(generation === undefined ? {} : { generation }),
  };
}
