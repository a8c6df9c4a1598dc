import type { JsonObject } from "@levelset/core";
import { expect, test } from "vitest";
import { nestedIn } from "./nested.ts";

function manifest(kind: string, name: string, namespace: string, role: string): JsonObject {
  return { kind, metadata: { name, namespace, labels: { role } } };
}

function told(kind: string, name: string, namespace: string, by: string): JsonObject {
  return { resourceMeta: { kind, name, namespace }, conditions: [{ type: by }], statusFeedback: { by } };
}

const WORK: JsonObject = {
  spec: {
    workload: {
      manifests: [
        manifest("Service", "app", "one", "door"),
        manifest("Deployment", "app", "one", "work"),
        manifest("Deployment", "app", "two", "work"),
        manifest("Deployment", "zap", "two", "spare"),
      ],
    },
  },
  status: {
    resourceStatus: {
      manifests: [
        told("Deployment", "app", "two", "the deployment in two"),
        told("Deployment", "app", "one", "the deployment in one"),
        told("Service", "app", "one", "the service"),
      ],
    },
  },
};

test.each([
  ["one", { role: "work" }, "the deployment in one"],
  ["two", { role: "work" }, "the deployment in two"],
  ["one", { role: "door" }, "the service"],
  ["two", { role: "spare" }, undefined],
])("in %s, of %j, it has what the other side said of exactly that one", (namespace, labels, by) => {
  const found = nestedIn(WORK, { namespace, by: { kind: "labels", labels } });
  expect(found?.["statusFeedback"]).toEqual(by === undefined ? undefined : { by });
  expect(found?.["conditions"]).toEqual(by === undefined ? undefined : [{ type: by }]);
});

test("where no namespace is said, the first by name is it; what is not there is not", () => {
  const found = nestedIn(WORK, { namespace: undefined, by: { kind: "labels", labels: {} } });
  expect(found).toMatchObject({ kind: "Service", metadata: { name: "app" } });
  expect(nestedIn(WORK, { namespace: "three", by: { kind: "name", name: "app" } })).toBeUndefined();
  expect(nestedIn({}, { namespace: undefined, by: { kind: "name", name: "app" } })).toBeUndefined();
});
