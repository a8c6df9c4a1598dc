import type { JsonObject } from "@levelset/core";
import { expect, test } from "vitest";
import { findInManifestWork } from "./manifest-work.ts";

function manifest(kind: string, name: string, namespace: string, role: string): JsonObject {
  return { kind, metadata: { name, namespace, labels: { role } } };
}

function reported(kind: string, name: string, namespace: string, by: string): JsonObject {
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
        reported("Deployment", "app", "two", "the deployment in two"),
        reported("Deployment", "app", "one", "the deployment in one"),
        reported("Service", "app", "one", "the service"),
      ],
    },
  },
};

test.each([
  ["one", { role: "work" }, "the deployment in one"],
  ["two", { role: "work" }, "the deployment in two"],
  ["one", { role: "door" }, "the service"],
  ["two", { role: "spare" }, undefined],
])("in %s, %j has the feedback reported for exactly that manifest", (namespace, labels, by) => {
  const found = findInManifestWork(WORK, { namespace, by: { kind: "labels", labels } });
  expect(found?.["statusFeedback"]).toEqual(by === undefined ? undefined : { by });
  expect(found?.["conditions"]).toEqual(by === undefined ? undefined : [{ type: by }]);
});

test("without a namespace the first match by name is returned; undefined if there is none", () => {
  const found = findInManifestWork(WORK, { namespace: undefined, by: { kind: "labels", labels: {} } });
  expect(found).toMatchObject({ kind: "Service", metadata: { name: "app" } });
  expect(findInManifestWork(WORK, { namespace: "three", by: { kind: "name", name: "app" } })).toBeUndefined();
  expect(findInManifestWork({}, { namespace: undefined, by: { kind: "name", name: "app" } })).toBeUndefined();
});
