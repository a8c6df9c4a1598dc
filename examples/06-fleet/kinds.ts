import { s } from "@levelset/core";
import { jobRecord } from "@levelset/operator";
import { fleetKind } from "@levelset/fleet/adapter";

/** A cluster of the fleet: the fields that the adapters read. */
export const Cluster = fleetKind({
  kind: "Cluster",
  spec: s.object({ region: s.string().default("eu"), version: s.string().default("1.0") }),
  status: s.object({ checked: jobRecord.optional() }),
});

/** A group of identical machines in a cluster. */
export const NodePool = fleetKind({
  kind: "NodePool",
  spec: s.object({ replicas: s.int32().default(2) }),
  status: s.object({}),
});

/**
 * Returns the namespace of a cluster. It contains the id, not the name, because a name can be reused while the old
 * cluster is still being deleted.
 */
export function namespaceForCluster(clusterId: string): string {
  return `fleet-${clusterId}`;
}
