import { ConfigMap, findCondition, Secret, StatusError } from "@levelset/core";
import type { EmbeddedObject, JsonObject } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Client, Discovery } from "../client/index.ts";
import { ClusterActiveOperand, Operand, operandManager, planOperand } from "./index.ts";
import { AccountGuard } from "./service-account.fixture.ts";

const ACCOUNT = { serviceAccountNamespace: "shop", serviceAccountName: "installer" };
const USER = "system:serviceaccount:shop:installer";
const metadata = (name: string): JsonObject & { readonly name: string } => ({ name, namespace: "default" });
const MODE = "operand.levelset.dev/mode";
const ENSURE = { [MODE]: "EnsureExists" };
const config = (name: string, value = "1"): EmbeddedObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: metadata(name),
  data: { value },
});
const secret = (value: string): EmbeddedObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: metadata("s"),
  stringData: { value },
});

async function apply(cluster: TestCluster, spec: JsonObject, name = "shop"): Promise<void> {
  await cluster.apply(Operand, { name, spec });
}

async function names(cluster: TestCluster): Promise<readonly string[]> {
  const all = await cluster.list(ConfigMap, "default");
  return all.map((one) => one.metadata.name).filter((name) => name !== "kube-root-ca.crt");
}

/** Longer than any retry delay. */
const RETRIED_MS = 600_000;

describe("an Operand with a service account", () => {
  test("sends every request about an object of its set as that account, in its whole life", async () => {
    await using cluster = await testCluster();
    const guard = new AccountGuard();
    await cluster.create(ConfigMap, { name: "adopted", data: { value: "theirs" } });
    cluster.run(guard.wrap(operandManager()));
    const kept = { ...config("kept"), metadata: { ...metadata("kept"), annotations: ENSURE } };
    await apply(cluster, {
      ...ACCOUNT,
      steadyState: [config("a"), config("adopted"), kept],
      postInstall: [config("b")],
    });
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    await cluster.patch(ConfigMap, "a", { data: { value: "edited" }, metadata: { ownerReferences: [] } });
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    await cluster.patch(ConfigMap, "b", { metadata: { ownerReferences: [] } });
    await cluster.untilIdle();
    await apply(cluster, { ...ACCOUNT, steadyState: [config("a")], postInstall: [] });
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(await names(cluster)).toEqual(["a"]);
    await cluster.delete(Operand, "shop");
    await cluster.untilDeleted(Operand, "shop");
    expect(await names(cluster)).toEqual([]);
    expect(guard.users).toEqual(new Set([USER]));
    expect(new Set(guard.requests.map(({ verb }) => verb))).toEqual(new Set(["get", "patch", "delete"]));
  });

  test("applies what the account may write, and names the rest; more rights take effect without a change", async () => {
    await using cluster = await testCluster();
    const guard = new AccountGuard();
    guard.allows = ({ resource }) => resource !== "secrets";
    cluster.run(guard.wrap(operandManager()));
    await apply(cluster, { ...ACCOUNT, steadyState: [config("a"), secret("x")] });
    const failed = await cluster.untilSettled(Operand, "shop");
    expect(failed.status?.failing).toMatchObject([
      { kind: "Secret", name: "s", reason: "Forbidden", message: expect.stringContaining("shop/installer") },
    ]);
    expect(await names(cluster)).toEqual(["a"]);
    expect(await cluster.get(Secret, "s")).toBeUndefined();
    guard.allows = () => true;
    await cluster.clock.advance(RETRIED_MS);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(guard.users).toEqual(new Set([USER]));
  });

  test("neither reads nor adopts an object of another Operand without rights on it", async () => {
    await using cluster = await testCluster();
    const guard = new AccountGuard();
    guard.allows = ({ resource }) => resource !== "secrets";
    cluster.run(guard.wrap(operandManager()));
    await apply(cluster, { steadyState: [secret("x")] }, "owner");
    expect(await cluster.untilSettled(Operand, "owner")).toBeReady();
    const before = await cluster.get(Secret, "s");
    const health = [{ group: "", kind: "Secret", ready: "has(self.data.value)" }];
    for (const mode of ["Reconcile", "EnsureExists"]) {
      const named = { ...secret("y"), metadata: { ...metadata("s"), annotations: { [MODE]: mode } } };
      await apply(cluster, { ...ACCOUNT, health, adoption: "Always", steadyState: [named] });
      const { status } = await cluster.untilSettled(Operand, "shop");
      expect(status?.failing).toMatchObject([{ kind: "Secret", name: "s", reason: "Forbidden" }]);
      expect(status?.counts).toMatchObject({ applied: 0, ready: 0 });
    }
    expect(await cluster.get(Secret, "s")).toEqual(before);
    await cluster.delete(Operand, "shop");
    await cluster.clock.advance(RETRIED_MS);
    expect(await cluster.get(Secret, "s")).toEqual(before);
  });

  test.for(["get", "delete"])("that lost the right to %s blocks a prune, and names account and verb", async (verb) => {
    await using cluster = await testCluster();
    const guard = new AccountGuard();
    cluster.run(guard.wrap(operandManager()));
    await apply(cluster, { ...ACCOUNT, steadyState: [config("a"), config("b")] });
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    guard.allows = (request) => request.verb !== verb;
    await apply(cluster, { ...ACCOUNT, steadyState: [config("a")] });
    await cluster.untilIdle();
    const blocked = await cluster.list(ClusterActiveOperand);
    const conditions = blocked.flatMap(({ status }) => findCondition(status?.conditions, "Pruned") ?? []);
    const message = expect.stringMatching(new RegExp(`configmap/. .*User "${USER}" cannot ${verb} resource`, "u"));
    expect(conditions).toContainEqual(expect.objectContaining({ status: "False", reason: "PruneBlocked", message }));
    expect(await names(cluster)).toEqual(["a", "b"]);
    // Another account takes over, also for what the first one applied.
    guard.allows = ({ user }) => user !== USER;
    await apply(cluster, { ...ACCOUNT, serviceAccountName: "other", steadyState: [config("a")] });
    await cluster.clock.advance(RETRIED_MS);
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    expect(await names(cluster)).toEqual(["a"]);
    expect(guard.users).toEqual(new Set([USER, USER.replace("installer", "other")]));
  });

  test("that lost its rights blocks the deletion, which continues once they are back", async () => {
    await using cluster = await testCluster();
    const guard = new AccountGuard();
    cluster.run(guard.wrap(operandManager()));
    await apply(cluster, { ...ACCOUNT, steadyState: [config("a")] });
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    guard.allows = () => false;
    await cluster.delete(Operand, "shop");
    await cluster.clock.advance(RETRIED_MS);
    const stuck = await cluster.get(Operand, "shop");
    const message = expect.stringContaining(`User "${USER}" cannot get resource "configmaps"`);
    expect(findCondition(stuck?.status?.conditions, "OperandInstalled")).toMatchObject({
      reason: "PruneBlocked",
      message,
    });
    guard.allows = () => true;
    await cluster.clock.advance(RETRIED_MS);
    await cluster.untilDeleted(Operand, "shop");
    expect(await names(cluster)).toEqual([]);
  });

  test("is removed with the rights of the account, even if the Operand itself is gone", async () => {
    await using cluster = await testCluster();
    const guard = new AccountGuard();
    const running = cluster.run(guard.wrap(operandManager()));
    await apply(cluster, { ...ACCOUNT, steadyState: [config("a")] });
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    await running.stop();
    await cluster.patch(Operand, "shop", { metadata: { finalizers: null } });
    await cluster.delete(Operand, "shop");
    await cluster.untilDeleted(Operand, "shop");
    cluster.run(guard.wrap(operandManager()));
    await cluster.clock.advance(RETRIED_MS);
    expect(await cluster.list(ClusterActiveOperand)).toEqual([]);
    expect(guard.requests.map(({ verb }) => verb)).toContain("delete");
    expect(guard.users).toEqual(new Set([USER]));
  });

  test("costs no request while it is settled", async () => {
    await using cluster = await testCluster();
    const guard = new AccountGuard();
    cluster.run(guard.wrap(operandManager()));
    await apply(cluster, { ...ACCOUNT, steadyState: [config("a")] });
    expect(await cluster.untilSettled(Operand, "shop")).toBeReady();
    const before = guard.requests.length;
    await cluster.clock.advance(RETRIED_MS);
    expect(guard.requests).toHaveLength(before);
  });

  test("needs the namespace of the account too", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    await cluster.untilIdle();
    await expect(apply(cluster, { serviceAccountName: "installer" })).rejects.toThrow(/must be set together/u);
  });

  test("is rejected if it is not a name, so that the user of its requests is always a service account", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    await cluster.untilIdle();
    for (const wrong of [{ serviceAccountName: "a:b" }, { serviceAccountNamespace: "shop:admin" }])
      await expect(apply(cluster, { ...ACCOUNT, ...wrong })).rejects.toThrow(/should match/u);
  });
});

