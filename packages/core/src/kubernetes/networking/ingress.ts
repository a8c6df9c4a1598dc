import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import {
  builtIn,
  s,
  requiredString,
  int32,
  optional,
  protocol,
  optionalString,
  optionalStrings,
} from "../field-builders.ts";
import { typedLocalObjectReference } from "../core/reference.ts";

const ingressBackendFields = {
  service: optional(
    s.object({
      name: requiredString("Name of the service."),
      port: optional(
        s.object({ name: optionalString("Name of the port."), number: int32("Number of the port.") }).atomic(),
        "Port of the service.",
      ),
    }),
    "A service.",
  ),
  resource: optional(typedLocalObjectReference, "An object that the controller understands."),
};

/** Backend of an Ingress: a service or another object. */
export interface IngressBackend extends ObjectIn<typeof ingressBackendFields> {}

/** The schema of `IngressBackend`. */
export const ingressBackend: ObjectSchema<IngressBackend, IngressBackend> = s.object(ingressBackendFields);

/** Routes external HTTP requests to services. */
export const Ingress = builtIn({
  group: "networking.k8s.io",
  version: "v1",
  kind: "Ingress",
  description: "Routes external HTTP requests to services.",
  shortNames: ["ing"],
  fields: {
    spec: s
      .object({
        ingressClassName: optionalString("IngressClass of the ingress."),
        rules: optional(
          s
            .array(
              s.object({
                host: optionalString("Host name, or a wildcard such as *.example.com; empty for all hosts."),
                http: optional(
                  s.object({
                    paths: s
                      .array(
                        s.object({
                          path: optionalString("The path."),
                          pathType: s
                            .enum("Exact", "Prefix", "ImplementationSpecific")
                            .describe("How the path is matched."),
                          backend: ingressBackend.describe("The backend."),
                        }),
                      )
                      .atomic()
                      .describe("Paths and their backends."),
                  }),
                  "HTTP rules of the host.",
                ),
              }),
            )
            .atomic(),
          "Hosts and paths.",
        ),
        defaultBackend: optional(ingressBackend, "Backend of requests that match no rule."),
        tls: optional(
          s
            .array(
              s.object({
                hosts: optionalStrings("Hosts the certificate is for."),
                secretName: optionalString("Secret that holds it."),
              }),
            )
            .atomic(),
          "Certificates.",
        ),
      })
      .describe("Rules, TLS and default backend."),
    status: optional(
      s.object({
        loadBalancer: optional(
          s.object({
            ingress: optional(
              s
                .array(
                  s.object({
                    ip: optionalString("Its address."),
                    hostname: optionalString("Its name."),
                    ports: optional(
                      s
                        .array(
                          s.object({
                            port: s.int32().describe("Number of the port."),
                            protocol: protocol.describe("Its protocol."),
                            error: optionalString("Machine-readable reason."),
                          }),
                        )
                        .atomic(),
                      "Status of its ports.",
                    ),
                  }),
                )
                .atomic(),
              "Addresses of its load balancers.",
            ),
          }),
          "The load balancer.",
        ),
      }),
      "Addresses of its load balancers.",
    ),
  },
});
