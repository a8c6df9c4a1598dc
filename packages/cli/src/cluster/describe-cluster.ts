import type { SelectedCluster } from "./find-cluster.ts";

/** Describes the selected cluster: context, server and namespace. */
export function describeCluster({ access, foundIn }: SelectedCluster, namespace?: string): string {
  const which = foundIn === undefined ? `context ${access.context}` : foundIn;
  return `${which}, ${access.server}${namespace === undefined ? "" : `, namespace ${namespace}`}`;
}
