import { kind, s, Service, StatefulSet } from "@levelset/core";
import { child, childName, operator, workload } from "@levelset/operator";

/** A PostgreSQL server with its own volume. */
export const Database = kind({
  group: "examples.levelset.dev",
  version: "v1beta1",
  kind: "Database",
  spec: s.object({
    image: s.string().default("postgres:17"),
    storageGiB: s.int32().min(1).immutable().default(1),
    passwordSecret: s
      .string()
      .max(253)
      .pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
      .describe("Name of the Secret whose key `password` has the password of the user postgres."),
  }),
  status: s.object({ host: s.string().optional() }),
  columns: { Host: ".status.host" },
});

const address = child(Database, "Address", {
  kind: Service,
  desired: (req) => {
    const name = childName(req.name);
    return {
      metadata: { name },
      spec: { clusterIP: "None", selector: { database: name }, ports: [{ name: "postgres", port: 5432 }] },
    };
  },
});

const server = workload(Database, "Server", {
  condition: "ServerReady",
  kind: StatefulSet,
  desired: (req) => {
    const { spec } = req;
    const name = childName(req.name);
    const secretKeyRef = { name: spec.passwordSecret, key: "password" };
    const container = {
      name: "postgres",
      image: spec.image,
      env: [{ name: "POSTGRES_PASSWORD", valueFrom: { secretKeyRef } }],
      ports: [{ containerPort: 5432 }],
      volumeMounts: [{ name: "data", mountPath: "/var/lib/postgresql" }],
    };
    const storage = `${spec.storageGiB}Gi`;
    return {
      metadata: { name },
      spec: {
        serviceName: name,
        selector: { matchLabels: { database: name } },
        template: { metadata: { labels: { database: name } }, spec: { containers: [container] } },
        volumeClaimTemplates: [
          {
            metadata: { name: "data" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
          },
        ],
      },
    };
  },
  status: (req) => {
    req.status.host = `${childName(req.name)}.${req.namespace}.svc`;
  },
});

export default operator(Database, [address, server]);
