import fc from "fast-check";
import { deepEqual } from "@levelset/core/internal";
import { cloneJson, PAUSED_ANNOTATION } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { RECONCILE_ANNOTATION } from "./step/annotations.ts";
import { MetadataUse } from "./metadata-use.ts";
import { RunBasis } from "./run-basis.ts";
import { FINALIZER } from "./thing.fixture.ts";
import type { Thing } from "./thing.fixture.ts";

type Meta = ObjectOf<Thing>["metadata"];

function thing(metadata: Partial<Meta> = {}, status?: ObjectOf<Thing>["status"], mode = "fine"): ObjectOf<Thing> {
  return {
    apiVersion: "test.levelset.dev/v1",
    kind: "Thing",
    metadata: { name: "a", namespace: "default", uid: "u", resourceVersion: "1", generation: 1, ...metadata },
    spec: { mode },
    ...(status === undefined ? {} : { status }),
  };
}

/** Returns the changed path for a run that read `read` of an object. */
function change(
  before: ObjectOf<Thing>,
  after: ObjectOf<Thing>,
  read: (object: ObjectOf<Thing>) => unknown = () => undefined,
): string | undefined {
  const use = new MetadataUse();
  read(use.tracked(before));
  return new RunBasis<Thing>(before, use, FINALIZER).changeIn(after);
}

describe("the results of a run are valid for a version of its object", () => {
  test.each<[string, Partial<Meta>]>([
    ["another resourceVersion", { resourceVersion: "2" }],
    ["managed fields", { managedFields: [{ manager: "kubectl" }] }],
    ["an annotation", { annotations: { other: "1" } }],
    ["a label", { labels: { other: "1" } }],
    ["a request for another run", { annotations: { [RECONCILE_ANNOTATION]: "now" } }],
    ["a finalizer of another client", { finalizers: ["example.dev/hold"] }],
    ["an owner", { ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n", uid: "n" }] }],
  ])("with %s", (_, metadata) => {
    expect(change(thing(), thing(metadata))).toBeUndefined();
  });

  test.each<[string, ObjectOf<Thing>, string]>([
    ["incarnation", thing({ uid: "v" }), "metadata.uid"],
    ["generation", thing({ generation: 2 }), "metadata.generation"],
    ["spec", thing({}, undefined, "other"), "spec.mode"],
    ["deletion", thing({ deletionTimestamp: "2026-01-01T00:00:00Z" }), "metadata.deletionTimestamp"],
    ["finalizer of ours", thing({ finalizers: [FINALIZER] }), "metadata.finalizers"],
    ["pause", thing({ annotations: { [PAUSED_ANNOTATION]: "true" } }), "metadata.annotations"],
    ["status", thing({}, { id: "theirs" }), "status"],
  ])("but not with another %s", (_, after, path) => {
    expect(change(thing(), after)).toBe(path);
  });

  test("with the metadata and the status that the run itself has written", () => {
    const use = new MetadataUse();
    const start = thing({ labels: { a: "1" } });
    use.draft("labels", { a: "1" })["a"] = "2";
    const basis = new RunBasis<Thing>(start, use, FINALIZER);
    const written = thing({ labels: { a: "2" }, resourceVersion: "2" }, { id: "ours" });
    expect(basis.changeIn(written)).toBe("metadata.labels.a");
    basis.wroteMetadata(written);
    expect(basis.changeIn(written)).toBe("status");
    basis.wroteStatus(written);
    expect(basis.changeIn(written)).toBeUndefined();
  });
});

const maps = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom("1", "2"), { noNullPrototype: true });
const metas = fc.record({ labels: maps, annotations: maps, finalizers: fc.constant(["x"]) }, { requiredKeys: [] });

/** Ways in which a step may read metadata. Each returns what it read, so that two versions can be compared. */
const READS: readonly ((metadata: Meta) => unknown)[] = [
  ({ labels }) => labels?.["a"],
  ({ annotations }) => annotations?.["b"] === undefined,
  ({ labels = {} }) => "c" in labels,
  ({ labels = {} }) => Object.keys(labels).toSorted(),
  ({ annotations = {} }) => Object.entries(annotations).map(String).toSorted(),
  ({ annotations }) => ({ ...annotations }),
  ({ annotations = {} }) => Object.hasOwn(annotations, "a"),
  ({ labels = {} }) => {
    const names: string[] = [];
    for (const name in labels) names.push(name);
    return names.toSorted();
  },
  ({ finalizers }) => finalizers?.length,
  (metadata) => "finalizers" in metadata,
  ({ labels = {} }) => JSON.parse(JSON.stringify(labels)) as unknown,
  (metadata) =>
    Object.keys(metadata)
      .filter((key) => metadata[key as keyof Meta] !== undefined)
      .toSorted(),
];

test("the results of a run are not valid for a version in which a step would read another value", () => {
  const property = fc.property(metas, metas, fc.constantFrom(...READS), (one, other, read) => {
    const [before, after] = [thing(one), thing(other)];
    const isSame = deepEqual(read(before.metadata), read(after.metadata));
    expect(isSame || change(before, after, ({ metadata }) => read(metadata)) !== undefined).toBe(true);
  });
  fc.assert(property, { numRuns: 1_000 });
});

describe("the view of an object", () => {
  const object = thing({ labels: { a: "1" } });
  const view = new MetadataUse().tracked(object);

  test("has the same content as the object", () => {
    expect(view).toEqual(object);
    expect(cloneJson(view)).toEqual(object);
    expect(JSON.stringify(view)).toBe(JSON.stringify(object));
    expect({ ...view.metadata, labels: { ...view.metadata.labels } }).toEqual(object.metadata);
  });

  test.each<[string, () => unknown]>([
    ["a field of the object", () => Object.assign(view, { kind: "Other" })],
    ["a field of metadata", () => Object.assign(view.metadata, { name: "b" })],
    ["a label", () => Object.assign(view.metadata.labels ?? {}, { a: "2" })],
    ["a new annotation", () => Object.assign(view.metadata.annotations ?? {}, { a: "2" })],
  ])("refuses a write of %s", (_, write) => {
    expect(write).toThrow(TypeError);
  });
});
