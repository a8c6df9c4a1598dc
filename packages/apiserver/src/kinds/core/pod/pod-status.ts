import type { PodSpec, PodStatus } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { forbiddenField, invalidField, dnsSubdomainProblems, qualifiedNameProblems } from "../../../resource/index.ts";
import { ipErrors, isEmptyString, stringErrors } from "../../field-checks.ts";
import type { FieldErrors } from "../../field-checks.ts";
import { unvalidatedField, omitUndefined } from "../../unvalidated.ts";
import type { Unvalidated } from "../../unvalidated.ts";

type LooseStatus = Unvalidated<PodStatus>;

const SYSTEM_CONDITIONS = ["PodScheduled", "Ready", "Initialized"];

/** Prepares a status update: qosClass and ownerReferences stay; podIP and podIPs are synchronized, hostIP too. */
export function preparePodStatus(object: ApiObject, old: ApiObject): ApiObject {
  const status = statusOf(object);
  const { ownerReferences: _owners, ...metadata } = object.metadata;
  const { ownerReferences } = old.metadata;
  return {
    ...object,
    metadata: { ...metadata, ...(ownerReferences === undefined ? {} : { ownerReferences }) },
    status: omitUndefined({
      ...status,
      phase: isEmptyString(status.phase) ? undefined : status.phase,
      qosClass: isEmptyString(status.qosClass) ? statusOf(old).qosClass : status.qosClass,
      podIPs: status.podIPs ?? (isEmptyString(status.podIP) ? undefined : [{ ip: status.podIP }]),
      hostIPs: status.hostIPs ?? (isEmptyString(status.hostIP) ? undefined : [{ ip: status.hostIP }]),
    }),
  };
}

function statusOf(object: ApiObject): LooseStatus {
  return unvalidatedField<PodStatus>(object, "status") ?? {};
}

/** Validates a status update of a pod. */
export function* podStatusErrors(object: ApiObject, old: ApiObject): FieldErrors {
  const next = statusOf(object);
  const before = statusOf(old);
  for (const [index, { type = "" }] of (next.conditions ?? []).entries()) {
    if (SYSTEM_CONDITIONS.includes(type)) continue;
    yield* stringErrors(`status.conditions[${index}].Type`, type, qualifiedNameProblems);
  }
  const { nominatedNodeName: nominated } = next;
  if (!isEmptyString(nominated) && nominated !== before.nominatedNodeName) {
    yield* stringErrors("status.nominatedNodeName", nominated, dnsSubdomainProblems);
  }
  if (next.qosClass !== before.qosClass) {
    yield invalidField("status.qosClass", next.qosClass ?? "", "field is immutable");
  }
  yield* transitionErrors(next, before, unvalidatedField<PodSpec>(object, "spec") ?? {});
  for (const [index, { ip = "" }] of (next.podIPs ?? []).entries()) yield* ipErrors(`status.podIPs[${index}]`, ip);
  for (const [index, { ip = "" }] of (next.hostIPs ?? []).entries()) yield* ipErrors(`status.hostIPs[${index}]`, ip);
}

/** Validates that a container that terminated for good does not change its state. */
function* transitionErrors(next: LooseStatus, before: LooseStatus, spec: Unvalidated<PodSpec>): FieldErrors {
  for (const [index, { name, state }] of (before.containerStatuses ?? []).entries()) {
    const ended = state?.terminated;
    if (ended === undefined) continue;
    const container = spec.containers?.find((each) => each.name === name);
    const policy = container?.restartPolicy ?? spec.restartPolicy;
    const restarts = policy === "Always" || (policy === "OnFailure" && ended.exitCode !== 0);
    if (restarts || (container?.restartPolicyRules ?? []).length > 0) continue;
    const now = next.containerStatuses?.find((each) => each.name === name);
    if (now === undefined || now.state?.terminated !== undefined) continue;
    yield forbiddenField(`status.containerStatuses[${index}].state`, "may not be transitioned to non-terminated state");
  }
}
