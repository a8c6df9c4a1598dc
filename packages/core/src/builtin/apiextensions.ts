import type { KubeObject } from "../object/index.ts";
import { builtIn } from "../kind/index.ts";
import type { CrdFields, Kind, NewObject } from "../kind/index.ts";
import { s } from "../schema/index.ts";

/** The declaration of a kind to an API server. Its types are those that `crdOf` writes. */
export const CustomResourceDefinition: Kind<KubeObject & CrdFields, NewObject & Pick<CrdFields, "spec">> = builtIn({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  shortNames: ["crd", "crds"],
  scope: "Cluster",
  fields: {
    spec: s.object({
      group: s.string().describe("The API group of the kind."),
      scope: s.enum("Cluster", "Namespaced").describe("Whether objects live in namespaces."),
      names: s.object({
        kind: s.string(),
        listKind: s.string().optional(),
        plural: s.string(),
        singular: s.string().optional(),
        shortNames: s.array(s.string()).optional(),
        categories: s.array(s.string()).optional(),
      }),
      versions: s.array(s.object({ name: s.string(), served: s.boolean(), storage: s.boolean() }).open()),
      conversion: s.record().optional(),
      preserveUnknownFields: s.boolean().optional(),
    }),
    status: s.record().optional(),
  },
});
