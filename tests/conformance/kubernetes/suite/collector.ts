import { podSpec } from "./objects.ts";
import type { Scene } from "./scene.ts";

const ABSENT = [{ apiVersion: "v1", kind: "ConfigMap", name: "absent", uid: "11111111-1111-4111-8111-111111111111" }];

/**
 * Resolves once the garbage collector knows all dependents of a resource that were made so far. It learns of changes in their order, so it
 * does when it has collected one that was made last. Otherwise a dependent that it has not seen yet is neither waited for nor orphaned.
 */
export async function collectorKnows(scene: Scene, resource: "pods" | "secrets"): Promise<void> {
  const spec = resource === "pods" ? { spec: podSpec() } : {};
  const metadata = { generateName: "last-", ownerReferences: ABSENT };
  const last = await scene.create(resource, { metadata, ...spec });
  await scene.gone(`${resource}/${last.str("metadata.name")}`);
}
