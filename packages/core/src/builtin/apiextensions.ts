import type { KubeObject } from "../object/index.ts";
import type { CrdFields, Kind, NewObject } from "../kind/index.ts";
import { builtIn, flag, given, int32, int64, optional, record, s, text, texts } from "./field.ts";
import { conditions } from "./meta.ts";

const names = s.object({
  kind: given("Name of the kind, in capitals and small letters."),
  listKind: text("Name of a list of them."),
  plural: given("Name in paths."),
  singular: text("Name for people."),
  shortNames: texts("Shorter names for people."),
  categories: texts("Groups of kinds that it belongs to, such as all."),
});

const scale = s.object({
  specReplicasPath: given("Where the wanted number is, below .spec."),
  statusReplicasPath: given("Where the present number is, below .status."),
  labelSelectorPath: text("Where the label selector is, below .status or .spec."),
});

const column = s.object({
  name: given("The heading."),
  type: given("Type of its values."),
  format: text("Format of its values."),
  description: text("What it shows."),
  priority: int32("Columns above 0 are left out unless asked for."),
  jsonPath: given("Where the value is."),
});

const version = s.object({
  name: given("Its name, such as v1."),
  served: s.boolean().describe("Whether it can be asked for."),
  storage: s.boolean().describe("Whether objects are stored in it; exactly one version says so."),
  deprecated: flag("Whether users are told to leave it."),
  deprecationWarning: text("What they are told."),
  schema: optional(s.object({ openAPIV3Schema: record("The schema of an object.") }), "What objects look like."),
  subresources: optional(
    s.object({ status: record("Status has a path of its own."), scale: optional(scale, "It can be scaled.") }),
    "Parts with paths of their own.",
  ),
  additionalPrinterColumns: optional(s.array(column).atomic(), "Columns of tables."),
  selectableFields: optional(
    s.array(s.object({ jsonPath: given("Where the field is.") })).atomic(),
    "Fields that selectors may name.",
  ),
});

const conversion = s.object({
  strategy: given("None or Webhook."),
  webhook: optional(
    s.object({
      clientConfig: optional(
        s.object({
          url: text("Its address, if it is not a service."),
          service: optional(
            s.object({
              namespace: given("Namespace of the service."),
              name: given("Name of the service."),
              path: text("Path of the request."),
              port: int32("Port of the service; 443 unless given."),
            }),
            "The service that runs it.",
          ),
          caBundle: optional(s.string().format("byte"), "Certificates to trust, PEM in base64."),
        }),
        "How to reach it.",
      ),
      conversionReviewVersions: texts("Versions of ConversionReview that it understands, best first."),
    }),
    "The program that converts.",
  ),
});

const declared = builtIn({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  description: "The declaration of a kind to an API server.",
  shortNames: ["crd", "crds"],
  scope: "Cluster",
  fields: {
    spec: s.object({
      group: s.string().describe("The API group of the kind."),
      scope: s.enum("Cluster", "Namespaced").describe("Whether objects live in namespaces."),
      names: names.describe("How the kind is called."),
      versions: s.array(version).atomic().describe("The versions of the kind."),
      conversion: optional(conversion, "How objects get from one version to another."),
      preserveUnknownFields: flag("Obsolete: a schema says it for itself."),
    }),
    status: optional(
      s.object({
        conditions: optional(conditions, "How far it is."),
        acceptedNames: optional(names, "The names that are its own."),
        storedVersions: texts("Versions that objects may be stored in."),
        observedGeneration: int64("The generation that this status is about."),
      }),
      "What the server makes of it.",
    ),
  },
});

/** The declaration of a kind to an API server. Its types are those that `crdOf` writes, narrower than the schema can say. */
export const CustomResourceDefinition =
  // Only the types of its objects differ, which nothing holds at run time.
  declared as Kind as Kind<KubeObject & CrdFields, NewObject & Pick<CrdFields, "spec">>;
