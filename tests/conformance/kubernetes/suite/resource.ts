import { apiVersionOf } from "@levelset/core";
import { BUILTIN_KINDS } from "../../../support/builtin-kinds.ts";

/** Request properties of a kind. */
export interface ResourceInfo {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Built-in kinds by plural. Of two with one plural, the first counts: `events` are those of the core group. */
export const RESOURCES: ReadonlyMap<string, ResourceInfo> = new Map(
  BUILTIN_KINDS.toReversed().map((kind) => [
    kind.plural,
    { apiVersion: apiVersionOf(kind), kind: kind.kind, namespaced: kind.scope === "Namespaced" },
  ]),
);

/** Returns the path of a collection, an object or a subresource, such as `deployments/web/scale`. */
export function resourcePath(facts: ResourceInfo, short: string, namespace: string | undefined): string {
  const root = facts.apiVersion.includes("/") ? `/apis/${facts.apiVersion}` : `/api/${facts.apiVersion}`;
  return facts.namespaced && namespace !== undefined ? `${root}/namespaces/${namespace}/${short}` : `${root}/${short}`;
}
