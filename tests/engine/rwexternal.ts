import { compareResourceVersions, findCondition, isReady, Secret } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { expect } from "vitest";
import rwExternal, { RWExternal } from "../../examples/02-rwexternal/rwexternal.ts";
import type { Scenarios } from "./scenario.ts";
import type { Stage } from "./stage.ts";

const FINALIZER = "examples.levelset.dev/rwexternal";

/** Starts the operator, and asks it for the result of the numbers in `foo`. */
async function ask(stage: Stage): Promise<ObjectOf<typeof RWExternal>> {
  await stage.run(rwExternal);
  return stage.create(RWExternal, { metadata: { name: "a" }, spec: { inputSecret: "foo" } });
}

async function give(stage: Stage, divisor: string): Promise<void> {
  await stage.create(Secret, { metadata: { name: "foo" }, stringData: { dividend: "10", divisor } });
}

/** A result, once it is there: the object and its Secret. */
async function divided(stage: Stage): Promise<ObjectOf<typeof Secret>> {
  await give(stage, "5");
  await ask(stage);
  await stage.until(RWExternal, "a", isReady);
  return stage.until(Secret, "a", () => true);
}

function texts({ data = {} }: ObjectOf<typeof Secret>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, Buffer.from(value, "base64").toString()]),
  );
}

/** Scenarios with the operator that reads one Secret and writes another. */
export const RWEXTERNAL: Scenarios = {
  "5 · finalizer first: the first write is our finalizer alone, and the output appears after it": async (stage) => {
    await give(stage, "5");
    const created = await ask(stage);
    const ready = await stage.until(RWExternal, "a", isReady);
    const [, first] = await stage.versions(RWExternal, created, ready);
    expect(first?.metadata.finalizers).toEqual([FINALIZER]);
    expect(first?.status).toEqual(created.status);
    expect(first?.metadata.labels).toEqual(created.metadata.labels);
    const output = await stage.until(Secret, "a", () => true);
    const before = first?.metadata.resourceVersion ?? "";
    expect(compareResourceVersions(output.metadata.resourceVersion, before)).toBe(1);
  },

  "7 · init: a missing input is told as such, the rest is Unknown, and Ready mirrors it": async (stage) => {
    await ask(stage);
    const { status } = await stage.until(RWExternal, "a", (object) => object.status?.observedGeneration === 1);
    expect(status?.conditions?.map(({ type }) => type)).toEqual(["Ready", "InputReady", "OutputReady"]);
    const missing = { status: "False", severity: "Info", reason: "Requested", message: "Missing input: secret/foo" };
    expect(findCondition(status?.conditions, "InputReady")).toMatchObject(missing);
    expect(findCondition(status?.conditions, "Ready")).toMatchObject(missing);
    expect(findCondition(status?.conditions, "OutputReady")?.status).toBe("Unknown");
  },

  "8 · input arrives: the object is ready by the watch alone": async (stage) => {
    await ask(stage);
    await stage.until(RWExternal, "a", (object) => object.status?.observedGeneration === 1);
    await give(stage, "5");
    await stage.until(RWExternal, "a", isReady);
  },

  "10 · bad format: the message names the field and the secret": async (stage) => {
    await give(stage, "not-an-int");
    await ask(stage);
    const { status } = await stage.until(RWExternal, "a", (object) => object.status?.observedGeneration === 1);
    const input = findCondition(status?.conditions, "InputReady");
    expect(input).toMatchObject({ status: "False", severity: "Warning" });
    expect(input?.message).toMatch(/divisor in secret\/foo/u);
    expect(input?.message).not.toContain("not-an-int");
  },

  "11 · output: quotient and remainder are in the Secret, status names it, all three conditions are True": async (
    stage,
  ) => {
    expect(texts(await divided(stage))).toEqual({ quotient: "2", remainder: "0" });
    const { status } = await stage.until(RWExternal, "a", isReady);
    expect(status?.outputSecret).toBe("a");
    expect(status?.conditions?.map((condition) => condition.status)).toEqual(["True", "True", "True"]);
  },

  "12 · input changes: the output follows, and the object's generation does not": async (stage) => {
    await divided(stage);
    await stage.patch(Secret, "foo", { stringData: { divisor: "2" } });
    await stage.until(Secret, "a", (output) => texts(output)["quotient"] === "5");
    expect((await stage.until(RWExternal, "a", isReady)).metadata.generation).toBe(1);
  },

  "14 · output drift: an edited or deleted output is restored": async (stage) => {
    const output = await divided(stage);
    await stage.patch(Secret, "a", { stringData: { quotient: "3" } });
    await stage.until(Secret, "a", (restored) => texts(restored)["quotient"] === "2");
    await stage.delete(Secret, "a");
    const restored = await stage.until(Secret, "a", ({ metadata }) => metadata.uid !== output.metadata.uid);
    expect(texts(restored)).toEqual({ quotient: "2", remainder: "0" });
  },

  "15 · cleanup: the output goes first, then the object": async (stage) => {
    const output = await divided(stage);
    const ready = await stage.until(RWExternal, "a", isReady);
    await stage.delete(RWExternal, "a");
    const secretEnd = (await stage.versions(Secret, output)).at(-1)?.metadata.resourceVersion ?? "";
    const objectEnd = (await stage.versions(RWExternal, ready)).at(-1)?.metadata.resourceVersion ?? "";
    expect(compareResourceVersions(secretEnd, objectEnd)).toBe(-1);
  },

  "16 · cleanup blocked: the object stays with our finalizer, says so, and goes once the output is let go": async (
    stage,
  ) => {
    await divided(stage);
    await stage.patch(Secret, "a", { metadata: { finalizers: ["other.levelset.dev/hold"] } });
    await stage.delete(RWExternal, "a");
    const held = await stage.until(RWExternal, "a", ({ status }) => status?.observedGeneration === 2);
    expect(held.metadata.deletionTimestamp).toBeDefined();
    expect(held.metadata.finalizers).toEqual([FINALIZER]);
    const ready = findCondition(held.status?.conditions, "Ready");
    expect(ready).toMatchObject({ status: "False", reason: "Deleting" });
    expect(ready?.message).toContain("other.levelset.dev/hold");
    await stage.patch(Secret, "a", { metadata: { finalizers: null } });
    await stage.gone(RWExternal, "a");
    expect(await stage.find(Secret, "a")).toBeUndefined();
  },
};
