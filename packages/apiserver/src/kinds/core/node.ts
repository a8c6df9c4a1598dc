import { deepEqual } from "@levelset/core/internal";
import { Node } from "@levelset/core";
import type { NewOf, ObjectOf } from "@levelset/core";
import { API_TYPES, zeroValueOf } from "../../api-types/index.ts";
import type { ApiObject } from "../../store/index.ts";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  labelValueProblems,
  qualifiedNameProblems,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  wideColumn,
  NONE_CELL,
  UNKNOWN_CELL,
  builtinResource,
  fieldLabels,
  fieldAt,
  NAME_FIELD,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { enumErrors, cidrErrors, isEmptyString, stringErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { withNullTimes } from "../condition-times.ts";
import { unvalidatedField, omitUndefined } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { TAINT_EFFECTS } from "./pod/toleration.ts";
import { resourceQuantityErrors, resourceEntries } from "./resources.ts";

type Spec = Unvalidated<NonNullable<NewOf<typeof Node>["spec"]>>;

type Status = Unvalidated<NonNullable<NewOf<typeof Node>["status"]>>;

const NOT_READY = "node.kubernetes.io/not-ready";

const NO_SYSTEM_INFO = zeroValueOf(API_TYPES, "core.v1.NodeSystemInfo");

/** Strategy of Nodes: status is accepted on create; providerID and podCIDR can be set only once. */
const nodeStrategy: KindStrategy = {
  keepStatusOnCreate: true,
  prepareForCreate: (object) => ({ ...object, spec: notReady(specOf(object)) }),
  defaults: (draft) => ({
    ...draft,
    spec: specDefaults(unvalidatedField<Spec>(draft, "spec")),
    status: statusDefaults(unvalidatedField<Status>(draft, "status")),
  }),
  validate: function* (object, old) {
    const spec = specOf(object);
    yield* taintErrors("metadata.taints", spec.taints ?? []);
    yield* nodeResourceErrors(object);
    for (const [index, cidr] of (spec.podCIDRs ?? []).entries()) yield* cidrErrors(`spec.podCIDRs[${index}]`, cidr);
    if (old !== undefined) yield* changeErrors(spec, specOf(old));
  },
  validateStatusUpdate: nodeStatusErrors,
};

function specOf(object: ApiObject): Spec {
  return unvalidatedField<Spec>(object, "spec") ?? {};
}

/** Adds the not-ready taint to a new node (`plugin/pkg/admission/nodetaint/admission.go`, Kubernetes 1.36). */
function notReady(spec: Spec): Spec {
  const { taints = [] } = spec;
  const isMarked = taints.some(({ key, effect }) => key === NOT_READY && effect === "NoSchedule");
  return isMarked ? spec : { ...spec, taints: [...taints, { key: NOT_READY, effect: "NoSchedule" }] };
}

function specDefaults(spec: Spec = {}): Spec {
  const { podCIDR, podCIDRs } = spec;
  return omitUndefined({
    ...spec,
    podCIDR: isEmptyString(podCIDR) ? podCIDRs?.[0] : podCIDR,
    podCIDRs: podCIDRs ?? (isEmptyString(podCIDR) ? undefined : [podCIDR]),
  });
}

function statusDefaults(status: Status = {}): Status {
  return omitUndefined({
    ...status,
    allocatable: status.allocatable ?? status.capacity,
    daemonEndpoints: status.daemonEndpoints ?? { kubeletEndpoint: { Port: 0 } },
    nodeInfo: { ...NO_SYSTEM_INFO, ...status.nodeInfo },
    conditions: withNullTimes(status.conditions, ["lastHeartbeatTime", "lastTransitionTime"]),
  });
}

function* taintErrors(path: string, taints: NonNullable<Spec["taints"]>): FieldErrors {
  const seen = new Set<string>();
  for (const [index, taint] of taints.entries()) {
    const at = `${path}[${index}]`;
    const { key = "", value = "", effect = "" } = taint;
    yield* stringErrors(`${at}.key`, key, qualifiedNameProblems);
    const problems = labelValueProblems(value);
    if (problems.length > 0) yield invalidField(`${at}.value`, value, problems.join(";"));
    yield* enumErrors(`${at}.effect`, effect, TAINT_EFFECTS);
    const id = `${effect} ${key}`;
    if (seen.has(id)) yield duplicateField(at, taint, "taints must be unique by key and effect pair");
    seen.add(id);
  }
}

function* nodeResourceErrors(object: ApiObject): FieldErrors {
  const { capacity, allocatable } = unvalidatedField<Status>(object, "status") ?? {};
  for (const [name, amount] of resourceEntries(capacity))
    yield* resourceQuantityErrors(`status.capacity.${name}`, name, amount);
  for (const [name, amount] of resourceEntries(allocatable))
    yield* resourceQuantityErrors(`status.allocatable.${name}`, name, amount);
}

function* nodeStatusErrors(object: ApiObject): FieldErrors {
  yield* nodeResourceErrors(object);
  const { addresses = [] } = unvalidatedField<Status>(object, "status") ?? {};
  for (const [index, address] of addresses.entries()) {
    const isRepeated = addresses.slice(0, index).some((earlier) => deepEqual(earlier, address));
    if (isRepeated) yield duplicateField(`status.addresses[${index}]`, address);
  }
}

function* changeErrors(next: Spec, old: Spec): FieldErrors {
  if ((old.podCIDRs ?? []).length > 0 && !deepEqual(next.podCIDRs, old.podCIDRs)) {
    yield forbiddenField("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid');
  }
  if (!isEmptyString(old.providerID) && next.providerID !== old.providerID) {
    yield forbiddenField("spec.providerID", 'node updates may not change providerID except from "" to valid');
  }
}

type NodeObject = ObjectOf<typeof Node>;

const nodePrinter: Printer = printer<typeof Node>(
  [
    NAME_COLUMN,
    tableColumn("Status", "Whether the node is ready and schedulable."),
    tableColumn("Roles", "Roles of the node."),
    AGE_COLUMN,
    tableColumn("Version", "Kubelet version."),
    wideColumn("Internal-IP", "Internal IP address."),
    wideColumn("External-IP", "External IP address."),
    wideColumn("OS-Image", "Operating system."),
    wideColumn("Kernel-Version", "Kernel version."),
    wideColumn("Container-Runtime", "Container runtime."),
  ],
  (node) => {
    const { kubeletVersion, osImage, kernelVersion, containerRuntimeVersion, architecture } =
      node.status?.nodeInfo ?? {};
    return [
      statusText(node),
      rolesText(node),
      kubeletVersion ?? "",
      address(node, "InternalIP"),
      address(node, "ExternalIP"),
      known(osImage),
      `${known(kernelVersion)}${(architecture ?? "") === "" ? "" : ` (${architecture})`}`,
      known(containerRuntimeVersion),
    ];
  },
);

function known(text: string | undefined): string {
  return (text ?? "") === "" ? UNKNOWN_CELL : (text ?? "");
}

function address({ status }: NodeObject, type: string): string {
  return status?.addresses?.find((found) => found.type === type)?.address ?? NONE_CELL;
}

function statusText({ spec, status }: NodeObject): string {
  const ready = status?.conditions?.findLast(({ type }) => type === "Ready")?.status;
  const state = ready === undefined ? "Unknown" : ready === "True" ? "Ready" : "NotReady";
  return spec?.unschedulable === true ? `${state},SchedulingDisabled` : state;
}

const ROLE_PREFIX = "node-role.kubernetes.io/";

function rolesText({ metadata }: NodeObject): string {
  const roles = Object.entries(metadata.labels ?? {}).map(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key.slice(ROLE_PREFIX.length);
    return key === "kubernetes.io/role" ? value : "";
  });
  const named = [...new Set(roles)].filter((role) => role !== "").toSorted();
  return named.length === 0 ? NONE_CELL : named.join(",");
}

/** Nodes. */
export const nodeResource: Resource = builtinResource({
  kind: Node,
  strategy: nodeStrategy,
  printer: nodePrinter,
  fieldLabels: fieldLabels({ ...NAME_FIELD, "spec.unschedulable": fieldAt("spec.unschedulable", "false") }),
});
