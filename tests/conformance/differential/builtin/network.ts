import type { JsonObject } from "@levelset/core";
import type { Case } from "./runner.ts";

function networking(kind: string, name: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: "networking.k8s.io/v1", kind, metadata: { name, ...metadata }, spec };
}

const ingress = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => networking("Ingress", "a", spec, metadata);
const service: JsonObject = { service: { name: "s", port: { number: 80 } } };
const path = (fields: JsonObject): JsonObject => ({
  rules: [{ http: { paths: [{ path: "/", pathType: "Prefix", backend: service, ...fields }] } }],
});

const INGRESSES: readonly Case[] = [
  { name: "an ingress", body: ingress(path({})) },
  { name: "an ingress with only a default", body: ingress({ defaultBackend: service }) },
  {
    name: "an ingress with everything",
    body: ingress({ ...path({}), ingressClassName: "c", tls: [{ hosts: ["a.b", "*.a.b"], secretName: "s" }] }),
  },
  { name: "an ingress to nowhere", body: ingress({}) },
  { name: "an ingress with an address for a host", body: ingress({ rules: [{ host: "1.2.3.4" }] }) },
  { name: "an ingress with a bad host", body: ingress({ rules: [{ host: "A_b" }, { host: "*b" }] }) },
  { name: "a rule without paths", body: ingress({ rules: [{ host: "a.b", http: { paths: [] } }] }) },
  { name: "a path without a type", body: ingress({ rules: [{ http: { paths: [{ path: "/", backend: service }] } }] }) },
  { name: "a path of an unknown type", body: ingress(path({ pathType: "Regex" })) },
  { name: "a relative path", body: ingress(path({ path: "a" })) },
  { name: "a path with dots", body: ingress(path({ path: "/a/../b//c/." })) },
  { name: "a path of the implementation", body: ingress(path({ path: "", pathType: "ImplementationSpecific" })) },
  {
    name: "a backend of both kinds",
    body: ingress({ defaultBackend: { ...service, resource: { kind: "K", name: "n" } } }),
  },
  { name: "a backend of no kind", body: ingress({ defaultBackend: {} }) },
  {
    name: "a backend that is a resource",
    body: ingress({ defaultBackend: { resource: { apiGroup: "a.b", kind: "K", name: "n" } } }),
  },
  {
    name: "a backend that is a bad resource",
    body: ingress({ defaultBackend: { resource: { apiGroup: "A", kind: "", name: "a/b" } } }),
  },
  { name: "a service without a port", body: ingress({ defaultBackend: { service: { name: "s" } } }) },
  {
    name: "a service with two ports",
    body: ingress({ defaultBackend: { service: { name: "s", port: { name: "x", number: 1 } } } }),
  },
  {
    name: "a service with a bad name and port",
    body: ingress({ defaultBackend: { service: { name: "A.b", port: { name: "A_B" } } } }),
  },
  { name: "a service without a name", body: ingress({ defaultBackend: { service: { port: { number: 70_000 } } } }) },
  { name: "a bad secret", body: ingress({ ...path({}), tls: [{ hosts: ["A"], secretName: "A_" }] }) },
  {
    name: "a class that the annotation contradicts",
    body: ingress({ ...path({}), ingressClassName: "c" }, { annotations: { "kubernetes.io/ingress.class": "d" } }),
  },
  {
    name: "an ingress that changes",
    body: networking("Ingress", "changes", path({})),
    changes: [
      { merge: { spec: { ingressClassName: "x" } } },
      { merge: { status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } } }, part: "status" },
      { merge: { status: { loadBalancer: { ingress: [{ ip: "x", hostname: "1.2.3.4" }] } } }, part: "status" },
      { merge: { spec: { rules: null } } },
    ],
  },
];

const klass = (name: string, spec: JsonObject): JsonObject => networking("IngressClass", name, spec);
const policy = (spec: JsonObject): JsonObject => networking("NetworkPolicy", "a", spec);

