import { crdReadiness } from "../../readiness-rule/index.ts";
import type { KubeObject } from "../../object/index.ts";
import type { CrdFields, Kind, NewObject } from "../../kind/index.ts";
import {
  builtIn,
  s,
  optionalBoolean,
  requiredString,
  int32,
  int64,
  optional,
  optionalJsonObject,
  optionalString,
  optionalStrings,
} from "../field-builders.ts";
import { conditions } from "../meta.ts";

const names = s.object({
  kind: requiredString("Name of the kind in CamelCase."),
  listKind: optionalString("Kind of lists; defaults to the kind followed by List."),
  plural: requiredString("Plural name in lower case, used in paths."),
  singular: optionalString("Singular name for the command line."),
  shortNames: optionalStrings("Short names for the command line."),
  categories: optionalStrings("Categories that contain the kind, such as all."),
});

const scale = s.object({
  specReplicasPath: requiredString("JSON path of the desired replicas, below .spec."),
  statusReplicasPath: requiredString("JSON path of the current replicas, below .status."),
  labelSelectorPath: optionalString("JSON path of the label selector, below .status or .spec."),
});

const column = s.object({
  name: requiredString("Heading of the column."),
  type: requiredString("Type of its values."),
  format: optionalString("Format of its values."),
  description: optionalString("Description of the column."),
  priority: int32("Columns with a priority above 0 are shown only in wide output."),
  jsonPath: requiredString("JSON path of the value."),
});

const version = s.object({
  name: requiredString("Its name, such as v1."),
  served: s.boolean().describe("Whether the version is served."),
  storage: s
    .boolean()
    .describe("Whether objects are stored in this version. Exactly one version must be the storage version."),
  deprecated: optionalBoolean("Whether the version is deprecated."),
  deprecationWarning: optionalString("The deprecation warning."),
  schema: optional(
    s.object({ openAPIV3Schema: optionalJsonObject("The schema of an object.") }),
    "Schema of the version.",
  ),
  subresources: optional(
    s.object({
      status: optionalJsonObject("Enables the status subresource."),
      scale: optional(scale, "Enables the scale subresource."),
    }),
    "Subresources.",
  ),
  additionalPrinterColumns: optional(s.array(column).atomic(), "Columns of tables."),
  selectableFields: optional(
    s.array(s.object({ jsonPath: requiredString("JSON path of the field.") })).atomic(),
    "Fields for field selectors.",
  ),
});

const conversion = s.object({
  strategy: requiredString("None or Webhook."),
  webhook: optional(
    s.object({
      clientConfig: optional(
        s.object({
          url: optionalString("Its address, if it is not a service."),
          service: optional(
            s.object({
              namespace: requiredString("Namespace of the service."),
              name: requiredString("Name of the service."),
              path: optionalString("Path of the request."),
              port: int32("Port of the service; defaults to 443."),
            }),
            "The service of the webhook.",
          ),
          caBundle: optional(s.string().format("byte"), "Trusted CA certificates, base64-encoded PEM."),
        }),
        "Address and CA of the webhook.",
      ),
      conversionReviewVersions: optionalStrings("Supported versions of ConversionReview, preferred first."),
    }),
    "The conversion webhook.",
  ),
});

const declared = builtIn({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  description: "Definition of a custom kind.",
  shortNames: ["crd", "crds"],
  scope: "Cluster",
  readiness: { of: crdReadiness, condition: "Established" },
  fields: {
    spec: s.object({
      group: s.string().describe("The API group of the kind."),
      scope: s.enum("Cluster", "Namespaced").describe("Whether objects are namespaced or cluster-scoped."),
      names: names.describe("Names of the kind."),
      versions: s.array(version).atomic().describe("The versions of the kind."),
      conversion: optional(conversion, "Conversion between versions."),
      preserveUnknownFields: optionalBoolean("Deprecated: use x-kubernetes-preserve-unknown-fields in the schema."),
    }),
    status: optional(
      s.object({
        conditions: optional(conditions, "Conditions."),
        acceptedNames: optional(names, "Names that are in effect."),
        storedVersions: optionalStrings("Versions in which objects may be stored."),
        observedGeneration: int64("Generation observed by the controller."),
      }),
      "Status set by the server.",
    ),
  },
});

/** Definition of a custom kind. Its types are those that `crdOf` returns, which are narrower than the schema. */
export const CustomResourceDefinition =
  // Only the compile-time types of its objects differ.
  declared as Kind as Kind<KubeObject & CrdFields, NewObject & Pick<CrdFields, "spec">>;
