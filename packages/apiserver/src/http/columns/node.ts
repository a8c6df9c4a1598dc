import type { Node, ObjectOf } from "@levelset/core";
import { AGE, ageOf, column, NAME, printer, wide } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { NONE, UNKNOWN } from "./text.ts";

type NodeObject = ObjectOf<typeof Node>;

export const nodePrinter: Printer = printer<typeof Node>(
  [
    NAME,
    column("Status", "Whether it takes pods."),
    column("Roles", "What it is for."),
    AGE,
    column("Version", "Version of its kubelet."),
    wide("Internal-IP", "Its address within the cluster."),
    wide("External-IP", "Its address outside of the cluster."),
    wide("OS-Image", "Its operating system."),
    wide("Kernel-Version", "Version of its kernel."),
    wide("Container-Runtime", "What runs its containers."),
  ],
  (node, now) => {
    const { kubeletVersion, osImage, kernelVersion, containerRuntimeVersion, architecture } =
      node.status?.nodeInfo ?? {};
    return [
      node.metadata.name,
      statusText(node),
      rolesText(node),
      ageOf(node, now),
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
  return (text ?? "") === "" ? UNKNOWN : (text ?? "");
}

function address({ status }: NodeObject, type: string): string {
  return status?.addresses?.find((found) => found.type === type)?.address ?? NONE;
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
  return named.length === 0 ? NONE : named.join(",");
}