describe("a plan of an Operand with a service account", () => {
  test("equals the run: it uses the rights of the account", async () => {
    await using cluster = await testCluster();
    const guard = new AccountGuard();
    guard.allows = ({ resource }) => resource !== "secrets";
    cluster.run(guard.wrap(operandManager()));
    await apply(cluster, { ...ACCOUNT, suspend: true, steadyState: [config("a"), secret("x")] });
    const operand = await cluster.untilSettled(Operand, "shop");
    const client = new Client({ fetch: guard.guarded(cluster.fetch), fieldManager: "test" });
    const signal = new AbortController().signal;
    const plan = await planOperand(operand, { client, discovery: new Discovery(client), signal, clock: cluster.clock });
    expect(plan).toMatchObject({
      kind: "plan",
      items: [
        { ref: { name: "a" }, action: "create" },
        { ref: { name: "s" }, action: "refuse", reason: "Forbidden" },
      ],
    });
    expect(guard.requests.filter(({ verb }) => verb !== "get").map(({ user }) => user)).toEqual([USER, USER]);
  });

  test("fails with the account and the reason if the caller may not impersonate it", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    await apply(cluster, { ...ACCOUNT, suspend: true, steadyState: [config("a")] });
    const operand = await cluster.untilSettled(Operand, "shop");
    const message = 'serviceaccounts "installer" is forbidden: User "me" cannot impersonate resource "serviceaccounts"';
    const client = new Client({
      fieldManager: "test",
      fetch: (request) => {
        if (!request.headers.has("impersonate-user")) return cluster.fetch(request);
        return Promise.resolve(Response.json(new StatusError("Forbidden", message).toStatus(), { status: 403 }));
      },
    });
    const signal = new AbortController().signal;
    const plan = planOperand(operand, { client, discovery: new Discovery(client), signal, clock: cluster.clock });
    await expect(plan).rejects.toThrow(`cannot plan with the rights of service account shop/installer: ${message}`);
  });
});
