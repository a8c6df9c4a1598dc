import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import {
  builtIn,
  choice,
  flag,
  given,
  int32,
  intOrString,
  optional,
  patched,
  protocol,
  s,
  text,
  texts,
} from "./field.ts";
import { standardConditions } from "./meta.ts";
import { localObjectReference, objectReference, objectReferenceFields } from "./reference.ts";

const servicePortFields = {
  name: text("Its name; needed when there are several."),
  port: s.int32().describe("Number clients connect to."),
  protocol: protocol.describe("TCP unless given.").default("TCP"),
  targetPort: intOrString("Number or name of the pods' port; the same number unless given."),
  nodePort: int32("The same port on every node."),
  appProtocol: text("What is spoken on it, such as kubernetes.io/h2c."),
};

/** A port of a service. */
export interface ServicePort extends ObjectIn<typeof servicePortFields> {}

/** The schema of `ServicePort`. */
export const servicePort: ObjectSchema<ServicePort, ServicePort> = s.object(servicePortFields);

const serviceSpecFields = {
  selector: optional(
    s.map(s.string()).atomic(),
    "Labels of the pods behind it; without, someone else lists its endpoints.",
  ),
  ports: patched("merge", optional(s.array(servicePort).keyedBy("port", "protocol"), "Its ports."), "port"),
  type: choice("How it is reached; ClusterIP unless given.", "ClusterIP", "NodePort", "LoadBalancer", "ExternalName"),
  clusterIP: text("Its address; None for none at all."),
  clusterIPs: texts("Its addresses, one for each family."),
  ipFamilies: optional(s.array(s.enum("IPv4", "IPv6")).atomic(), "Families of its addresses, in order."),
  ipFamilyPolicy: choice(
    "Whether it has addresses of both families.",
    "SingleStack",
    "PreferDualStack",
    "RequireDualStack",
  ),
  externalIPs: texts("Addresses of nodes that take requests for it."),
  externalName: text("The DNS name it stands for, with ExternalName."),
  externalTrafficPolicy: choice("Whether requests from outside stay on the node they come to.", "Cluster", "Local"),
  internalTrafficPolicy: choice("Whether requests from inside stay on their node.", "Cluster", "Local"),
  trafficDistribution: text("Which endpoints are liked better, such as PreferSameZone."),
  sessionAffinity: choice("Whether a client stays with one pod; None unless given.", "None", "ClientIP"),
  sessionAffinityConfig: optional(
    s.object({
      clientIP: optional(
        s.object({
          timeoutSeconds: int32("Seconds without requests until a client is forgotten; three hours unless given."),
        }),
        "For ClientIP.",
      ),
    }),
    "For how long.",
  ),
  publishNotReadyAddresses: flag("Whether pods count before they are ready."),
  healthCheckNodePort: int32("Port that tells load balancers whether a node has endpoints."),
  loadBalancerClass: text("Who makes the load balancer."),
  loadBalancerIP: text("Obsolete wish for its address."),
  loadBalancerSourceRanges: texts("Networks that may use the load balancer."),
  allocateLoadBalancerNodePorts: flag("Whether a load balancer needs node ports; true unless given."),
};

/** Whom a service reaches, and how it is reached. */
export interface ServiceSpec extends ObjectIn<typeof serviceSpecFields> {}

/** The schema of `ServiceSpec`. */
export const serviceSpec: ObjectSchema<ServiceSpec, ServiceSpec> = s.object(serviceSpecFields);

/** One name and address for a changing set of pods. */
export const Service = builtIn({
  group: "",
  version: "v1",
  kind: "Service",
  description: "One name and address for a changing set of pods.",
  shortNames: ["svc"],
  fields: {
    spec: serviceSpec.describe("Whom it reaches, and how."),
    status: optional(
      s.object({
        loadBalancer: optional(
          s.object({
            ingress: optional(
              s
                .array(
                  s.object({
                    ip: text("Its address."),
                    hostname: text("Its name."),
                    ipMode: text("VIP, or Proxy when requests reach the nodes with another address."),
                    ports: optional(
                      s
                        .array(
                          s.object({
                            port: s.int32().describe("Number of the port."),
                            protocol: protocol.describe("Its protocol."),
                            error: text("What went wrong, in one word."),
                          }),
                        )
                        .atomic(),
                      "How its ports fare.",
                    ),
                  }),
                )
                .atomic(),
              "Where it takes requests.",
            ),
          }),
          "The load balancer.",
        ),
        conditions: patched("merge", optional(standardConditions, "How far it is."), "type"),
      }),
      "What there is.",
    ),
  },
});

/** An identity for pods. */
export const ServiceAccount = builtIn({
  group: "",
  version: "v1",
  kind: "ServiceAccount",
  description: "An identity for pods.",
  shortNames: ["sa"],
  fields: {
    secrets: patched(
      "merge",
      optional(
        s.array(s.object({ ...objectReferenceFields, name: given("Name of the secret.") }).atomic()).keyedBy("name"),
        "Secrets its pods may use.",
      ),
      "name",
    ),
    imagePullSecrets: optional(s.array(localObjectReference).atomic(), "Secrets for fetching images of its pods."),
    automountServiceAccountToken: flag("Whether its pods get a token."),
  },
});

const endpointAddressFields = {
  ip: given("The address."),
  hostname: text("Its name below the service's."),
  nodeName: text("The node it is on."),
  targetRef: optional(objectReference, "The pod behind it."),
};

/** One address of a service. */
export interface EndpointAddress extends ObjectIn<typeof endpointAddressFields> {}

/** The schema of `EndpointAddress`. */
const endpointAddress: ObjectSchema<EndpointAddress, EndpointAddress> = s.object(endpointAddressFields).atomic();

/** The addresses behind a service; EndpointSlice has replaced it. */
export const Endpoints = builtIn({
  group: "",
  version: "v1",
  kind: "Endpoints",
  description: "The addresses behind a service; EndpointSlice has replaced it.",
  shortNames: ["ep"],
  plural: "endpoints",
  fields: {
    subsets: optional(
      s
        .array(
          s.object({
            addresses: optional(s.array(endpointAddress).atomic(), "Addresses that take requests."),
            notReadyAddresses: optional(s.array(endpointAddress).atomic(), "Addresses that do not yet."),
            ports: optional(
              s
                .array(
                  s
                    .object({
                      name: text("Name of the service's port."),
                      port: s.int32().describe("Number of the port."),
                      protocol: optional(protocol, "Its protocol."),
                      appProtocol: text("What is spoken on it."),
                    })
                    .atomic(),
                )
                .atomic(),
              "Ports of each address.",
            ),
          }),
        )
        .atomic(),
      "Addresses with the same ports.",
    ),
  },
});
