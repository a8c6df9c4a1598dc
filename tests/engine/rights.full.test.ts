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
import { connect, fixedCredentials, loadKubeconfig, policyRules } from "@levelset/operator";
import type { Managed } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import simple, { Simple } from "../../examples/01-simple/simple.ts";
import rwExternal, { RWExternal } from "../../examples/02-rwexternal/rwexternal.ts";
import databases, { Database } from "../../examples/03-service-with-db/database.ts";
import { serviceOperator, ServiceWithDB } from "../../examples/03-service-with-db/service-with-db.ts";
import { onRealCluster } from "../support/real-cluster.ts";
import type { Target } from "../support/target.ts";
import { eventually, tellPods } from "./kubelet.ts";
import { realPlace } from "./place.ts";
import { Stage } from "./stage.ts";
import type { Place } from "./stage.ts";

const ACCOUNT = "operator";

/** Gives an account what operators declare that they need in one namespace, and nothing else; answers with its token. */
async function grant(stage: Stage, operators: readonly Managed[]): Promise<string> {
  const { namespace } = stage.place;
  const rules = policyRules(operators, { namespaces: [namespace] });
  const subjects = [{ kind: "ServiceAccount" as const, name: ACCOUNT, namespace }];
  const apiGroup = "rbac.authorization.k8s.io";
  await stage.create(ServiceAccount, { metadata: { name: ACCOUNT } });
  await stage.client.create(ClusterRole, { metadata: { name: namespace }, rules: rules.cluster });
  const clusterRole = { apiGroup, kind: "ClusterRole" as const, name: namespace };
  await stage.client.create(ClusterRoleBinding, { metadata: { name: namespace }, subjects, roleRef: clusterRole });
  for (const [where, granted] of Object.entries(rules.namespaced)) {
    const metadata = { namespace: where, name: ACCOUNT };
    await stage.client.create(Role, { metadata, rules: granted });
    await stage.client.create(RoleBinding, { metadata, subjects, roleRef: { apiGroup, kind: "Role", name: ACCOUNT } });
  }
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  return tokenIn(await stage.client.post(ServiceAccount, stage.at(ACCOUNT), "token", request));
}

function tokenIn(answer: JsonValue): string {
  const status = isJsonObject(answer) ? answer["status"] : undefined;
  const token = isJsonObject(status) ? status["token"] : undefined;
  if (typeof token !== "string") throw new Error("the server gave no token");
  return token;
}

/** A stage whose operators act as an account with their declared rights, and all that was refused to them. */
async function open(
  target: Target,
  operators: readonly Managed[],
): Promise<{ readonly stage: Stage; readonly refused: readonly string[] }> {
  const place = await realPlace(target);
  const token = await grant(new Stage(place), operators);
  const access = await loadKubeconfig(target.kubeconfig);
  const connection = connect({ ...access, credentials: fixedCredentials({ token }) });
  const refused: string[] = [];
  const stop = new AbortController();
  const running: Promise<void>[] = [];
  const restricted: Place = {
    ...place,
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
      await place[Symbol.asyncDispose]();
    },
  };
  return { stage: new Stage(restricted), refused };
}

/** The pods that an example brings along come to life, as far as there are any, until it is ready. */
async function untilReady(stage: Stage, kind: AnyCustomKind, generation: number): Promise<void> {
  await eventually(stage, `${kind.kind} a is ready`, async () => {
    await tellPods(stage, "job-name", 0, "Succeeded");
    await tellPods(stage, "!job-name", 0, "Running");
    const object = await stage.find(kind, "a");
    return object !== undefined && isReady(object, generation) ? object : undefined;
  });
}

interface Example {
  readonly operators: readonly Managed[];
  readonly kind: AnyCustomKind;
  readonly create: (stage: Stage) => Promise<unknown>;
  readonly update: (stage: Stage) => Promise<unknown>;
  /** What must be gone with the object. */
  readonly orphans: (stage: Stage) => Promise<unknown>;
}

const EXAMPLES: readonly Example[] = [
  {
    operators: [simple],
    kind: Simple,
    create: (stage) => stage.create(Simple, { metadata: { name: "a" }, spec: { dividend: 10, divisor: 5 } }),
    update: (stage) => stage.patch(Simple, "a", { spec: { divisor: 2 } }),
    orphans: async () => {},
  },
  {
    operators: [rwExternal],
    kind: RWExternal,
    create: async (stage) => {
      await stage.create(Secret, { metadata: { name: "one" }, stringData: { dividend: "10", divisor: "5" } });
      await stage.create(Secret, { metadata: { name: "two" }, stringData: { dividend: "10", divisor: "2" } });
      await stage.create(RWExternal, { metadata: { name: "a" }, spec: { inputSecret: "one" } });
    },
    update: (stage) => stage.patch(RWExternal, "a", { spec: { inputSecret: "two" } }),
    orphans: (stage) => stage.gone(Secret, "a"),
  },
  {
    operators: [serviceOperator, databases],
    kind: ServiceWithDB,
    create: (stage) =>
      stage.create(ServiceWithDB, { metadata: { name: "a" }, spec: { image: "shop:1", passwordSecret: "key" } }),
    update: (stage) => stage.patch(ServiceWithDB, "a", { spec: { image: "shop:2", logLevel: "debug" } }),
    orphans: async (stage) => {
      // The garbage collector looks for new kinds every half minute.
      await stage.gone(Database, "a-db", 5_000);
      await stage.gone(StatefulSet, "a-db");
      await stage.gone(Deployment, "a");
      await stage.gone(Job, "a-migrate");
      await stage.gone(ConfigMap, "a-config");
    },
  },
];

await onRealCluster("rights of the examples", (start) => {
  describe("with the rights that follow from its declarations, and no others", () => {
    test("every example creates, updates and cleans up, and is never refused", { timeout: 180_000 }, async () => {
      await using target = await start({ controllerManager: true });
      for (const { operators, kind, create, update, orphans } of EXAMPLES) {
        const { stage, refused } = await open(target, operators);
        await using disposed = stage;
        await disposed.run(...operators);
        await create(stage);
        await untilReady(stage, kind, 1);
        await update(stage);
        await untilReady(stage, kind, 2);
        await stage.delete(kind, "a");
        await stage.gone(kind, "a", 10_000);
        await orphans(stage);
        expect(refused).toEqual([]);
      }
    });
  });
});
