import { PAUSED_ANNOTATION } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, step } from "./index.ts";
import type { Req } from "./index.ts";
import { annotate, isReadyFor, slowOperator } from "./interference.fixture.ts";
import { Thing } from "./thing.fixture.ts";

describe("a run is repeated after a write of another client", () => {
  /** The calls of a step, the object in the end, and whether a status of the first run was ever saved. */
  async function interrupted(
    note: (req: Req<Thing>) => string,
    write: (cluster: TestCluster) => Promise<unknown>,
  ): Promise<{ readonly notes: readonly string[]; readonly saved: readonly (string | undefined)[] }> {
    await using cluster = await testCluster();
    const notes: string[] = [];
    const reading = step(Thing, "Reading", {
      do: async (req) => {
        const text = note(req);
        notes.push(text);
        if (notes.length === 1) await write(cluster);
        req.status.note = text;
        return ok();
      },
    });
    cluster.run(operator(Thing, [reading]));
    await cluster.apply(Thing, { name: "a", annotations: { used: "1" }, labels: { used: "1" }, spec: {} });
    await cluster.untilSettled(Thing, "a");
    const saved = cluster.history(Thing, "a").map(({ status }) => status?.note);
    return { notes, saved: [...new Set(saved)].filter((text) => text !== undefined) };
  }

  const set = (metadata: object) => (cluster: TestCluster) => cluster.patch(Thing, "a", { metadata: { ...metadata } });

  test.each<[string, (req: Req<Thing>) => string, (cluster: TestCluster) => Promise<unknown>, string, string]>([
    [
      "to an annotation that a step read",
      ({ object }) => object.metadata.annotations?.["used"] ?? "none",
      set({ annotations: { used: "2" } }),
      "1",
      "2",
    ],
    [
      "to an annotation that a step tested for and did not find",
      ({ object }) => object.metadata.annotations?.["absent"] ?? "none",
      set({ annotations: { absent: "2" } }),
      "none",
      "2",
    ],
    [
      "to a label that a step tested for",
      ({ object }) => String("absent" in (object.metadata.labels ?? {})),
      set({ labels: { absent: "2" } }),
      "false",
      "true",
    ],
    [
      "to any label, where a step listed them",
      ({ object }) =>
        Object.keys(object.metadata.labels ?? {})
          .toSorted()
          .join(),
      set({ labels: { another: "2" } }),
      "used",
      "another,used",
    ],
    [
      "to any annotation, where a step copied them",
      ({ object }) =>
        Object.values({ ...object.metadata }.annotations ?? {})
          .toSorted()
          .join(),
      set({ annotations: { another: "2" } }),
      "1",
      "1,2",
    ],
    [
      "to an annotation that a step read from the draft",
      ({ metadata }) => metadata.annotations["used"] ?? "none",
      set({ annotations: { used: "2" } }),
      "1",
      "2",
    ],
    [
      "to an annotation, where a step read the whole object from the cache",
      ({ get, name, namespace }) =>
        get(Thing, { name, ...(namespace === undefined ? {} : { namespace }) })?.metadata.annotations?.["used"] ?? "",
      set({ annotations: { used: "2" } }),
      "1",
      "2",
    ],
    [
      "to the finalizers that a step read",
      ({ object }) => (object.metadata.finalizers ?? []).join(),
      set({ finalizers: ["example.dev/hold"] }),
      "",
      "example.dev/hold",
    ],
    [
      "to the spec",
      ({ spec }) => spec.mode,
      (cluster) => cluster.patch(Thing, "a", { spec: { mode: "2" } }),
      "fine",
      "2",
    ],
    [
      "to the status",
      ({ object }) => object.status?.id ?? "none",
      (cluster) => cluster.patchStatus(Thing, "a", { id: "theirs" }),
      "none",
      "theirs",
    ],
  ])("%s", async (_, note, write, first, second) => {
    const { notes, saved } = await interrupted(note, write);
    expect(notes.slice(0, 2)).toEqual([first, second]);
    expect(saved).not.toContain(first);
  });

  test("to an annotation that a step changes", async () => {
    await using cluster = await testCluster();
    let runs = 0;
    const writing = step(Thing, "Writing", {
      do: async ({ metadata }) => {
        runs += 1;
        metadata.annotations["count"] = "ours";
        if (runs === 1) await annotate(cluster, "count", "theirs");
        return ok();
      },
    });
    cluster.run(operator(Thing, [writing]));
    await cluster.apply(Thing, { name: "a", spec: {} });
    const object = await cluster.untilSettled(Thing, "a");
    expect(object.metadata.annotations).toEqual({ count: "ours" });
    expect(runs).toBe(2);
  });

  test("but not to one that no step used: the run saves its status, and the next run writes nothing", async () => {
    const { notes, saved } = await interrupted(
      ({ object }) => object.metadata.annotations?.["used"] ?? "none",
      set({ annotations: { unused: "2" } }),
    );
    expect(notes).toEqual(["1", "1"]);
    expect(saved).toEqual(["1"]);
  });

  test("a step that reads an annotation late does not save what another client changed after an early write", async () => {
    await using cluster = await testCluster();
    const notes: string[] = [];
    const late = step(Thing, "Late", {
      do: async ({ object, status, clock, signal }) => {
        if (notes.length === 0) {
          await annotate(cluster, "late", "2");
          // The conditions are written early, after a second.
          await clock.sleep(10_000, signal);
        }
        const text = object.metadata.annotations?.["late"] ?? "none";
        notes.push(text);
        status.note = text;
        return ok();
      },
    });
    cluster.run(operator(Thing, [late]));
    await cluster.apply(Thing, { name: "a", spec: {} });
    await cluster.clock.advance(20_000);
    const object = await cluster.untilSettled(Thing, "a");
    expect(notes).toEqual(["none", "2"]);
    expect(object.status?.note).toBe("2");
    expect(cluster.history(Thing, "a").map(({ status }) => status?.note)).not.toContain("none");
  });

  test("an object that is paused during a run is not written until it is resumed", async () => {
    await using cluster = await testCluster();
    const { operator: slow } = slowOperator();
    cluster.run(slow);
    await cluster.apply(Thing, { name: "a", spec: { mode: "one" } });
    await cluster.clock.advance(20_000);
    await annotate(cluster, PAUSED_ANNOTATION, "true");
    await cluster.clock.advance(60_000);
    expect((await cluster.untilSettled(Thing, "a")).status?.note).toBeUndefined();
    await cluster.patch(Thing, "a", { metadata: { annotations: { [PAUSED_ANNOTATION]: null } } });
    await cluster.untilIdle();
    await cluster.clock.advance(60_000);
    expect(isReadyFor(await cluster.untilSettled(Thing, "a"), 1)).toBe(true);
  });
});
