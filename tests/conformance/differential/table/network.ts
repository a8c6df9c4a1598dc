import { clusterScopedPath, namespacedPath, SELECTOR, tableCase } from "./table-case.ts";
import type { Body, TableCase } from "./table-case.ts";

const SERVICES = namespacedPath("", "services");
const address = (ip: string): Body => ({ ip });

/** Services, endpoints and ingresses. */
export const NETWORK: readonly TableCase[] = [
  tableCase(SERVICES, "plain", {
    spec: {
      selector: { app: "x", b: "c" },
      ports: [{ port: 80 }, { port: 53, protocol: "UDP", name: "dns" }].map((port, index) => ({
        name: `p${index}`,
        ...port,
      })),
    },
  }),
  tableCase(SERVICES, "headless", {
    spec: { clusterIP: "None", ports: [{ port: 80 }], externalIPs: ["192.0.2.1", "192.0.2.2"] },
  }),
  tableCase(SERVICES, "node-port", { spec: { type: "NodePort", ports: [{ port: 80, nodePort: 30_080 }] } }),
  tableCase(
    SERVICES,
    "balanced",
    { spec: { type: "LoadBalancer", ports: [{ port: 80, nodePort: 30_081 }] } },
    {
      loadBalancer: { ingress: [{ ip: "198.51.100.7" }, { hostname: "lb.example.com" }, { ip: "198.51.100.1" }] },
    },
  ),
  tableCase(SERVICES, "pending", { spec: { type: "LoadBalancer", ports: [{ port: 80, nodePort: 30_082 }] } }),
  tableCase(SERVICES, "elsewhere", { spec: { type: "ExternalName", externalName: "db.example.com" } }),
  tableCase(namespacedPath("", "endpoints"), "few", {
    subsets: [{ addresses: [address("10.0.0.1"), address("10.0.0.2")], ports: [{ port: 80 }] }],
  }),
  tableCase(namespacedPath("", "endpoints"), "many", {
    subsets: [
      {
        addresses: [address("10.0.0.1"), address("10.0.0.2")],
        ports: [
          { port: 80, name: "a" },
          { port: 81, name: "b" },
        ],
      },
      { addresses: [address("10.0.0.9")], ports: [{ port: 9 }] },
    ],
  }),
  tableCase(namespacedPath("", "endpoints"), "none"),
  tableCase(namespacedPath("discovery.k8s.io/v1", "endpointslices"), "slice", {
    addressType: "IPv4",
    endpoints: ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"].map((ip) => ({ addresses: [ip] })),
    ports: [{ name: "a", port: 80 }, { name: "b" }],
  }),
  tableCase(namespacedPath("discovery.k8s.io/v1", "endpointslices"), "bare", { addressType: "IPv4", endpoints: [] }),
  tableCase(
    namespacedPath("networking.k8s.io/v1", "ingresses"),
    "site",
    {
      spec: {
        ingressClassName: "nginx",
        tls: [{ hosts: ["a.example.com"] }],
        rules: ["a", "b", "", "c", "d"].map((host) => ({
          ...(host === "" ? {} : { host: `${host}.example.com` }),
          http: {
            paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } }],
          },
        })),
      },
    },
    { loadBalancer: { ingress: [{ ip: "198.51.100.7" }] } },
  ),
  tableCase(namespacedPath("networking.k8s.io/v1", "ingresses"), "default", {
    spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
  }),
  tableCase(clusterScopedPath("networking.k8s.io/v1", "ingressclasses"), "tables-nginx", {
    metadata: { annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
    spec: { controller: "example.com/c", parameters: { apiGroup: "example.com", kind: "Setting", name: "s" } },
  }),
  tableCase(namespacedPath("networking.k8s.io/v1", "networkpolicies"), "all", { spec: { podSelector: {} } }),
  tableCase(namespacedPath("networking.k8s.io/v1", "networkpolicies"), "some", { spec: { podSelector: SELECTOR } }),
];
