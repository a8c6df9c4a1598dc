import type { JsonObject } from "@levelset/core";
import type { Case } from "./runner.ts";

/** Returns a service with this spec. */
export const service = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  spec,
});
const PORTS: JsonObject = { ports: [{ port: 80 }] };

/** Valid and invalid services. */
export const SERVICES: readonly Case[] = [
  { name: "a minimal service", body: service("minimal", PORTS) },
  {
    name: "a service with a selector and names",
    body: service("rich", {
      selector: { a: "b" },
      ports: [
        { port: 80, name: "http", targetPort: "web" },
        { port: 80, name: "udp", protocol: "UDP", targetPort: 53 },
      ],
    }),
  },
  { name: "a headless service", body: service("headless", { ...PORTS, clusterIP: "None", selector: { a: "b" } }) },
  { name: "a headless service without a selector", body: service("bare", { clusterIP: "None" }) },
  { name: "a NodePort service", body: service("node", { ...PORTS, type: "NodePort" }) },
  {
    name: "a LoadBalancer service",
    body: service("balanced", { ...PORTS, type: "LoadBalancer", externalTrafficPolicy: "Local" }),
  },
  {
    name: "a LoadBalancer service without node ports",
    body: service("balanced", { ...PORTS, type: "LoadBalancer", allocateLoadBalancerNodePorts: false }),
  },
  {
    name: "an ExternalName service",
    body: service("external", { type: "ExternalName", externalName: "example.com." }),
  },
  { name: "session affinity", body: service("sticky", { ...PORTS, sessionAffinity: "ClientIP" }) },
  { name: "PreferDualStack", body: service("dual", { ...PORTS, ipFamilyPolicy: "PreferDualStack" }) },
  { name: "RequireDualStack", body: service("dual", { ...PORTS, ipFamilyPolicy: "RequireDualStack" }) },
  { name: "the other family", body: service("v6", { ...PORTS, ipFamilies: ["IPv6"] }) },
  {
    name: "an address out of range",
    body: service("a", { ...PORTS, clusterIP: "1.2.3.4" }),
    changes: [],
    messageDifference: "the ranges differ",
  },
  { name: "an address of the other family", body: service("a", { ...PORTS, clusterIP: "fd00::1" }), changes: [] },
  {
    name: "two addresses of one family",
    body: service("a", { ...PORTS, clusterIP: "1.2.3.4", clusterIPs: ["1.2.3.4", "1.2.3.5"] }),
  },
  { name: "no spec", body: { apiVersion: "v1", kind: "Service", metadata: { name: "a" } } },
  { name: "no ports", body: service("a", {}) },
  { name: "a name that is not a DNS label", body: service("1.a", PORTS) },
  { name: "a name that starts with a digit", body: service("1a", PORTS) },
  { name: "an unknown type", body: service("a", { ...PORTS, type: "Magic" }) },
  { name: "a port out of range", body: service("a", { ports: [{ port: 0 }] }) },
  { name: "ports without names", body: service("a", { ports: [{ port: 1 }, { port: 2 }] }) },
  {
    name: "ports of the same name",
    body: service("a", {
      ports: [
        { port: 1, name: "x" },
        { port: 2, name: "x" },
      ],
    }),
  },
  {
    name: "the same port twice",
    body: service("a", {
      ports: [
        { port: 1, name: "x" },
        { port: 1, name: "y" },
      ],
    }),
    messageDifference: "kube-apiserver prints a Go struct",
  },
  { name: "an invalid target port", body: service("a", { ports: [{ port: 1, targetPort: "A_b" }] }) },
  { name: "a node port without the type", body: service("a", { ports: [{ port: 1, nodePort: 30_001 }] }) },
  {
    name: "a node port out of range",
    body: service("a", { type: "NodePort", ports: [{ port: 1, nodePort: 80 }] }),
    changes: [],
  },
  { name: "an invalid address", body: service("a", { ...PORTS, clusterIP: "here" }) },
  {
    name: "clusterIP None with type LoadBalancer",
    body: service("a", { ...PORTS, type: "LoadBalancer", clusterIP: "None" }),
  },
  { name: "an external name without a name", body: service("a", { type: "ExternalName" }) },
  {
    name: "an external name with an address",
    body: service("a", { type: "ExternalName", externalName: "a.b", clusterIP: "1.2.3.4" }),
  },
  { name: "external IPs", body: service("a", { ...PORTS, externalIPs: ["127.0.0.1", "x"] }) },
  { name: "an unknown affinity", body: service("a", { ...PORTS, sessionAffinity: "Love" }) },
  {
    name: "an affinity with a timeout of zero",
    body: service("a", {
      ...PORTS,
      sessionAffinity: "ClientIP",
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } },
    }),
    messageDifference: "kube-apiserver prints a pointer",
  },
  {
    name: "an external traffic policy with type ClusterIP",
    body: service("a", { ...PORTS, externalTrafficPolicy: "Local" }),
  },
  {
    name: "an unknown policy",
    body: service("a", { ...PORTS, type: "NodePort", externalTrafficPolicy: "Any", internalTrafficPolicy: "Any" }),
  },
  {
    name: "source ranges without a load balancer",
    body: service("a", { ...PORTS, loadBalancerSourceRanges: ["10.0.0.0/8", "x"] }),
  },
  { name: "an invalid selector", body: service("a", { ...PORTS, selector: { "a b": "c d" } }) },
  {
    name: "a service's address is immutable",
    body: service("stays", { ...PORTS, selector: { a: "b" } }),
    changes: [
      { merge: { spec: { clusterIP: "10.96.9.9", clusterIPs: ["10.96.9.9"] } } },
      { merge: { spec: { clusterIP: null, clusterIPs: null } } },
      { merge: { spec: { type: "NodePort" } } },
      { merge: { spec: { type: "ClusterIP" } } },
      { merge: { spec: { type: "ExternalName", externalName: "a.b" } } },
      { merge: { spec: { type: "ClusterIP", externalName: null } } },
      { merge: { spec: { clusterIP: "None", clusterIPs: ["None"] } } },
      { merge: { metadata: { labels: { a: "b" } } } },
    ],
    messageDifference: "the addresses differ",
  },
  {
    name: "the status of a service",
    body: service("status", { ...PORTS, type: "LoadBalancer" }),
    changes: [
      { part: "status", merge: { status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } } } },
      { part: "status", merge: { status: { loadBalancer: { ingress: [{ ip: "x" }, { hostname: "1.2.3.4" }] } } } },
      { merge: { spec: { type: "ClusterIP" } } },
      { part: "status", merge: { status: { loadBalancer: { ingress: [{ hostname: "a.b" }] } } } },
    ],
  },
];
