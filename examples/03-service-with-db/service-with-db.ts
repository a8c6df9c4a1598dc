import { ConfigMap, Deployment, hashJson, kind, s } from "@levelset/core";
import { child, childName, job, jobRecord, manager, operator, subresource, workload } from "@levelset/operator";
import databaseOperator, { Database } from "./database.ts";

/** A service with its own database. */
export const ServiceWithDB = kind({
  group: "examples.levelset.dev",
  version: "v1beta1",
  kind: "ServiceWithDB",
  shortNames: ["swd"],
  spec: s.object({
    image: s.string().min(1),
    replicas: s.int32().min(0).default(1),
    logLevel: s.enum("debug", "info", "error").default("info"),
    passwordSecret: s
      .string()
      .max(253)
      .pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
      .describe("Name of the Secret whose key `password` has the password of the database."),
    storageGiB: s.int32().min(1).immutable().default(1),
  }),
  status: s.object({
    databaseHost: s.string().optional(),
    migration: jobRecord.optional(),
    readyReplicas: s.int32().optional(),
  }),
  columns: { Image: ".spec.image", Replicas: ".status.readyReplicas" },
});

const database = subresource(ServiceWithDB, "Database", {
  condition: "DatabaseReady",
  kind: Database,
  protect: true, // it holds the data of the service
  desired: ({ name, spec }) => ({
    metadata: { name: childName(name, "db") },
    spec: { storageGiB: spec.storageGiB, passwordSecret: spec.passwordSecret },
  }),
  status: (req, { status }) => {
    req.status.databaseHost = status?.host;
  },
});

const config = child(ServiceWithDB, "Config", {
  condition: "ConfigReady",
  uses: [database],
  kind: ConfigMap,
  desired: (req) => ({
    metadata: { name: childName(req.name, "config") },
    data: { DATABASE_HOST: req.from(database).status?.host ?? "", LOG_LEVEL: req.spec.logLevel },
  }),
});

/** Returns the container that the pods of the service and of its migration have in common. */
function container(name: string, spec: { readonly image: string; readonly passwordSecret: string }) {
  const secretKeyRef = { name: spec.passwordSecret, key: "password" };
  return {
    name: "main",
    image: spec.image,
    envFrom: [{ configMapRef: { name: childName(name, "config") } }],
    env: [{ name: "DATABASE_PASSWORD", valueFrom: { secretKeyRef } }],
  };
}

const migrate = job(ServiceWithDB, "Migrate", {
  condition: "MigrationReady",
  statusField: "migration",
  desired: ({ name, spec }) => ({
    metadata: { name: childName(name, "migrate") },
    spec: {
      backoffLimit: 2,
      template: {
        spec: { restartPolicy: "Never", containers: [{ ...container(name, spec), args: ["migrate"] }] },
      },
    },
  }),
});

const deployment = workload(ServiceWithDB, "Deployment", {
  condition: "DeploymentReady",
  uses: [config],
  kind: Deployment,
  desired: (req) => {
    const { spec } = req;
    const name = childName(req.name);
    const labels = { app: name };
    // Pods read their environment at start-up: changed settings must change the template.
    const annotations = { "examples.levelset.dev/config-hash": hashJson(req.from(config).data) };
    return {
      metadata: { name },
      spec: {
        replicas: spec.replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels, annotations }, spec: { containers: [container(req.name, spec)] } },
      },
    };
  },
  status: (req, { status }) => {
    req.status.readyReplicas = status?.readyReplicas ?? 0;
  },
});

export const serviceOperator = operator(ServiceWithDB, [database, config, migrate, deployment]);

export default manager([serviceOperator, databaseOperator]);
