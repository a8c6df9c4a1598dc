import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import {
  builtIn,
  optionalEnum,
  requiredString,
  int32,
  intOrString,
  optional,
  protocol,
  s,
  optionalString,
  optionalStrings,
} from "./field-builders.ts";
import { labelSelector } from "./meta.ts";
import { typedLocalObjectReference } from "./reference.ts";

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

const networkPolicyPeerFields = {
  podSelector: optional(labelSelector, "Selects pods, in the policy's namespace unless namespaceSelector is set."),
  namespaceSelector: optional(labelSelector, "Namespaces by label."),
  ipBlock: optional(
    s.object({ cidr: requiredString("The network."), except: optionalStrings("Excluded networks.") }),
    "A network (IP block).",
  ),
};

/** Peer of a connection. */
export interface NetworkPolicyPeer extends ObjectIn<typeof networkPolicyPeerFields> {}

/** The schema of `NetworkPolicyPeer`. */
const networkPolicyPeer: ObjectSchema<NetworkPolicyPeer, NetworkPolicyPeer> = s.object(networkPolicyPeerFields);

const networkPolicyPortFields = {
  port: intOrString("Number or name; defaults to all ports."),
  endPort: int32("Last number of a range."),
  protocol: optional(protocol, "Defaults to TCP."),
};

/** Ports of a connection. */
export interface NetworkPolicyPort extends ObjectIn<typeof networkPolicyPortFields> {}

/** The schema of `NetworkPolicyPort`. */
const networkPolicyPort: ObjectSchema<NetworkPolicyPort, NetworkPolicyPort> = s.object(networkPolicyPortFields);

/** Allowed connections of pods; all others are denied. */
export const NetworkPolicy = builtIn({
  group: "networking.k8s.io",
  version: "v1",
  kind: "NetworkPolicy",
  description: "Allowed connections of pods; all others are denied.",
  shortNames: ["netpol"],
  fields: {
    spec: optional(
      s.object({
        podSelector: optional(labelSelector, "The pods it is about; all of the namespace when empty."),
        policyTypes: optional(s.array(s.enum("Ingress", "Egress")).atomic(), "Directions that the policy restricts."),
        ingress: optional(
          s
            .array(
              s.object({
                from: optional(s.array(networkPolicyPeer).atomic(), "Allowed sources; defaults to all."),
                ports: optional(s.array(networkPolicyPort).atomic(), "Ports they may come to; defaults to all."),
              }),
            )
            .atomic(),
          "Connections that may come in.",
        ),
        egress: optional(
          s
            .array(
              s.object({
                to: optional(s.array(networkPolicyPeer).atomic(), "Allowed destinations; defaults to all."),
                ports: optional(s.array(networkPolicyPort).atomic(), "Ports they may go to; defaults to all."),
              }),
            )
            .atomic(),
          "Connections that may go out.",
        ),
      }),
      "The pods, and their connections.",
    ),
  },
});
