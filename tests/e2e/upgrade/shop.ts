import { ConfigMap, Deployment, kind, Namespace, PersistentVolumeClaim, s, Secret, Service } from "@levelset/core";
import {
  child,
  input,
  job,
  jobRecord,
  manager,
  ok,
  operator,
  step,
  subresource,
  subresources,
  workload,
} from "@levelset/operator";
import type { Manager } from "@levelset/operator";
import type { DurableCluster } from "./durable-cluster.ts";

/*
 * An operator with every generic step that creates children. The children are in the fixtures of every version, so a
 * change here causes writes to recorded objects: add a kind or a step instead of changing one.
 */

/** A sub custom resource. */
export const Part = kind({
  group: "upgrade.levelset.dev",
  version: "v1",
  kind: "Part",
  spec: s.object({ size: s.int32().default(1) }),
  status: s.object({ size: s.int32().optional() }),
});

/** The owner of all children. */
export const Shop = kind({
  group: "upgrade.levelset.dev",
  version: "v1",
  kind: "Shop",
  shortNames: ["sh"],
  spec: s.object({
    replicas: s.int32().min(0).default(1),
    image: s.string().min(1),
    passwordSecret: s.string(),
    parts: s.array(s.string()).default([]),
  }),
  status: s.object({ migration: jobRecord.optional(), readyReplicas: s.int32().optional() }),
  columns: { Image: ".spec.image" },
});

const parts = operator(Part, [
  step(Part, "Measure", {
    do: async (req) => {
      req.status.size = req.spec.size;
      return ok();
    },
  }),
]);

const password = input(Shop, "Password", {
  condition: "PasswordReady",
  secret: ({ spec }) => spec.passwordSecret,
  keys: { password: s.text() },
});

const settings = child(Shop, "Settings", {
  condition: "SettingsReady",
  kind: ConfigMap,
  desired: ({ name, spec }) => ({ metadata: { name: `${name}-settings` }, data: { image: spec.image } }),
});

const credentials = child(Shop, "Credentials", {
  uses: [password],
  kind: Secret,
  desired: (req) => ({
    metadata: { name: `${req.name}-credentials` },
    stringData: { password: req.from(password).password },
  }),
});

const volume = child(Shop, "Volume", {
  kind: PersistentVolumeClaim,
  protect: true,
  desired: ({ name }) => ({
    metadata: { name: `${name}-data` },
    spec: { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } },
  }),
});

/** A cluster-scoped child cannot have an owner reference to a namespaced object. */
const annex = child(Shop, "Annex", {
  kind: Namespace,
  owned: false,
  desired: ({ name }) => ({ metadata: { name: `${name}-annex` } }),
});

/** A child in another namespace. */
const branch = child(Shop, "Branch", {
  uses: [annex],
  kind: ConfigMap,
  owned: false,
  desired: (req) => ({
    metadata: { name: "branch", namespace: req.from(annex).metadata.name },
    data: { of: req.name },
  }),
});

/** Adopts an existing object as its child. */
const door = child(Shop, "Door", {
  kind: Service,
  adopt: true,
  desired: ({ name }) => ({ metadata: { name }, spec: { selector: { app: name }, ports: [{ port: 80 }] } }),
});

const ledger = subresource(Shop, "Ledger", {
  condition: "LedgerReady",
  kind: Part,
  protect: true,
  desired: ({ name }) => ({ metadata: { name: `${name}-ledger` }, spec: { size: 2 } }),
});

const shelves = subresources(Shop, "Shelves", {
  kind: Part,
  desired: ({ name, spec }) => spec.parts.map((part) => ({ metadata: { name: `${name}-${part}` }, spec: { size: 1 } })),
});

const migrate = job(Shop, "Migrate", {
  condition: "MigrationReady",
  statusField: "migration",
  desired: ({ name, spec }) => ({
    metadata: { name: `${name}-migrate` },
    spec: {
      backoffLimit: 0,
      template: {
        spec: { restartPolicy: "Never", containers: [{ name: "main", image: spec.image, args: ["migrate"] }] },
      },
    },
  }),
});

const server = workload(Shop, "Server", {
  condition: "ServerReady",
  kind: Deployment,
  desired: ({ name, spec }) => {
    const labels = { app: name };
    const containers = [{ name: "main", image: spec.image }];
    return {
      metadata: { name },
      spec: {
        replicas: spec.replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    };
  },
  status: (req, { status }) => {
    req.status.readyReplicas = status?.readyReplicas ?? 0;
  },
});

const shops = operator(Shop, [
  password,
  settings,
  credentials,
  volume,
  annex,
  branch,
  door,
  ledger,
  shelves,
  migrate,
  server,
]);

/** Returns a manager with both operators and one lease. */
export function shopManager(identity: string): Manager {
  return manager([shops, parts], { leaderElection: { namespace: "default", name: "shops", identity } });
}

/** Creates shops: one that becomes Ready, and one that waits for its Secret. */
export async function openShops({ client }: DurableCluster): Promise<void> {
  const at = (name: string) => ({ namespace: "default", name });
  await client.create(Service, { metadata: at("corner"), spec: { ports: [{ port: 80 }] } });
  await client.create(Secret, { metadata: at("corner-password"), stringData: { password: "example" } });
  const image = "registry.example/shop:1";
  const spec = { image, passwordSecret: "corner-password", parts: ["left", "right"] };
  await client.create(Shop, { metadata: at("corner"), spec });
  await client.create(Shop, { metadata: at("waiting"), spec: { image, passwordSecret: "waiting-password" } });
}
