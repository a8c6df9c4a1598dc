import {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  Deployment,
  isJsonObject,
  isReady,
  Job,
  realClock,
  realRandom,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
  silentLogger,
  StatefulSet,
} from "@levelset/core";
import type { AnyCustomKind, JsonValue } from "@levelset/core";
import { connect, staticCredentials, loadKubeconfig, policyRules } from "@levelset/operator";
import type { ManagedOperator } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import simple, { Simple } from "../../../examples/01-simple/simple.ts";
import rwExternal, { RWExternal } from "../../../examples/02-rwexternal/rwexternal.ts";
import databases, { Database } from "../../../examples/03-service-with-db/database.ts";
import { serviceOperator, ServiceWithDB } from "../../../examples/03-service-with-db/service-with-db.ts";
import { onRealCluster } from "../../support/real-cluster.ts";
import type { TestServer } from "../../support/test-server.ts";
import { eventually, setPodPhase } from "../../support/cluster/kubelet.ts";
import { realEnvironment } from "../../support/cluster/environments.ts";
import { Harness } from "../../support/cluster/harness.ts";
import type { TestEnvironment } from "../../support/cluster/harness.ts";

const ACCOUNT = "operator";

/** Grants an account the declared permissions of operators in one namespace, and no others; returns its token. */
async function grant(harness: Harness, operators: readonly ManagedOperator[]): Promise<string> {
  const { namespace } = harness.environment;
  const rules = policyRules(operators, { namespaces: [namespace] });
  const subjects = [{ kind: "ServiceAccount" as const, name: ACCOUNT, namespace }];
  const apiGroup = "rbac.authorization.k8s.io";
  await harness.create(ServiceAccount, { metadata: { name: ACCOUNT } });
  await harness.client.create(ClusterRole, { metadata: { name: namespace }, rules: rules.cluster });
  const clusterRole = { apiGroup, kind: "ClusterRole" as const, name: namespace };
  await harness.client.create(ClusterRoleBinding, { metadata: { name: namespace }, subjects, roleRef: clusterRole });
  for (const [where, granted] of Object.entries(rules.namespaced)) {
    const metadata = { namespace: where, name: ACCOUNT };
    await harness.client.create(Role, { metadata, rules: granted });
    await harness.client.create(RoleBinding, {
      metadata,
      subjects,
      roleRef: { apiGroup, kind: "Role", name: ACCOUNT },
    });
  }
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  return tokenIn(await harness.client.post(ServiceAccount, harness.at(ACCOUNT), "token", request));
}

function tokenIn(response: JsonValue): string {
  const status = isJsonObject(response) ? response["status"] : undefined;
  const token = isJsonObject(status) ? status["token"] : undefined;
  if (typeof token !== "string") throw new Error("the server returned no token");
  return token;
}

/** A harness whose operators use an account with their declared permissions, and the list of rejected requests. */
async function open(
  target: TestServer,
  operators: readonly ManagedOperator[],
): Promise<{ readonly stage: Harness; readonly refused: readonly string[] }> {
  const environment = await realEnvironment(target);
  const token = await grant(new Harness(environment), operators);
  const access = await loadKubeconfig(target.kubeconfig);
  const connection = connect({ ...access, credentials: staticCredentials({ token }) });
  const refused: string[] = [];
  const stop = new AbortController();
  const running: Promise<void>[] = [];
  const restricted: TestEnvironment = {
    ...environment,
    start: (runnable) => {
      const fetch = async (request: Request): Promise<Response> => {
        const response = await connection.fetch(request);
        if (response.status === 403) refused.push(`${request.method} ${new URL(request.url).pathname}`);
        return response;
      };
      const world = { fetch, clock: realClock, random: realRandom, logger: silentLogger, signal: stop.signal };
      running.push(runnable.start(world));
      return { name: runnable.name, stop: async () => stop.abort() };
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await Promise.all(running);
      await connection.close();
      await environment[Symbol.asyncDispose]();
    },
  };
  return { stage: new Harness(restricted), refused };
}

/** Simulates the pods of an example, if any, until it is ready. */
async function untilReady(harness: Harness, kind: AnyCustomKind, generation: number): Promise<void> {
  await eventually(harness, `${kind.kind} a is ready`, async () => {
    await setPodPhase(harness, "job-name", 0, "Succeeded");
    await setPodPhase(harness, "!job-name", 0, "Running");
    const object = await harness.find(kind, "a");
    return object !== undefined && isReady(object, generation) ? object : undefined;
  });
}

interface Example {
  readonly operators: readonly ManagedOperator[];
  readonly kind: AnyCustomKind;
  readonly create: (harness: Harness) => Promise<unknown>;
  readonly update: (harness: Harness) => Promise<unknown>;
  /** Objects that must be gone with the owner. */
  readonly orphans: (harness: Harness) => Promise<unknown>;
}

const EXAMPLES: readonly Example[] = [
  {
    operators: [simple],
    kind: Simple,
    create: (harness) => harness.create(Simple, { metadata: { name: "a" }, spec: { dividend: 10, divisor: 5 } }),
    update: (harness) => harness.patch(Simple, "a", { spec: { divisor: 2 } }),
    orphans: async () => {},
  },
  {
    operators: [rwExternal],
    kind: RWExternal,
    create: async (harness) => {
      await harness.create(Secret, { metadata: { name: "one" }, stringData: { dividend: "10", divisor: "5" } });
      await harness.create(Secret, { metadata: { name: "two" }, stringData: { dividend: "10", divisor: "2" } });
      await harness.create(RWExternal, { metadata: { name: "a" }, spec: { inputSecret: "one" } });
    },
    update: (harness) => harness.patch(RWExternal, "a", { spec: { inputSecret: "two" } }),
    orphans: (harness) => harness.untilDeleted(Secret, "a"),
  },
  {
    operators: [serviceOperator, databases],
    kind: ServiceWithDB,
    create: (harness) =>
      harness.create(ServiceWithDB, { metadata: { name: "a" }, spec: { image: "shop:1", passwordSecret: "key" } }),
    update: (harness) => harness.patch(ServiceWithDB, "a", { spec: { image: "shop:2", logLevel: "debug" } }),
    orphans: async (harness) => {
      // The garbage collector discovers new kinds every half minute.
      await harness.untilDeleted(Database, "a-db", 5_000);
      await harness.untilDeleted(StatefulSet, "a-db");
      await harness.untilDeleted(Deployment, "a");
      await harness.untilDeleted(Job, "a-migrate");
      await harness.untilDeleted(ConfigMap, "a-config");
    },
  },
];

await onRealCluster("permissions of the examples", (start) => {
  describe("with the permissions derived from its declarations, and no others", () => {
    test("every example creates, updates and cleans up, without a rejected request", { timeout: 180_000 }, async () => {
      await using target = await start({ controllerManager: true });
      for (const { operators, kind, create, update, orphans } of EXAMPLES) {
        const { stage: harness, refused } = await open(target, operators);
        await using disposed = harness;
        await disposed.run(...operators);
        await create(harness);
        await untilReady(harness, kind, 1);
        await update(harness);
        await untilReady(harness, kind, 2);
        await harness.delete(kind, "a");
        await harness.untilDeleted(kind, "a", 10_000);
        await orphans(harness);
        expect(refused).toEqual([]);
      }
    });
  });
});
