import type { Node, ObjectOf } from "@levelset/core";
import { AGE_COLUMN, ageCell, tableColumn, NAME_COLUMN, printer, wideColumn } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { NONE_CELL, UNKNOWN_CELL } from "./cell-text.ts";

type NodeObject = ObjectOf<typeof Node>;

export const nodePrinter: Printer = printer<typeof Node>(
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
  (node, now) => {
    const { kubeletVersion, osImage, kernelVersion, containerRuntimeVersion, architecture } =
      node.status?.nodeInfo ?? {};
    return [
      node.metadata.name,
      statusText(node),
      rolesText(node),
      ageCell(node, now),
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
