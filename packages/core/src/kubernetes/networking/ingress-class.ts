import { builtIn, s, optionalEnum, requiredString, optional, optionalString } from "../field-builders.ts";

/** A class of Ingresses and their controller. */
export const IngressClass = builtIn({
  group: "networking.k8s.io",
  version: "v1",
  kind: "IngressClass",
  description: "A class of ingresses, and its controller.",
  scope: "Cluster",
  fields: {
    spec: optional(
      s.object({
        controller: optionalString("Controller of ingresses of this class, such as example.com/ingress."),
        parameters: optional(
          s.object({
            apiGroup: optionalString("Group of the kind; defaults to the core group."),
            kind: requiredString("Kind of the object."),
            name: requiredString("Name of the object."),
            scope: optionalEnum("Whether the parameters are namespaced; defaults to Cluster.", "Cluster", "Namespace"),
            namespace: optionalString("Its namespace."),
          }),
          "An object with settings.",
        ),
      }),
      "Controller and parameters.",
    ),
  },
});
