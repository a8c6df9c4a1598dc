import {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  Deployment,
  isJsonObject,
  isReady,
  Job,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
  StatefulSet,
} from "@levelset/core";
import type { AnyCustomKind, JsonValue } from "@levelset/core";
import { connect, staticCredentials, loadKubeconfig, policyRules } from "@levelset/operator";
import type { Connection, ManagedOperator } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import simple, { Simple } from "../../../examples/01-simple/simple.ts";
import rwExternal, { RWExternal } from "../../../examples/02-rwexternal/rwexternal.ts";
import databases, { Database } from "../../../examples/03-service-with-db/database.ts";
import { serviceOperator, ServiceWithDB } from "../../../examples/03-service-with-db/service-with-db.ts";
import { onRealCluster } from "../../support/real-cluster.ts";
import type { TestServer } from "../../support/test-server.ts";
import { setPodPhase } from "../../support/cluster/kubelet.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";
import { ServerCluster } from "../../support/cluster/server-cluster.ts";

const ACCOUNT = "operator";

/** Grants an account the declared permissions of operators in one namespace, and no others; returns its token. */
async function grant(cluster: Cluster, operators: readonly ManagedOperator[]): Promise<string> {
  const { namespace } = cluster;
  const rules = policyRules(operators, { namespaces: [namespace] });
  const subjects = [{ kind: "ServiceAccount" as const, name: ACCOUNT, namespace }];
  const apiGroup = "rbac.authorization.k8s.io";
  await cluster.create(ServiceAccount, { metadata: { name: ACCOUNT } });
  await cluster.client.create(ClusterRole, { metadata: { name: namespace }, rules: rules.cluster });
  const clusterRole = { apiGroup, kind: "ClusterRole" as const, name: namespace };
  await cluster.client.create(ClusterRoleBinding, { metadata: { name: namespace }, subjects, roleRef: clusterRole });
  for (const [where, granted] of Object.entries(rules.namespaced)) {
    const metadata = { namespace: where, name: ACCOUNT };
    await cluster.client.create(Role, { metadata, rules: granted });
    await cluster.client.create(RoleBinding, {
      metadata,
      subjects,
      roleRef: { apiGroup, kind: "Role", name: ACCOUNT },
    });
  }
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  return tokenIn(await cluster.client.post(ServiceAccount, cluster.at(ACCOUNT), "token", request));
}

function tokenIn(response: JsonValue): string {
  const status = isJsonObject(response) ? response["status"] : undefined;
  const token = isJsonObject(status) ? status["token"] : undefined;
  if (typeof token !== "string") throw new Error("the server returned no token");
  return token;
}

/** A cluster whose operators use an account with their declared permissions, and the list of rejected requests. */
async function open(
  target: TestServer,
  operators: readonly ManagedOperator[],
): Promise<AsyncDisposable & { readonly cluster: Cluster; readonly refused: readonly string[] }> {
  const refused: string[] = [];
  const account = Promise.withResolvers<Connection>();
  const cluster = await ServerCluster.connect(target, async (request) => {
    const response = await (await account.promise).fetch(request);
    if (response.status === 403) refused.push(`${request.method} ${new URL(request.url).pathname}`);
    return response;
  });
  const token = await grant(cluster, operators);
  const access = await loadKubeconfig(target.kubeconfig);
  const connection = connect({ ...access, credentials: staticCredentials({ token }) });
  account.resolve(connection);
  const close = async (): Promise<void> => {
    await cluster[Symbol.asyncDispose]();
    await connection.close();
  };
  return { cluster, refused, [Symbol.asyncDispose]: close };
}

/** Simulates the pods of an example, if any, until it is ready. */
async function untilReady(cluster: Cluster, kind: AnyCustomKind, generation: number): Promise<void> {
  await cluster.eventually(`${kind.kind} a is ready`, async () => {
    await setPodPhase(cluster, "job-name", 0, "Succeeded");
    await setPodPhase(cluster, "!job-name", 0, "Running");
    const object = await cluster.find(kind, "a");
    return object !== undefined && isReady(object, generation) ? object : undefined;
  });
}

interface Example {
  readonly operators: readonly ManagedOperator[];
  readonly kind: AnyCustomKind;
  readonly create: (cluster: Cluster) => Promise<unknown>;
  readonly update: (cluster: Cluster) => Promise<unknown>;
  /** Objects that must be gone with the owner. */
  readonly orphans: (cluster: Cluster) => Promise<unknown>;
}

const EXAMPLES: readonly Example[] = [
  {
    operators: [simple],
    kind: Simple,
    create: (cluster) => cluster.create(Simple, { metadata: { name: "a" }, spec: { dividend: 10, divisor: 5 } }),
    update: (cluster) => cluster.patch(Simple, "a", { spec: { divisor: 2 } }),
    orphans: async () => {},
  },
  {
    operators: [rwExternal],
    kind: RWExternal,
    create: async (cluster) => {
      await cluster.create(Secret, { metadata: { name: "one" }, stringData: { dividend: "10", divisor: "5" } });
      await cluster.create(Secret, { metadata: { name: "two" }, stringData: { dividend: "10", divisor: "2" } });
      await cluster.create(RWExternal, { metadata: { name: "a" }, spec: { inputSecret: "one" } });
    },
    update: (cluster) => cluster.patch(RWExternal, "a", { spec: { inputSecret: "two" } }),
    orphans: (cluster) => cluster.untilDeleted(Secret, "a"),
  },
  {
    operators: [serviceOperator, databases],
    kind: ServiceWithDB,
    create: (cluster) =>
      cluster.create(ServiceWithDB, { metadata: { name: "a" }, spec: { image: "shop:1", passwordSecret: "key" } }),
    update: (cluster) => cluster.patch(ServiceWithDB, "a", { spec: { image: "shop:2", logLevel: "debug" } }),
    orphans: async (cluster) => {
      // The garbage collector discovers new kinds every half minute.
      await cluster.untilDeleted(Database, "a-db", 5_000);
      await cluster.untilDeleted(StatefulSet, "a-db");
      await cluster.untilDeleted(Deployment, "a");
      await cluster.untilDeleted(Job, "a-migrate");
      await cluster.untilDeleted(ConfigMap, "a-config");
    },
  },
];

await onRealCluster("permissions of the examples", (start) => {
  describe("with the permissions derived from its declarations, and no others", () => {
    test("every example creates, updates and cleans up, without a rejected request", async () => {
      await using target = await start({ controllerManager: true });
      for (const { operators, kind, create, update, orphans } of EXAMPLES) {
        await using opened = await open(target, operators);
        const { cluster, refused } = opened;
        await cluster.run(...operators);
        await create(cluster);
        await untilReady(cluster, kind, 1);
        await update(cluster);
        await untilReady(cluster, kind, 2);
        await cluster.delete(kind, "a");
        await cluster.untilDeleted(kind, "a", 10_000);
        await orphans(cluster);
        expect(refused).toEqual([]);
      }
    });
  });
});
