import type { ApiObject, StoreEvent } from "@levelset/apiserver";
import type { JsonObject } from "@levelset/core";
import { expect, test } from "vitest";
import { RevertedWrites } from "./reverted-writes.ts";

function configMap(data: JsonObject, annotations: Readonly<Record<string, string>> = {}): ApiObject {
  const metadata = {
    name: "a",
    namespace: "default",
    uid: "1",
    resourceVersion: "1",
    creationTimestamp: "",
    annotations,
  };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data };
}

/** Returns what is found after a ConfigMap has been written several times. */
function foundAfter(first: ApiObject, writes: readonly ApiObject[], noise: readonly string[] = []): readonly string[] {
  const reverted = new RevertedWrites([{ object: first }], new Set(noise));
  const key = { resource: "configmaps", namespace: "default", name: "a" };
  for (const object of writes) {
    const record = { key, object, revision: 1 };
    reverted.observe({ kind: "updated", record, previous: record } as unknown as StoreEvent); // its record is all that is read
  }
  return reverted.violations([{ object: writes.at(-1) ?? first }]).map(({ message }) => message);
}

const [info, debug] = [configMap({ level: "info" }), configMap({ level: "debug" })];

test("a field that is changed and changed back is found", () => {
  expect(foundAfter(debug, [info, debug])).toEqual([
    'ConfigMap default/a: data.level is changed from "debug" to "info" and back after a restart at rest.',
  ]);
});

test("a lasting change, an unchanged object, an annotation and noise are no reverted writes", () => {
  expect(foundAfter(debug, [info])).toEqual([]);
  expect(foundAfter(debug, [debug, debug])).toEqual([]);
  expect(foundAfter(debug, [configMap({ level: "debug" }, { count: "2" }), debug])).toEqual([]);
  expect(foundAfter(debug, [info, debug], ["ConfigMap data.level"])).toEqual([]);
});
