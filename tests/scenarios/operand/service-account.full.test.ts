import { readFile } from "node:fs/promises";
import {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  isJsonObject,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
} from "@levelset/core";
import type { JsonValue, PolicyRule } from "@levelset/core";
import { connect, loadKubeconfig, Operand, staticCredentials } from "@levelset/operator";
import type { Connection } from "@levelset/operator";
import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { ROOT } from "../../support/repository.ts";
import { onRealCluster } from "../../support/real-cluster.ts";
import type { TestServer } from "../../support/test-server.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";
import { ServerCluster } from "../../support/cluster/server-cluster.ts";
import { config } from "./manifests.ts";
import { createOperand, hasCondition, operandName, start, until, untilReady, updateOperand } from "./operands.ts";

const API_GROUP = "rbac.authorization.k8s.io";

/** Returns the rules of the operator's ClusterRole in the reference documentation. */
async function documentedRules(): Promise<readonly PolicyRule[]> {
  const page = await readFile(`${ROOT}/docs/reference/operand.md`, "utf8");
  const [, text = ""] = /```yaml\n(apiVersion: rbac[^`]*)```/u.exec(page) ?? [];
  const [role] = loadAll(text) as readonly { readonly rules: readonly PolicyRule[] }[]; // checked by the server
  return role?.rules ?? [];
}

async function tokenOf(cluster: Cluster, account: string): Promise<string> {
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const response: JsonValue = await cluster.client.post(ServiceAccount, cluster.at(account), "token", request);
  const status = isJsonObject(response) ? response["status"] : undefined;
  const token = isJsonObject(status) ? status["token"] : undefined;
  if (typeof token !== "string") throw new Error("the server returned no token");
  return token;
}

const rule = (resource: string): PolicyRule => ({
  apiGroups: [""],
  resources: [resource],
  verbs: ["get", "create", "patch", "delete"],
});

/** Opens a cluster whose operators have the documented rights and no others. */
async function open(server: TestServer): Promise<AsyncDisposable & { readonly cluster: Cluster }> {
  const own = Promise.withResolvers<Connection>();
  const cluster = await ServerCluster.connect(server, async (request) => (await own.promise).fetch(request));
  const { namespace } = cluster;
  for (const name of ["operator", "installer"]) await cluster.create(ServiceAccount, { metadata: { name } });
  const bind = (name: string) => [{ kind: "ServiceAccount" as const, name, namespace }];
  await cluster.client.create(ClusterRole, { metadata: { name: namespace }, rules: await documentedRules() });
  await cluster.client.create(ClusterRoleBinding, {
    metadata: { name: namespace },
    subjects: bind("operator"),
    roleRef: { apiGroup: API_GROUP, kind: "ClusterRole", name: namespace },
  });
  await cluster.create(Role, { metadata: { name: "installer" }, rules: [rule("configmaps")] });
  await cluster.create(RoleBinding, {
    metadata: { name: "installer" },
    subjects: bind("installer"),
    roleRef: { apiGroup: API_GROUP, kind: "Role", name: "installer" },
  });
  const access = await loadKubeconfig(server.kubeconfig);
  const connection = connect({
    ...access,
    credentials: staticCredentials({ token: await tokenOf(cluster, "operator") }),
  });
  own.resolve(connection);
  const close = async (): Promise<void> => {
    await cluster[Symbol.asyncDispose]();
    await connection.close();
  };
  return { cluster, [Symbol.asyncDispose]: close };
}

await onRealCluster("an Operand with a service account on kube-apiserver", (startServer) => {
  test("has the rights of its account, and its operators need no more than the documented ones", async () => {
    await using server = await startServer({ controllerManager: true });
    await using opened = await open(server);
    const { cluster } = opened;
    const { namespace } = cluster;
    const user = `system:serviceaccount:${namespace}:installer`;
    await start(cluster);
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace }, stringData: { a: "1" } };
    await createOperand(cluster, {
      serviceAccountName: "installer",
      serviceAccountNamespace: namespace,
      steadyState: [config(namespace, "a"), secret],
    });
    const failed = await until(cluster, ({ status }) => status?.phase === "Failed", "a", 20_000);
    expect(failed.status?.failing).toMatchObject([{ kind: "Secret", name: "s", reason: "Forbidden" }]);
    expect(await cluster.find(ConfigMap, "a")).toBeDefined();
    expect(await cluster.find(Secret, "s")).toBeUndefined();

    await cluster.client.mergePatch(Role, cluster.at("installer"), {
      rules: [rule("configmaps"), rule("secrets")],
    });
    await untilReady(cluster);
    expect(await cluster.find(Secret, "s")).toBeDefined();

    await cluster.client.mergePatch(Role, cluster.at("installer"), { rules: [rule("secrets")] });
    await updateOperand(cluster, { steadyState: [secret] });
    const isBlocked = hasCondition("LatestActiveOperandReady", "Unknown", "PruneBlocked");
    const blocked = await until(cluster, isBlocked, "a", 20_000);
    expect(JSON.stringify(blocked.status?.conditions)).toContain(
      `User \\"${user}\\" cannot get resource \\"configmaps\\"`,
    );
    expect(await cluster.find(ConfigMap, "a")).toBeDefined();

    await cluster.client.mergePatch(Role, cluster.at("installer"), {
      rules: [rule("configmaps"), rule("secrets")],
    });
    await cluster.untilDeleted(ConfigMap, "a", 60_000);
    await untilReady(cluster);
    await cluster.delete(Operand, operandName(cluster));
    await cluster.untilDeleted(Operand, operandName(cluster), 60_000);
    expect(await cluster.find(Secret, "s")).toBeUndefined();
  });
});
