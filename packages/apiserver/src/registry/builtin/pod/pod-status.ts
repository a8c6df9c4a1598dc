import type { PodSpec, PodStatus } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { forbiddenField, invalidField } from "../../field.ts";
import { dnsSubdomainProblems, qualifiedNameProblems } from "../../names.ts";
import { ipErrors, isBlank, textErrors } from "../check.ts";
import type { Errors } from "../check.ts";
import { fieldOf, present } from "../loose.ts";
import type { Loose } from "../loose.ts";

type LooseStatus = Loose<PodStatus>;

const SYSTEM_CONDITIONS = ["PodScheduled", "Ready", "Initialized"];

/** A pod with a new status: its class and its owners stay, and the two ways to say its addresses agree. */
export function reportedPod(object: ApiObject, old: ApiObject): ApiObject {
  const status = statusOf(object);
  const { ownerReferences: _owners, ...metadata } = object.metadata;
  const { ownerReferences } = old.metadata;
  return {
    ...object,
    metadata: { ...metadata, ...(ownerReferences === undefined ? {} : { ownerReferences }) },
    status: present({
      ...status,
      phase: isBlank(status.phase) ? undefined : status.phase,
      qosClass: isBlank(status.qosClass) ? statusOf(old).qosClass : status.qosClass,
      podIPs: status.podIPs ?? (isBlank(status.podIP) ? undefined : [{ ip: status.podIP }]),
      hostIPs: status.hostIPs ?? (isBlank(status.hostIP) ? undefined : [{ ip: status.hostIP }]),
    }),
  };
}

function statusOf(object: ApiObject): LooseStatus {
  return fieldOf<PodStatus>(object, "status") ?? {};
}

/** Everything wrong with a pod's new status. */
export function* podStatusErrors(object: ApiObject, old: ApiObject): Errors {
  const next = statusOf(object);
  const before = statusOf(old);
  for (const [index, { type = "" }] of (next.conditions ?? []).entries()) {
    if (SYSTEM_CONDITIONS.includes(type)) continue;
    yield* textErrors(`status.conditions[${index}].Type`, type, qualifiedNameProblems);
  }
  const { nominatedNodeName: nominated } = next;
  if (!isBlank(nominated) && nominated !== before.nominatedNodeName) {
    yield* textErrors("status.nominatedNodeName", nominated, dnsSubdomainProblems);
  }
  if (next.qosClass !== before.qosClass) {
    yield invalidField("status.qosClass", next.qosClass ?? "", "field is immutable");
  }
  yield* transitionErrors(next, before, fieldOf<PodSpec>(object, "spec") ?? {});
  for (const [index, { ip = "" }] of (next.podIPs ?? []).entries()) yield* ipErrors(`status.podIPs[${index}]`, ip);
  for (const [index, { ip = "" }] of (next.hostIPs ?? []).entries()) yield* ipErrors(`status.hostIPs[${index}]`, ip);
}

/** A container that ended for good does not run again. */
function* transitionErrors(next: LooseStatus, before: LooseStatus, spec: Loose<PodSpec>): Errors {
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