const OTHERS: readonly Case[] = [
  { name: "an ingress class", body: klass("a", { controller: "a.b/c" }) },
  {
    name: "an ingress class with parameters",
    body: klass("a", { controller: "a.b/c", parameters: { kind: "K", name: "n" } }),
  },
  {
    name: "an ingress class with parameters in a namespace",
    body: klass("a", { controller: "a.b/c", parameters: { kind: "K", name: "n", scope: "Namespace", namespace: "x" } }),
  },
  { name: "an ingress class without a controller", body: klass("a", {}) },
  { name: "an ingress class with a bad controller", body: klass("a", { controller: "abc" }) },
  {
    name: "an ingress class with bad parameters",
    body: klass("a", { controller: "A/b c", parameters: { kind: "", name: "a/b", scope: "World" } }),
  },
  {
    name: "parameters in a namespace without one",
    body: klass("a", { controller: "a.b/c", parameters: { kind: "K", name: "n", scope: "Namespace" } }),
  },
  {
    name: "parameters of the cluster in a namespace",
    body: klass("a", { controller: "a.b/c", parameters: { kind: "K", name: "n", namespace: "x" } }),
  },
  {
    name: "the controller is immutable",
    body: klass("stays", { controller: "a.b/c" }),
    changes: [
      { merge: { spec: { controller: "a.b/d" } } },
      { merge: { spec: { parameters: { kind: "K", name: "n" } } } },
    ],
  },
  { name: "a network policy for all", body: policy({ podSelector: {} }) },
  {
    name: "a network policy without a spec",
    body: { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", metadata: { name: "a" } },
  },
  {
    name: "a network policy of both directions",
    body: policy({
      podSelector: { matchLabels: { a: "b" } },
      ingress: [
        {
          from: [{ podSelector: {} }, { namespaceSelector: {} }],
          ports: [{ port: 80 }, { port: "web", protocol: "UDP" }],
        },
      ],
      egress: [
        { to: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } }], ports: [{ port: 1, endPort: 9 }] },
      ],
    }),
  },
  { name: "a network policy with unknown types", body: policy({ podSelector: {}, policyTypes: ["Sideways"] }) },
  {
    name: "a network policy with too many types",
    body: policy({ podSelector: {}, policyTypes: ["Ingress", "Egress", "Ingress"] }),
    messageDifference: "kube-apiserver prints a pointer",
  },
  {
    name: "a network policy with bad ports",
    body: policy({
      podSelector: {},
      ingress: [
        {
          ports: [
            { port: 0 },
            { port: 9, endPort: 1 },
            { endPort: 3 },
            { port: "A_", endPort: 3 },
            { port: 1, protocol: "ICMP" },
          ],
        },
      ],
    }),
  },
  { name: "an empty peer", body: policy({ podSelector: {}, ingress: [{ from: [{}] }] }) },
  {
    name: "a peer with two types",
    body: policy({ podSelector: {}, egress: [{ to: [{ podSelector: {}, ipBlock: { cidr: "10.0.0.0/8" } }] }] }),
  },
  {
    name: "bad blocks",
    body: policy({
      podSelector: {},
      egress: [
        {
          to: [
            { ipBlock: { cidr: "" } },
            { ipBlock: { cidr: "x" } },
            { ipBlock: { cidr: "10.0.0.0/8", except: ["11.0.0.0/16", "y"] } },
          ],
        },
      ],
    }),
  },
  {
    name: "a network policy with a bad selector",
    body: policy({ podSelector: { matchExpressions: [{ key: "a", operator: "In" }] } }),
  },
  {
    name: "a network policy that changes",
    body: networking("NetworkPolicy", "changes", { podSelector: {} }),
    changes: [{ merge: { spec: { egress: [{}] } } }, { merge: { metadata: { labels: { a: "b" } } } }],
  },
];

const slice = (name: string, fields: JsonObject): JsonObject => ({
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: { name },
  ...fields,
});

const SLICES: readonly Case[] = [
  {
    name: "a slice",
    body: slice("a", { addressType: "IPv4", endpoints: [{ addresses: ["10.0.0.1"] }], ports: [{ port: 80 }] }),
  },
  { name: "an empty slice", body: slice("a", { addressType: "IPv6", endpoints: [] }) },
  { name: "a slice without a type", body: slice("a", { endpoints: [] }) },
  { name: "a slice of an unknown type", body: slice("a", { addressType: "IPv5", endpoints: [] }) },
  {
    name: "a slice with topology",
    body: slice("a", { addressType: "IPv4", endpoints: [{ addresses: ["10.0.0.1"], deprecatedTopology: { a: "b" } }] }),
  },
  { name: "a slice of names", body: slice("a", { addressType: "FQDN", endpoints: [{ addresses: ["a.b"] }] }) },
  {
    name: "a slice of bad names",
    body: slice("a", { addressType: "FQDN", endpoints: [{ addresses: ["ab"] }, { addresses: ["A_.b"] }] }),
  },
  {
    name: "bad addresses",
    body: slice("a", {
      addressType: "IPv4",
      endpoints: [{ addresses: [] }, { addresses: ["127.0.0.1"] }, { addresses: ["::1"] }, { addresses: ["x"] }],
    }),
  },
  {
    name: "bad ports",
    body: slice("a", {
      addressType: "IPv4",
      endpoints: [],
      ports: [{ name: "A_", protocol: "ICMP" }, { name: "a" }, { name: "a", appProtocol: "a b" }],
    }),
    messageDifference: "kube-apiserver prints a pointer",
  },
  {
    name: "bad hints",
    body: slice("a", {
      addressType: "IPv4",
      endpoints: [
        {
          addresses: ["10.0.0.1"],
          hostname: "A_",
          nodeName: "N_",
          hints: { forZones: [{ name: "a" }, { name: "a" }] },
        },
      ],
    }),
  },
  {
    name: "the address type is immutable",
    body: slice("stays", { addressType: "IPv4", endpoints: [] }),
    changes: [
      { merge: { addressType: "IPv6" } },
      { merge: { metadata: { labels: { a: "b" } } } },
      { merge: { metadata: { annotations: { a: "b" } } } },
      { merge: { ports: [{ port: 1 }] } },
    ],
  },
];

/** Ingresses, network policies and endpoint slices. */
export const NETWORK: readonly Case[] = [...INGRESSES, ...OTHERS, ...SLICES];
