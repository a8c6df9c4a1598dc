import type { ObjectMeta } from "@levelset/core";
import type { ApiObject } from "@levelset/apiserver";
import { expect, test } from "vitest";
import type { Manifest } from "../history/index.ts";
import type { ObjectRecord } from "../world/index.ts";
import { ForeignObjects } from "./foreign-objects.ts";

const META = { name: "a", namespace: "default", labels: { team: "x" } };
const SECRET: Manifest = { apiVersion: "v1", kind: "Secret", metadata: META, data: { key: "eA==" } };
const THING: Manifest = { apiVersion: "example.com/v1", kind: "Thing", metadata: META, spec: { size: 1 } };

/** A manifest as the server stores it, with further fields. */
function stored(manifest: Manifest, meta: Partial<ObjectMeta> = {}, fields: object = {}): ApiObject {
  const metadata = { uid: "1", resourceVersion: "1", creationTimestamp: "", ...manifest.metadata, ...meta };
  return { ...manifest, ...fields, metadata };
}

/** A journal in which these objects exist. */
function journalOf(objects: readonly ApiObject[]): Parameters<ForeignObjects["check"]>[0] {
  const present = objects.map((object): ObjectRecord => ({
    key: "a",
    resource: "any",
    object,
    isDeleted: false,
    uids: [object.metadata.uid],
    garbage: new Set(),
  }));
  return { present: () => present, adopted: () => [] };
}

/** Returns what is found after the object has become another one. */
function foundFor(manifest: Manifest, after: ApiObject | undefined, time: "rest" | "end" = "rest"): readonly string[] {
  const foreign = new ForeignObjects();
  foreign.wrote(stored(manifest), manifest, manifest.kind === "Thing");
  return foreign.check(journalOf(after === undefined ? [] : [after]), time).map(({ message }) => message);
}

test("a change of the spec of a custom resource is found", () => {
  expect(foundFor(THING, stored(THING, {}, { spec: { size: 2 } }))).toEqual([
    "Thing default/a was changed at spec.size by an operator.",
  ]);
});

test("a removed label of a user is found on a custom resource and on an input", () => {
  for (const manifest of [THING, SECRET]) {
    expect(foundFor(manifest, stored(manifest, { labels: {} })).join()).toContain("metadata.labels.team");
  }
});

test("an operator may mark, finalize and delete its own custom resource", () => {
  const meta = { labels: { ...META.labels, seen: "1" }, annotations: { seen: "1" }, finalizers: ["example.com/thing"] };
  expect(foundFor(THING, stored(THING, meta, { status: { size: 1 } }), "end")).toEqual([]);
  expect(foundFor(THING, undefined)).toEqual([]);
  expect(foundFor(THING, stored(THING, { uid: "2" }, { spec: { size: 2 } }))).toEqual([]);
});

test("an input that was deleted or changed is found", () => {
  expect(foundFor(SECRET, undefined)).toEqual(["Secret default/a, which the operator has not created, was deleted."]);
  expect(foundFor(SECRET, stored(SECRET, {}, { data: {} })).join()).toContain("was changed at data.key");
});

test("an operator may mark an input while it uses it, and must not leave the mark", () => {
  for (const meta of [{ annotations: { seen: "1" } }, { finalizers: ["example.com/in-use"] }]) {
    expect(foundFor(SECRET, stored(SECRET, meta))).toEqual([]);
    expect(foundFor(SECRET, stored(SECRET, meta), "end").join()).toContain("still has the");
  }
});

test("marks of Kubernetes and levelset may stay", () => {
  const annotations = { "deployment.kubernetes.io/revision": "1", "levelset.dev/applied": "x" };
  const meta = { annotations, finalizers: ["kubernetes.io/pvc-protection"] };
  expect(foundFor(SECRET, stored(SECRET, meta), "end")).toEqual([]);
});

test("an input that was deleted is found beside an object of the same name whose kind has the name of its kind", () => {
  const foreign = new ForeignObjects();
  foreign.wrote(stored(SECRET), SECRET, false);
  const custom: Manifest = { ...THING, kind: "Secret" };
  foreign.wrote(stored(custom, { uid: "2" }), custom, true);
  const found = foreign.check(journalOf([stored(custom, { uid: "2" })]), "rest");
  expect(found).toMatchObject([{ object: "Secret default/a", message: expect.stringContaining("was deleted") }]);
  foreign.deleted({ apiVersion: "v1", kind: "Secret", namespace: "default", name: "a" });
  expect(foreign.check(journalOf([stored(custom, { uid: "2" })]), "rest")).toEqual([]);
});

test("an object that the server stores in another version of its kind is the same object", () => {
  const input: Manifest = { ...SECRET, apiVersion: "example.com/v1beta1" };
  expect(foundFor(input, stored({ ...input, apiVersion: "example.com/v1" }))).toEqual([]);
});

test("a label that a user has removed may be gone", () => {
  const foreign = new ForeignObjects();
  foreign.wrote(stored(SECRET), SECRET, false);
  const { labels: _, ...metadata } = META;
  const changed: Manifest = { ...SECRET, metadata };
  foreign.wrote(stored(changed), changed, false);
  expect(foreign.check(journalOf([stored(changed)]), "end")).toEqual([]);
});
