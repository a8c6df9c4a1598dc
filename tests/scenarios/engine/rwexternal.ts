import { compareResourceVersions, findCondition, isReady, Secret } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { expect } from "vitest";
import rwExternal, { RWExternal } from "../../../examples/02-rwexternal/rwexternal.ts";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Harness } from "../../support/cluster/harness.ts";

const FINALIZER = "examples.levelset.dev/rwexternal";

/** Starts the operator, and creates an object with the numbers in `foo`. */
async function ask(harness: Harness): Promise<ObjectOf<typeof RWExternal>> {
  await harness.run(rwExternal);
  return harness.create(RWExternal, { metadata: { name: "a" }, spec: { inputSecret: "foo" } });
}

async function give(harness: Harness, divisor: string): Promise<void> {
  await harness.create(Secret, { metadata: { name: "foo" }, stringData: { dividend: "10", divisor } });
}

/** Waits for the result, and returns its Secret. */
async function divided(harness: Harness): Promise<ObjectOf<typeof Secret>> {
  await give(harness, "5");
  await ask(harness);
  await harness.until(RWExternal, "a", isReady);
  return harness.until(Secret, "a", () => true);
}

function texts({ data = {} }: ObjectOf<typeof Secret>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, Buffer.from(value, "base64").toString()]),
  );
}

/** Scenarios with the operator that reads one Secret and writes another. */
export const RWEXTERNAL: Scenarios = {
  "the first write is our finalizer alone, and the output appears after it": async (harness) => {
    await give(harness, "5");
    const created = await ask(harness);
    const ready = await harness.until(RWExternal, "a", isReady);
    const [, first] = await harness.versions(RWExternal, created, ready);
    expect(first?.metadata.finalizers).toEqual([FINALIZER]);
    expect(first?.status).toEqual(created.status);
    expect(first?.metadata.labels).toEqual(created.metadata.labels);
    const output = await harness.until(Secret, "a", () => true);
    const before = first?.metadata.resourceVersion ?? "";
    expect(compareResourceVersions(output.metadata.resourceVersion, before)).toBe(1);
  },

  "a missing input is reported, other conditions are Unknown, and Ready mirrors it": async (harness) => {
    await ask(harness);
    const { status } = await harness.until(RWExternal, "a", (object) => object.status?.observedGeneration === 1);
    expect(status?.conditions?.map(({ type }) => type)).toEqual(["Ready", "InputReady", "OutputReady"]);
    const missing = { status: "False", severity: "Info", reason: "Requested", message: "Missing input: secret/foo" };
    expect(findCondition(status?.conditions, "InputReady")).toMatchObject(missing);
    expect(findCondition(status?.conditions, "Ready")).toMatchObject(missing);
    expect(findCondition(status?.conditions, "OutputReady")?.status).toBe("Unknown");
  },

  "the object becomes ready by the watch alone when its input is created": async (harness) => {
    await ask(harness);
    await harness.until(RWExternal, "a", (object) => object.status?.observedGeneration === 1);
    await give(harness, "5");
    await harness.until(RWExternal, "a", isReady);
  },

  "an invalid input is reported with the field and the Secret": async (harness) => {
    await give(harness, "not-an-int");
    await ask(harness);
    const { status } = await harness.until(RWExternal, "a", (object) => object.status?.observedGeneration === 1);
    const input = findCondition(status?.conditions, "InputReady");
    expect(input).toMatchObject({ status: "False", severity: "Warning" });
    expect(input?.message).toMatch(/divisor in secret\/foo/u);
    expect(input?.message).not.toContain("not-an-int");
  },

  "quotient and remainder are in the output Secret, the status names it, all three conditions are True": async (
    harness,
  ) => {
    expect(texts(await divided(harness))).toEqual({ quotient: "2", remainder: "0" });
    const { status } = await harness.until(RWExternal, "a", isReady);
    expect(status?.outputSecret).toBe("a");
    expect(status?.conditions?.map((condition) => condition.status)).toEqual(["True", "True", "True"]);
  },

  "an input change updates the output, but not the object's generation": async (harness) => {
    await divided(harness);
    await harness.patch(Secret, "foo", { stringData: { divisor: "2" } });
    await harness.until(Secret, "a", (output) => texts(output)["quotient"] === "5");
    expect((await harness.until(RWExternal, "a", isReady)).metadata.generation).toBe(1);
  },

  "an edited or deleted output is restored": async (harness) => {
    const output = await divided(harness);
    await harness.patch(Secret, "a", { stringData: { quotient: "3" } });
    await harness.until(Secret, "a", (restored) => texts(restored)["quotient"] === "2");
    await harness.delete(Secret, "a");
    const restored = await harness.until(Secret, "a", ({ metadata }) => metadata.uid !== output.metadata.uid);
    expect(texts(restored)).toEqual({ quotient: "2", remainder: "0" });
  },

  "the output is deleted first, then the object": async (harness) => {
    const output = await divided(harness);
    const ready = await harness.until(RWExternal, "a", isReady);
    await harness.delete(RWExternal, "a");
    const secretEnd = (await harness.versions(Secret, output)).at(-1)?.metadata.resourceVersion ?? "";
    const objectEnd = (await harness.versions(RWExternal, ready)).at(-1)?.metadata.resourceVersion ?? "";
    expect(compareResourceVersions(secretEnd, objectEnd)).toBe(-1);
  },

  "while cleanup is blocked the object stays with our finalizer and reports it": async (harness) => {
    await divided(harness);
    await harness.patch(Secret, "a", { metadata: { finalizers: ["other.levelset.dev/hold"] } });
    await harness.delete(RWExternal, "a");
    const held = await harness.until(RWExternal, "a", ({ status }) => status?.observedGeneration === 2);
    expect(held.metadata.deletionTimestamp).toBeDefined();
    expect(held.metadata.finalizers).toEqual([FINALIZER]);
    const ready = findCondition(held.status?.conditions, "Ready");
    expect(ready).toMatchObject({ status: "False", reason: "Deleting" });
    expect(ready?.message).toContain("other.levelset.dev/hold");
    await harness.patch(Secret, "a", { metadata: { finalizers: null } });
    await harness.untilDeleted(RWExternal, "a");
    expect(await harness.find(Secret, "a")).toBeUndefined();
  },
};
