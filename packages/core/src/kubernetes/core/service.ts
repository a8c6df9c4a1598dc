import { serviceReadiness } from "../../readiness-rule/index.ts";
import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import {
  builtIn,
  s,
  optionalEnum,
  optionalBoolean,
  int32,
  intOrString,
  optional,
  withPatchStrategy,
  protocol,
  optionalString,
  optionalStrings,
} from "../field-builders.ts";
import { standardConditions } from "../meta.ts";

const servicePortFields = {
  name: optionalString("Its name; required if there are several."),
  port: s.int32().describe("Number clients connect to."),
  protocol: protocol.describe("Defaults to TCP.").default("TCP"),
  targetPort: intOrString("Number or name of the pods' port; defaults to the same number."),
  nodePort: int32("The same port on every node."),
  appProtocol: optionalString("Application protocol, such as kubernetes.io/h2c."),
};

/** A port of a service. */
export interface ServicePort extends ObjectIn<typeof servicePortFields> {}

/** The schema of `ServicePort`. */
export const servicePort: ObjectSchema<ServicePort, ServicePort> = s.object(servicePortFields);

const serviceSpecFields = {
  selector: optional(
    s.map(s.string()).atomic(),
    "Selects its pods; without a selector, endpoints are managed separately.",
  ),
  ports: withPatchStrategy("merge", optional(s.array(servicePort).keyedBy("port", "protocol"), "Its ports."), "port"),
  type: optionalEnum(
    "Type of the service; defaults to ClusterIP.",
    "ClusterIP",
    "NodePort",
    "LoadBalancer",
    "ExternalName",
  ),
  clusterIP: optionalString("Its address; None for a headless service."),
  clusterIPs: optionalStrings("Its addresses, one for each family."),
  ipFamilies: optional(s.array(s.enum("IPv4", "IPv6")).atomic(), "Families of its addresses, in order."),
  ipFamilyPolicy: optionalEnum(
    "Whether it has addresses of both families.",
    "SingleStack",
    "PreferDualStack",
    "RequireDualStack",
  ),
  externalIPs: optionalStrings("External addresses that nodes accept traffic for."),
  externalName: optionalString("The DNS name it stands for, with ExternalName."),
  externalTrafficPolicy: optionalEnum(
    "Whether external traffic is routed to endpoints on the same node only.",
    "Cluster",
    "Local",
  ),
  internalTrafficPolicy: optionalEnum(
    "Whether internal traffic is routed to endpoints on the same node only.",
    "Cluster",
    "Local",
  ),
  trafficDistribution: optionalString("Preference for endpoints, such as PreferSameZone."),
  sessionAffinity: optionalEnum("Session affinity; defaults to None.", "None", "ClientIP"),
  sessionAffinityConfig: optional(
    s.object({
      clientIP: optional(
        s.object({
          timeoutSeconds: int32("Seconds without requests until a client is forgotten; defaults to three hours."),
        }),
        "For ClientIP.",
      ),
    }),
    "For how long.",
  ),
  publishNotReadyAddresses: optionalBoolean("Whether addresses of pods that are not ready are published."),
  healthCheckNodePort: int32("Health check port for load balancers."),
  loadBalancerClass: optionalString("Class of the load balancer implementation."),
  loadBalancerIP: optionalString("Deprecated: requested address of the load balancer."),
  loadBalancerSourceRanges: optionalStrings("Networks that may use the load balancer."),
  allocateLoadBalancerNodePorts: optionalBoolean("Whether a load balancer needs node ports; defaults to true."),
};

/** Endpoints of a service, and how clients reach it. */
export interface ServiceSpec extends ObjectIn<typeof serviceSpecFields> {}

/** The schema of `ServiceSpec`. */
export const serviceSpec: ObjectSchema<ServiceSpec, ServiceSpec> = s.object(serviceSpecFields);

/** A stable name and address for a set of pods. */
export const Service = builtIn({
  group: "",
  version: "v1",
  kind: "Service",
  description: "A stable name and address for a set of pods.",
  shortNames: ["svc"],
  readiness: { of: serviceReadiness },
  fields: {
    spec: serviceSpec.describe("Selector, ports and type of the service."),
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
                    ipMode: optionalString("VIP, or Proxy when requests reach the nodes with another address."),
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
        conditions: withPatchStrategy("merge", optional(standardConditions, "Conditions."), "type"),
      }),
      "Observed state.",
    ),
  },
});
