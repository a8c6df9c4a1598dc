import { deepEqual } from "@levelset/core/internal";
import type { Container, PodSpec } from "@levelset/core";
import { forbiddenField, invalidField } from "../../../resource/index.ts";
import { rangeErrors } from "../../field-checks.ts";
import type { FieldErrors } from "../../field-checks.ts";
import { changedFields } from "../../changed-fields.ts";
import { omitUndefined } from "../../unvalidated.ts";
import type { Unvalidated } from "../../unvalidated.ts";

type LooseSpec = Unvalidated<PodSpec>;
type Containers = readonly Unvalidated<Container>[];

const INT32_MAX = 2 ** 31 - 1;
const CHANGEABLE = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
].join(",");

/** Validates an update of a pod spec. Only a few fields are mutable. */
export function* podUpdateErrors(next: LooseSpec, old: LooseSpec): FieldErrors {
  for (const field of ["containers", "initContainers"] as const) {
    if ((next[field] ?? []).length === (old[field] ?? []).length) continue;
    yield forbiddenField(`spec.${field}`, "pod updates may not add or remove containers");
    return;
  }
  yield* deadlineErrors(next, old);
  yield* addedTolerationErrors(next, old);
  const gates = new Set((old.schedulingGates ?? []).map(({ name }) => name));
  for (const [index, { name = "" }] of (next.schedulingGates ?? []).entries()) {
    if (gates.has(name)) continue;
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    yield forbiddenField(`spec.schedulingGates[${index}].name`, why);
  }
  const rest = unchangeable(next, old);
  if (deepEqual(rest, omitUndefined(old))) return;
  yield forbiddenField(
    "spec",
    `pod updates may not change fields other than ${CHANGEABLE}\n${changedFields(old, rest)}`,
  );
}

function* deadlineErrors(next: LooseSpec, old: LooseSpec): FieldErrors {
  const at = "spec.activeDeadlineSeconds";
  const { activeDeadlineSeconds: deadline } = next;
  const { activeDeadlineSeconds: before } = old;
  yield* rangeErrors(at, deadline, 0, INT32_MAX);
  if (before === undefined) return;
  if (deadline === undefined) yield invalidField(at, null, "must not update from a positive integer to nil value");
  else if (deadline > before) yield invalidField(at, deadline, "must be less than or equal to previous value");
}

function* addedTolerationErrors(next: LooseSpec, old: LooseSpec): FieldErrors {
  const timeless = (tolerations: LooseSpec["tolerations"]): readonly object[] =>
    (tolerations ?? []).map(({ tolerationSeconds: _seconds, ...rest }) => rest);
  const kept = timeless(next.tolerations);
  if (timeless(old.tolerations).every((toleration) => kept.some((each) => deepEqual(each, toleration)))) return;
  yield forbiddenField("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds");
}

/**
 * Returns the new spec with the old values of mutable fields. Differs from `old` only if an immutable field changed.
 */
function unchangeable(next: LooseSpec, old: LooseSpec): LooseSpec {
  const isShorter = (old.terminationGracePeriodSeconds ?? 0) < 0 && next.terminationGracePeriodSeconds === 1;
  const isGated = (old.schedulingGates ?? []).length > 0;
  return omitUndefined({
    ...next,
    containers: withOldImages(next.containers, old.containers),
    initContainers: withOldImages(next.initContainers, old.initContainers),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    schedulingGates: old.schedulingGates,
    tolerations: old.tolerations,
    ...(isShorter ? { terminationGracePeriodSeconds: old.terminationGracePeriodSeconds } : {}),
    // Scheduling directives of a gated pod are mutable (KEP-3838).
    ...(isGated ? { nodeSelector: old.nodeSelector, affinity: old.affinity } : {}),
  });
}

function withOldImages(next: Containers | undefined, old: Containers | undefined): Containers | undefined {
  return next?.map((container, index) => omitUndefined({ ...container, image: old?.[index]?.image }));
}
