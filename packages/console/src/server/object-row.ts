import { READY } from "@levelset/core";
import type { JsonObject, Kind, KubeObject } from "@levelset/core";
import { conditionsOf, generationOf, Operand, refOf, scrubber, standingOf } from "@levelset/operator";
import { formatRef } from "../api/index.ts";
import type { ObjectRow } from "../api/index.ts";

/** An object as a row of a list. */
export function objectRow(object: KubeObject, kind: Pick<Kind, "kind" | "group" | "hasStatus">): ObjectRow {
  const { hasStatus } = kind;
  const ref = refOf(object);
  const { state, message } = standingOf({ object, hasStatus });
  const ready = conditionsOf(object).find(({ type }) => type === READY);
  const generation = generationOf(object, hasStatus);
  const { deletionTimestamp, creationTimestamp } = object.metadata;
  // A condition of another generation says nothing about this spec, nor since when it is not reached.
  const told = generation === undefined || generation.state === "current" ? ready?.lastTransitionTime : undefined;
  const since = deletionTimestamp ?? (told === "" ? undefined : told) ?? creationTimestamp;
  const isSet = kind.kind === Operand.kind && kind.group === Operand.group;
  return {
    id: formatRef(ref),
    ...ref,
    size: isSet ? "set" : "object",
    state,
    reason: state === "ready" ? "" : (ready?.reason ?? ""),
    // Sets hold Secrets.
    message: isSet && state !== "ready" ? scrubber([object as unknown as JsonObject])(message) : message,
    ...(since === undefined ? {} : { since }),
    ...(generation === undefined ? {} : { generation }),
  };
}
