import { deepEqual } from "@levelset/core";
import type { NewOf, Node } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { duplicateField, forbiddenField, invalidField } from "../../field.ts";
import { labelValueProblems, qualifiedNameProblems } from "../../names.ts";
import type { KindRules } from "../../rules.ts";
import { choiceErrors, cidrErrors, isBlank, textErrors } from "../check.ts";
import type { Errors } from "../check.ts";
import { timed } from "../condition-times.ts";
import { fieldOf, present } from "../loose.ts";
import type { Loose } from "../loose.ts";
import { TAINT_EFFECTS } from "../pod/toleration.ts";
import { amountErrors, amountsOf } from "./resources.ts";

type Spec = Loose<NonNullable<NewOf<typeof Node>["spec"]>>;
type Status = Loose<NonNullable<NewOf<typeof Node>["status"]>>;

const NOT_READY = "node.kubernetes.io/not-ready";

const UNKNOWN_SYSTEM = {
  machineID: "",
  systemUUID: "",
  bootID: "",
  kernelVersion: "",
  osImage: "",
  containerRuntimeVersion: "",
  kubeletVersion: "",
  kubeProxyVersion: "",
  operatingSystem: "",
  architecture: "",
};

/** Nodes: they come with their status, and what they were given by the cloud and the network stays. */
export const nodeRules: KindRules = {
  keepsStatus: true,
  prepareCreate: (object) => ({ ...object, spec: notReady(specOf(object)) }),
  defaults: (draft) => ({
    ...draft,
    spec: specDefaults(fieldOf<Spec>(draft, "spec")),
    status: statusDefaults(fieldOf<Status>(draft, "status")),
  }),
  validate: function* (object, old) {
    const spec = specOf(object);
    yield* taintErrors("metadata.taints", spec.taints ?? []);
    yield* nodeResourceErrors(object);
    for (const [index, cidr] of (spec.podCIDRs ?? []).entries()) yield* cidrErrors(`spec.podCIDRs[${index}]`, cidr);
    if (old !== undefined) yield* changeErrors(spec, specOf(old));
  },
  validateStatus: nodeStatusErrors,
};

function specOf(object: ApiObject): Spec {
  return fieldOf<Spec>(object, "spec") ?? {};
}

/** Until somebody says that a node is ready, no pod goes there. */
function notReady(spec: Spec): Spec {
  const { taints = [] } = spec;
  const isMarked = taints.some(({ key, effect }) => key === NOT_READY && effect === "NoSchedule");
  return isMarked ? spec : { ...spec, taints: [...taints, { key: NOT_READY, effect: "NoSchedule" }] };
}

function specDefaults(spec: Spec = {}): Spec {
  const { podCIDR, podCIDRs } = spec;
  return present({
    ...spec,
    podCIDR: isBlank(podCIDR) ? podCIDRs?.[0] : podCIDR,
    podCIDRs: podCIDRs ?? (isBlank(podCIDR) ? undefined : [podCIDR]),
  });
}

function statusDefaults(status: Status = {}): Status {
  return present({
    ...status,
    allocatable: status.allocatable ?? status.capacity,
    daemonEndpoints: status.daemonEndpoints ?? { kubeletEndpoint: { Port: 0 } },
    nodeInfo: { ...UNKNOWN_SYSTEM, ...status.nodeInfo },
    conditions: timed(status.conditions, ["lastHeartbeatTime", "lastTransitionTime"]),
  });
}

function* taintErrors(path: string, taints: NonNullable<Spec["taints"]>): Errors {
  const seen = new Set<string>();
  for (const [index, taint] of taints.entries()) {
    const at = `${path}[${index}]`;
    const { key = "", value = "", effect = "" } = taint;
    yield* textErrors(`${at}.key`, key, qualifiedNameProblems);
    const problems = labelValueProblems(value);
    if (problems.length > 0) yield invalidField(`${at}.value`, value, problems.join(";"));
    yield* choiceErrors(`${at}.effect`, effect, TAINT_EFFECTS);
    const id = `${effect} ${key}`;
    if (seen.has(id)) yield duplicateField(at, taint, "taints must be unique by key and effect pair");
    seen.add(id);
  }
}

function* nodeResourceErrors(object: ApiObject): Errors {
  const { capacity, allocatable } = fieldOf<Status>(object, "status") ?? {};
  for (const [name, amount] of amountsOf(capacity)) yield* amountErrors(`status.capacity.${name}`, name, amount);
  for (const [name, amount] of amountsOf(allocatable)) yield* amountErrors(`status.allocatable.${name}`, name, amount);
}

function* nodeStatusErrors(object: ApiObject): Errors {
  yield* nodeResourceErrors(object);
  const { addresses = [] } = fieldOf<Status>(object, "status") ?? {};
  for (const [index, address] of addresses.entries()) {
    const isRepeated = addresses.slice(0, index).some((earlier) => deepEqual(earlier, address));
    if (isRepeated) yield duplicateField(`status.addresses[${index}]`, address);
  }
}

function* changeErrors(next: Spec, old: Spec): Errors {
  if ((old.podCIDRs ?? []).length > 0 && !deepEqual(next.podCIDRs, old.podCIDRs)) {
    yield forbiddenField("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid');
  }
  if (!isBlank(old.providerID) && next.providerID !== old.providerID) {
    yield forbiddenField("spec.providerID", 'node updates may not change providerID except from "" to valid');
  }
}
