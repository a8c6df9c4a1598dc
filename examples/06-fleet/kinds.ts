import { s } from "@levelset/core";
import { jobRecord } from "@levelset/operator";
import { fleetKind } from "@levelset/fleet/adapter";

/** A cluster of the fleet, as its adapters see it. */
export const Cluster = fleetKind({
  kind: "Cluster",
  spec: s.object({ region: s.string().default("eu"), version: s.string().default("1.0") }),
  status: s.object({ checked: jobRecord.optional() }),
});

/** A group of equal machines of a cluster. */
export const NodePool = fleetKind({
  kind: "NodePool",
  spec: s.object({ replicas: s.int32().default(2) }),
  status: s.object({}),
});

/** Where everything of a cluster lives. Named by the id: a name may be given again while the old cluster is still being removed. */
export function namespaceOf(clusterId: string): string {
  return `fleet-${clusterId}`;
}
