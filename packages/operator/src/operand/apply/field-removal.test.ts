import { FieldSet, objectType, toFieldSet } from "@levelset/core/apply";
import { Deployment } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pathOfPointer, removePaths } from "./field-removal.ts";

const container = (name: string, rest: JsonObject = {}): JsonObject => ({ name, image: "i", ...rest });
const podOf = (...containers: readonly JsonObject[]): JsonObject => ({
  spec: { template: { spec: { containers } } },
});
const CONTAINERS = ["f:spec", "f:template", "f:spec", "f:containers"];

describe("removed fields", () => {
  test("are removed from maps, keyed lists and sets, and empty parents with them", () => {
    const object = {
      metadata: { labels: { a: "1" }, finalizers: ["x", "y"] },
      ...podOf(container("a"), container("b")),
    };
    const removed = FieldSet.of(
      ["f:metadata", "f:labels", "f:a"],
      ["f:metadata", "f:finalizers", 'v:"x"'],
      [...CONTAINERS, 'k:{"name":"b"}'],
      ["f:missing", "f:a"],
    );
    expect(removePaths(object, removed, FieldSet.empty)).toEqual({
      metadata: { finalizers: ["y"] },
      ...podOf(container("a")),
    });
  });

  test("are removed with all that is below, unless something there is kept", () => {
    const object = podOf(container("a", { tty: true, stdin: true }));
    const item = [...CONTAINERS, 'k:{"name":"a"}'];
    const removed = FieldSet.of(item, [...item, "f:tty"]);
    expect(removePaths(object, removed, FieldSet.empty)).toEqual({});
    const kept = FieldSet.of([...item, "f:image"]);
    expect(removePaths(object, removed, kept)).toEqual(podOf(container("a", { stdin: true })));
  });

  test("leave exactly the fields of the rest", () => {
    const type = objectType(Deployment.schema);
    const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { maxLength: 4 });
    const labelled = (keys: readonly string[], containers: readonly string[]): JsonObject => ({
      metadata: { labels: Object.fromEntries(keys.map((key) => [key, "1"])) },
      ...podOf(...containers.map((name) => container(name))),
    });
    fc.assert(
      fc.property(names, names, names, names, (labels, keptLabels, containers, keptContainers) => {
        const [keys, items] = [new Set([...labels, ...keptLabels]), new Set([...containers, ...keptContainers])];
        const all = labelled([...keys], [...items]);
        const rest = toFieldSet(type, labelled(keptLabels, keptContainers));
        const after = removePaths(all, toFieldSet(type, all).difference(rest), rest);
        expect([...toFieldSet(type, after).paths()]).toEqual([...rest.paths()]);
      }),
    );
  });
});

test("a JSON pointer is a path with the keys of its list items", () => {
  const object = podOf(container("a"), container("b", { tty: true }));
  const sets = [FieldSet.of([...CONTAINERS, 'k:{"name":"b"}', "f:tty"])];
  expect(pathOfPointer(object, "/spec/template/spec/containers/1/tty", sets)).toEqual([
    ...CONTAINERS,
    'k:{"name":"b"}',
    "f:tty",
  ]);
  expect(pathOfPointer(object, "/metadata/labels/x~1y", sets)).toEqual(["f:metadata", "f:labels", "f:x/y"]);
});
