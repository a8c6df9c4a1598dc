import { podSpec } from "./objects.ts";
import type { CaseContext } from "./case-context.ts";

const ABSENT = [{ apiVersion: "v1", kind: "ConfigMap", name: "absent", uid: "11111111-1111-4111-8111-111111111111" }];

/**
 * Resolves once the garbage collector has seen all dependents of a resource created so far. It processes changes in
 * order, so this is the case when it has collected an object created last. A dependent that it has not seen is neither
 * awaited nor orphaned.
 */
export async function untilCollectorSynced(scenario: CaseContext, resource: "pods" | "secrets"): Promise<void> {
  const spec = resource === "pods" ? { spec: podSpec() } : {};
  const metadata = { generateName: "last-", ownerReferences: ABSENT };
  const last = await scenario.create(resource, { metadata, ...spec });
  await scenario.untilDeleted(`${resource}/${last.str("metadata.name")}`);
}
