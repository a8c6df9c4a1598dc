import { Secret } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import rwExternal, { RWExternal } from "./rwexternal.ts";

const FINALIZER = "examples.levelset.dev/rwexternal";

const setDivisor = (cluster: TestCluster, divisor: string): Promise<unknown> =>
  cluster.apply(Secret, { name: "numbers", stringData: { dividend: "10", divisor } });

/** Starts a cluster in which `a` has divided 10 by 5. */
async function divided(): Promise<TestCluster> {
  const cluster = await testCluster();
  cluster.run(rwExternal);
  await setDivisor(cluster, "5");
  await cluster.apply(RWExternal, { name: "a", spec: { inputSecret: "numbers" } });
  await cluster.untilIdle();
  return cluster;
}

function texts(secret: ObjectOf<typeof Secret> | undefined): Record<string, string> {
  const entries = Object.entries(secret?.data ?? {});
  return Object.fromEntries(entries.map(([key, value]) => [key, Buffer.from(value, "base64").toString()]));
}

const types = (object: ObjectOf<typeof RWExternal>): readonly string[] =>
  (object.status?.conditions ?? []).map(({ type }) => type);

describe("RWExternal", () => {
  test("waits for a missing Secret without polling, and writes the result when it appears", async () => {
    await using cluster = await testCluster();
    cluster.run(rwExternal);
    await cluster.apply(RWExternal, { name: "a", spec: { inputSecret: "numbers" } });
    const waiting = await cluster.untilSettled(RWExternal, "a");
    const missing = { severity: "Info", reason: "Requested", message: "Missing input: secret/numbers" } as const;
    expect(types(waiting)).toEqual(["Ready", "InputReady", "OutputReady"]);
    expect(waiting).toHaveCondition("InputReady", "False", missing);
    expect(waiting).toHaveCondition("OutputReady", "Unknown");
    expect(waiting).toHaveCondition("Ready", "False", missing);
    const before = cluster.requests().length;
    await cluster.clock.advance(60_000);
    expect(cluster.requests().length).toBe(before);
    await setDivisor(cluster, "5");
    const ready = await cluster.untilSettled(RWExternal, "a");
    expect(ready).toBeReady();
    expect(ready.status?.conditions?.map(({ status }) => status)).toEqual(["True", "True", "True"]);
    expect(ready.status?.outputSecret).toBe("a");
    expect(texts(await cluster.get(Secret, "a"))).toEqual({ quotient: "2", remainder: "0" });
    expect(cluster.writes(RWExternal, "a")).toBe(3);
  });

  test("the first write only adds the finalizer; the result is written after it", async () => {
    await using cluster = await divided();
    const [created, first] = cluster.history(RWExternal, "a");
    expect(created?.metadata.finalizers).toBeUndefined();
    expect(first?.metadata.finalizers).toEqual([FINALIZER]);
    expect(first?.status).toEqual(created?.status);
    const [output] = cluster.history(Secret, "a");
    expect(Number(output?.metadata.resourceVersion)).toBeGreaterThan(Number(first?.metadata.resourceVersion));
  });

  test.each([
    [{ dividend: "10", divisor: "not-an-int" }, "divisor in secret/numbers is not a whole number other than 0"],
    [{ dividend: "10", divisor: "0" }, "divisor in secret/numbers is not a whole number other than 0"],
    [{ dividend: "ten" }, "dividend in secret/numbers is not a whole number; divisor is missing in secret/numbers"],
  ])(
    "invalid numbers %j are reported by key and Secret, without the value, until they are corrected",
    async (stringData, message) => {
      await using cluster = await testCluster();
      cluster.run(rwExternal);
      await cluster.apply(Secret, { name: "numbers", stringData });
      await cluster.apply(RWExternal, { name: "a", spec: { inputSecret: "numbers" } });
      const bad = await cluster.untilSettled(RWExternal, "a");
      expect(bad).toHaveCondition("InputReady", "False", { severity: "Warning", reason: "Error", message });
      expect(await cluster.get(Secret, "a")).toBeUndefined();
      await cluster.apply(Secret, { name: "numbers", stringData: { dividend: "10", divisor: "5" } });
      expect(await cluster.untilSettled(RWExternal, "a")).toBeReady();
    },
  );

  test("a changed input changes the result, and the object itself is not written", async () => {
    await using cluster = await divided();
    const { metadata } = await cluster.untilSettled(RWExternal, "a");
    await setDivisor(cluster, "2");
    const object = await cluster.untilSettled(RWExternal, "a");
    expect(texts(await cluster.get(Secret, "a"))).toEqual({ quotient: "5", remainder: "0" });
    expect(object.metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  test("a change of unused parts of the input causes no write", async () => {
    await using cluster = await divided();
    const before = cluster.faults.count(isWrite);
    await cluster.apply(Secret, { name: "numbers", labels: { a: "b" }, stringData: { other: "1" } });
    await cluster.untilIdle();
    expect(cluster.faults.count(isWrite)).toBe(before);
  });

  test("restores a result that another client edits or deletes", async () => {
    await using cluster = await divided();
    const data = { quotient: Buffer.from("3").toString("base64") };
    await cluster.patch(Secret, "a", { data, metadata: { labels: { theirs: "stays" } } });
    await cluster.untilIdle();
    const restored = await cluster.get(Secret, "a");
    expect(texts(restored)).toEqual({ quotient: "2", remainder: "0" });
    expect(restored?.metadata.labels?.["theirs"]).toBe("stays");
    await cluster.delete(Secret, "a");
    expect(await cluster.untilSettled(RWExternal, "a")).toBeReady();
    expect(texts(await cluster.get(Secret, "a"))).toEqual({ quotient: "2", remainder: "0" });
  });

  test("on deletion the result is deleted first, then the object; the input stays", async () => {
    await using cluster = await divided();
    await cluster.delete(RWExternal, "a");
    await cluster.untilDeleted(RWExternal, "a");
    expect(await cluster.get(Secret, "a")).toBeUndefined();
    expect(await cluster.get(Secret, "numbers")).toBeDefined();
    const writes = cluster.requests().filter(isWrite).slice(-3);
    expect(writes.map(({ method, path }) => `${method} ${path.split("/").slice(6).join("/")}`)).toEqual([
      "DELETE a",
      "PATCH rwexternals/a/status",
      "PATCH rwexternals/a",
    ]);
  });

  test("a result with a finalizer of another controller defers the deletion of the object", async () => {
    await using cluster = await divided();
    await cluster.patch(Secret, "a", { metadata: { finalizers: ["other.dev/hold"] } });
    await cluster.untilIdle();
    await cluster.delete(RWExternal, "a");
    const held = await cluster.untilSettled(RWExternal, "a");
    expect(held.metadata.finalizers).toEqual([FINALIZER]);
    expect(held).toHaveCondition("Ready", "False", { reason: "Deleting" });
    expect(held).toHaveCondition("OutputReady", "False", {
      message: "secret/a is being deleted; it is held by other.dev/hold",
    });
    await cluster.patch(Secret, "a", { metadata: { finalizers: null } });
    await cluster.untilDeleted(RWExternal, "a");
    await cluster.untilDeleted(Secret, "a");
  });

  test("a settled object causes no write, neither later nor after a restart of the operator", async () => {
    await using cluster = await testCluster();
    const first = cluster.run(rwExternal);
    await setDivisor(cluster, "5");
    await cluster.apply(RWExternal, { name: "a", spec: { inputSecret: "numbers" } });
    await cluster.untilIdle();
    await first.stop();
    const before = cluster.faults.count(isWrite);
    cluster.run(rwExternal);
    await cluster.clock.advance(3_600_000);
    await cluster.untilIdle();
    expect(cluster.faults.count(isWrite)).toBe(before);
  });
});

describe("an existing Secret with the name of the result", () => {
  const theirs = { name: "a", stringData: { quotient: "theirs" } };

  test("is neither overwritten nor deleted, and is reported until it is deleted", async () => {
    await using cluster = await testCluster();
    cluster.run(rwExternal);
    const { metadata } = await cluster.create(Secret, theirs);
    await setDivisor(cluster, "5");
    await cluster.apply(RWExternal, { name: "a", spec: { inputSecret: "numbers" } });
    expect(await cluster.untilSettled(RWExternal, "a")).toHaveCondition("OutputReady", "False", {
      severity: "Error",
      reason: "NotOurs",
      message: "secret/a already exists and does not belong to rwexternal/a",
    });
    await cluster.delete(RWExternal, "a");
    await cluster.untilDeleted(RWExternal, "a");
    expect(await cluster.get(Secret, "a")).toMatchObject({ metadata });
    await cluster.apply(RWExternal, { name: "a", spec: { inputSecret: "numbers" } });
    await cluster.untilIdle();
    await cluster.delete(Secret, "a");
    await cluster.clock.advance(30_000);
    expect(await cluster.untilSettled(RWExternal, "a")).toBeReady();
  });

  test.each(["create", "replace"] as const)(
    "is not changed if it appears between our read and our write: %s",
    async (when) => {
      await using cluster = await testCluster();
      let theirUid: string | undefined;
      const interfering = {
        ...rwExternal,
        start: (world: Parameters<typeof rwExternal.start>[0]) =>
          rwExternal.start({
            ...world,
            fetch: async (request) => {
              const isOutput = request.method === "PATCH" && new URL(request.url).pathname.endsWith("/secrets/a");
              const existing = await cluster.get(Secret, "a");
              const isTurn = theirUid === undefined && isOutput && (when === "create" || existing !== undefined);
              if (isTurn && existing !== undefined) await cluster.delete(Secret, "a");
              if (isTurn) theirUid = (await cluster.create(Secret, theirs)).metadata.uid;
              return world.fetch(request);
            },
          }),
      };
      cluster.run(interfering);
      await setDivisor(cluster, "5");
      await cluster.apply(RWExternal, { name: "a", spec: { inputSecret: "numbers" } });
      await cluster.untilIdle();
      await setDivisor(cluster, "2");
      expect(await cluster.untilSettled(RWExternal, "a")).toHaveCondition("OutputReady", "False", {
        reason: "NotOurs",
      });
      await cluster.delete(RWExternal, "a");
      await cluster.untilDeleted(RWExternal, "a");
      const secret = await cluster.get(Secret, "a");
      expect(secret?.metadata.uid).toBe(theirUid);
      expect(texts(secret)).toEqual({ quotient: "theirs" });
      expect(secret?.metadata.labels).toBeUndefined();
    },
  );
});
