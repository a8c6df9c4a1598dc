import { compareResourceVersions, findCondition, isReady, Secret } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { expect } from "vitest";
import rwExternal, { RWExternal } from "../../../examples/02-rwexternal/rwexternal.ts";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";

const FINALIZER = "examples.levelset.dev/rwexternal";

/** Starts the operator, and creates an object with the numbers in `foo`. */
async function ask(cluster: Cluster): Promise<ObjectOf<typeof RWExternal>> {
  await cluster.run(rwExternal);
  return cluster.create(RWExternal, { metadata: { name: "a" }, spec: { inputSecret: "foo" } });
}

async function give(cluster: Cluster, divisor: string): Promise<void> {
  await cluster.create(Secret, { metadata: { name: "foo" }, stringData: { dividend: "10", divisor } });
}

/** Waits for the result, and returns its Secret. */
async function divided(cluster: Cluster): Promise<ObjectOf<typeof Secret>> {
  await give(cluster, "5");
  await ask(cluster);
  await cluster.until(RWExternal, "a", isReady);
  return cluster.until(Secret, "a", () => true);
}

function texts({ data = {} }: ObjectOf<typeof Secret>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, Buffer.from(value, "base64").toString()]),
  );
}

/** Scenarios with the operator that reads one Secret and writes another. */
export const RWEXTERNAL: Scenarios = {
  "the first write is our finalizer alone, and the output appears after it": async (cluster) => {
    await give(cluster, "5");
    const created = await ask(cluster);
    const ready = await cluster.until(RWExternal, "a", isReady);
    const [, first] = await cluster.versions(RWExternal, created, ready);
    expect(first?.metadata.finalizers).toEqual([FINALIZER]);
    expect(first?.status).toEqual(created.status);
    expect(first?.metadata.labels).toEqual(created.metadata.labels);
    const output = await cluster.until(Secret, "a", () => true);
    const before = first?.metadata.resourceVersion ?? "";
    expect(compareResourceVersions(output.metadata.resourceVersion, before)).toBe(1);
  },

  "a missing input is reported, other conditions are Unknown, and Ready mirrors it": async (cluster) => {
    await ask(cluster);
    const { status } = await cluster.until(RWExternal, "a", (object) => object.status?.observedGeneration === 1);
    expect(status?.conditions?.map(({ type }) => type)).toEqual(["Ready", "InputReady", "OutputReady"]);
    const missing = { status: "False", severity: "Info", reason: "Requested", message: "Missing input: secret/foo" };
    expect(findCondition(status?.conditions, "InputReady")).toMatchObject(missing);
    expect(findCondition(status?.conditions, "Ready")).toMatchObject(missing);
    expect(findCondition(status?.conditions, "OutputReady")?.status).toBe("Unknown");
  },

  "the object becomes ready by the watch alone when its input is created": async (cluster) => {
    await ask(cluster);
    await cluster.until(RWExternal, "a", (object) => object.status?.observedGeneration === 1);
    await give(cluster, "5");
    await cluster.until(RWExternal, "a", isReady);
  },

  "an invalid input is reported with the field and the Secret": async (cluster) => {
    await give(cluster, "not-an-int");
    await ask(cluster);
    const { status } = await cluster.until(RWExternal, "a", (object) => object.status?.observedGeneration === 1);
    const input = findCondition(status?.conditions, "InputReady");
    expect(input).toMatchObject({ status: "False", severity: "Warning" });
    expect(input?.message).toMatch(/divisor in secret\/foo/u);
    expect(input?.message).not.toContain("not-an-int");
  },

  "quotient and remainder are in the output Secret, the status names it, all three conditions are True": async (
    cluster,
  ) => {
    expect(texts(await divided(cluster))).toEqual({ quotient: "2", remainder: "0" });
    const { status } = await cluster.until(RWExternal, "a", isReady);
    expect(status?.outputSecret).toBe("a");
    expect(status?.conditions?.map((condition) => condition.status)).toEqual(["True", "True", "True"]);
  },

  "an input change updates the output, but not the object's generation": async (cluster) => {
    await divided(cluster);
    await cluster.patch(Secret, "foo", { stringData: { divisor: "2" } });
    await cluster.until(Secret, "a", (output) => texts(output)["quotient"] === "5");
    expect((await cluster.until(RWExternal, "a", isReady)).metadata.generation).toBe(1);
  },

  "an edited or deleted output is restored": async (cluster) => {
    const output = await divided(cluster);
    await cluster.patch(Secret, "a", { stringData: { quotient: "3" } });
    await cluster.until(Secret, "a", (restored) => texts(restored)["quotient"] === "2");
    await cluster.delete(Secret, "a");
    const restored = await cluster.until(Secret, "a", ({ metadata }) => metadata.uid !== output.metadata.uid);
    expect(texts(restored)).toEqual({ quotient: "2", remainder: "0" });
  },

  "the output is deleted first, then the object": async (cluster) => {
    const output = await divided(cluster);
    const ready = await cluster.until(RWExternal, "a", isReady);
    await cluster.delete(RWExternal, "a");
    const secretEnd = (await cluster.versions(Secret, output)).at(-1)?.metadata.resourceVersion ?? "";
    const objectEnd = (await cluster.versions(RWExternal, ready)).at(-1)?.metadata.resourceVersion ?? "";
    expect(compareResourceVersions(secretEnd, objectEnd)).toBe(-1);
  },

  "while cleanup is blocked the object stays with our finalizer and reports it": async (cluster) => {
    await divided(cluster);
    await cluster.patch(Secret, "a", { metadata: { finalizers: ["other.levelset.dev/hold"] } });
    await cluster.delete(RWExternal, "a");
    const held = await cluster.until(RWExternal, "a", ({ status }) => status?.observedGeneration === 2);
    expect(held.metadata.deletionTimestamp).toBeDefined();
    expect(held.metadata.finalizers).toEqual([FINALIZER]);
    const ready = findCondition(held.status?.conditions, "Ready");
    expect(ready).toMatchObject({ status: "False", reason: "Deleting" });
    expect(ready?.message).toContain("other.levelset.dev/hold");
    await cluster.patch(Secret, "a", { metadata: { finalizers: null } });
    await cluster.untilDeleted(RWExternal, "a");
    expect(await cluster.find(Secret, "a")).toBeUndefined();
  },
};
