import { global, placed, SELECTOR, shown } from "./shown.ts";
import type { Body, Shown } from "./shown.ts";

const SERVICES = placed("", "services");
const address = (ip: string): Body => ({ ip });

/** Services, what is behind them and what leads to them. */
export const NETWORK: readonly Shown[] = [
  shown(SERVICES, "plain", {
    spec: {
      selector: { app: "x", b: "c" },
      ports: [{ port: 80 }, { port: 53, protocol: "UDP", name: "dns" }].map((port, index) => ({
        name: `p${index}`,
        ...port,
      })),
    },
  }),
  shown(SERVICES, "headless", {
    spec: { clusterIP: "None", ports: [{ port: 80 }], externalIPs: ["192.0.2.1", "192.0.2.2"] },
  }),
  shown(SERVICES, "node-port", { spec: { type: "NodePort", ports: [{ port: 80, nodePort: 30_080 }] } }),
  shown(
    SERVICES,
    "balanced",
    { spec: { type: "LoadBalancer", ports: [{ port: 80, nodePort: 30_081 }] } },
    {
      loadBalancer: { ingress: [{ ip: "198.51.100.7" }, { hostname: "lb.example.com" }, { ip: "198.51.100.1" }] },
    },
  ),
  shown(SERVICES, "pending", { spec: { type: "LoadBalancer", ports: [{ port: 80, nodePort: 30_082 }] } }),
  shown(SERVICES, "elsewhere", { spec: { type: "ExternalName", externalName: "db.example.com" } }),
  shown(placed("", "endpoints"), "few", {
    subsets: [{ addresses: [address("10.0.0.1"), address("10.0.0.2")], ports: [{ port: 80 }] }],
  }),
  shown(placed("", "endpoints"), "many", {
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
  shown(placed("", "endpoints"), "none"),
  shown(placed("discovery.k8s.io/v1", "endpointslices"), "slice", {
    addressType: "IPv4",
    endpoints: ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"].map((ip) => ({ addresses: [ip] })),
    ports: [{ name: "a", port: 80 }, { name: "b" }],
  }),
  shown(placed("discovery.k8s.io/v1", "endpointslices"), "bare", { addressType: "IPv4", endpoints: [] }),
  shown(
    placed("networking.k8s.io/v1", "ingresses"),
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
  shown(placed("networking.k8s.io/v1", "ingresses"), "default", {
    spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
  }),
  shown(global("networking.k8s.io/v1", "ingressclasses"), "tables-nginx", {
    metadata: { annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
    spec: { controller: "example.com/c", parameters: { apiGroup: "example.com", kind: "Setting", name: "s" } },
  }),
  shown(placed("networking.k8s.io/v1", "networkpolicies"), "all", { spec: { podSelector: {} } }),
  shown(placed("networking.k8s.io/v1", "networkpolicies"), "some", { spec: { podSelector: SELECTOR } }),
];
