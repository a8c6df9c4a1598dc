import { deepEqual, formatTimestamp } from "@levelset/core/internal";
import { isAlreadyExists, Node as NodeKind } from "@levelset/core";
import type { BuiltinController } from "../controller.ts";
import type { RecordChange } from "../change-feed.ts";
import { getWorkloadCondition, isWorkloadConditionTrue } from "./workload-condition.ts";
import { nodeAddress } from "./pod/pod-status.ts";
import type { Node } from "./pod/scheduler.ts";
import type { WorkloadContext } from "./workload-context.ts";

/** Capacity of every simulated node. */
const RESOURCES = { cpu: "32", memory: "128Gi", pods: "1000", "ephemeral-storage": "1Ti" };

/** Condition types of a healthy node besides Ready, with reason and message. */
const PRESSURES: readonly (readonly [type: string, reason: string, message: string])[] = [
  ["MemoryPressure", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
  ["DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
  ["PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
];

/** Creates the simulated nodes and sets nodes without a status to ready. */
export class NodeController implements BuiltinController {
  readonly name = "node controller";
  readonly #context: WorkloadContext;
  readonly #names: readonly string[];
  readonly #made = new Set<string>();

  constructor(context: WorkloadContext, count: number) {
    this.#context = context;
    this.#names = Array.from({ length: count }, (_, index) => `levelset-node-${index}`);
  }

  *affectedKeys({ key, current }: RecordChange): Iterable<string> {
    if (key.resource === "nodes" && current !== undefined) yield key.name;
  }

  /** Nodes are created once at startup, so a deleted node stays deleted. */
  setEnqueue(enqueue: (name: string) => void): void {
    for (const name of this.#names) enqueue(name);
  }

  async sync(name: string): Promise<undefined> {
    const node = this.#context.client.get(NodeKind, "", name);
    if (node === undefined) return this.#create(name);
    this.#made.add(name);
    const { client, clock } = this.#context;
    if (getWorkloadCondition(node.status?.conditions, "Ready") === undefined) {
      const now = formatTimestamp(clock.now());
      await client.updateStatus(NodeKind, node, (old) => ({ ...old.status, ...readyStatus(old, now) }));
      return;
    }
    const taints = taintsOf(node);
    if (deepEqual(taints, node.spec?.taints ?? [])) return;
    await client.update(NodeKind, node, (old) => {
      const { taints: _old, ...spec } = old.spec ?? {};
      return { ...old, spec: { ...spec, ...(taints.length === 0 ? {} : { taints }) } };
    });
  }

  async #create(name: string): Promise<undefined> {
    if (!this.#names.includes(name) || this.#made.has(name)) return;
    this.#made.add(name);
    const labels = {
      "kubernetes.io/hostname": name,
      "kubernetes.io/os": "linux",
      "kubernetes.io/arch": "amd64",
      "node.levelset.dev/simulated": "true",
    };
    try {
      await this.#context.client.create(NodeKind, "", { metadata: { name, labels }, spec: {} });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
}

/** Returns the taints of a node: those implied by conditions and cordon, plus taints of other sources. */
function taintsOf({ spec, status }: Node): NonNullable<NonNullable<Node["spec"]>["taints"]> {
  const implied = [
    { key: "node.kubernetes.io/not-ready", holds: !isWorkloadConditionTrue(status?.conditions, "Ready") },
    { key: "node.kubernetes.io/unschedulable", holds: spec?.unschedulable === true },
  ];
  const present = spec?.taints ?? [];
  const kept = present.filter(
    ({ key, effect }) => effect !== "NoSchedule" || implied.every((taint) => taint.key !== key || taint.holds),
  );
  const missing = implied.filter(
    ({ key, holds }) => holds && !kept.some((taint) => taint.key === key && taint.effect === "NoSchedule"),
  );
  return [...kept, ...missing.map(({ key }) => ({ key, effect: "NoSchedule" as const }))];
}

function readyStatus(node: Node, now: string): Readonly<Record<string, unknown>> {
  const { name } = node.metadata;
  const condition = (type: string, status: string, reason: string, message: string): unknown => ({
    type,
    status,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
    reason,
    message,
  });
  return {
    capacity: node.status?.capacity ?? RESOURCES,
    allocatable: node.status?.allocatable ?? RESOURCES,
    addresses: node.status?.addresses ?? [
      { type: "InternalIP", address: nodeAddress(name) },
      { type: "Hostname", address: name },
    ],
    conditions: [
      ...PRESSURES.map(([type, reason, message]) => condition(type, "False", reason, message)),
      condition("Ready", "True", "KubeletReady", "simulated node is ready"),
    ],
    nodeInfo: {
      architecture: "amd64",
      bootID: "",
      containerRuntimeVersion: "simulated://1.0.0",
      kernelVersion: "simulated",
      kubeProxyVersion: "",
      kubeletVersion: "v1.36.3-levelset",
      machineID: "",
      operatingSystem: "linux",
      osImage: "levelset simulated node",
      systemUUID: "",
    },
  };
}
