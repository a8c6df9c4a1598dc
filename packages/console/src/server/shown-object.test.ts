import type { KubeObject } from "@levelset/core";
import { expect, test } from "vitest";
import { shownObject } from "./shown-object.ts";

const metadata = { name: "a", uid: "u", resourceVersion: "1" };

test.for([
  ["a Secret", { apiVersion: "v1", kind: "Secret", metadata, data: { password: "aHVudGVyMg==" } }],
  [
    "a set that holds a Secret",
    {
      apiVersion: "operand.levelset.dev/v1alpha1",
      kind: "Operand",
      metadata,
      spec: {
        steadyState: [{ apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, stringData: { p: "aHVudGVyMg==" } }],
      },
    },
  ],
  [
    "what kubectl remembers of a set that holds a Secret",
    {
      apiVersion: "operand.levelset.dev/v1alpha1",
      kind: "Operand",
      metadata: {
        ...metadata,
        annotations: {
          "kubectl.kubernetes.io/last-applied-configuration":
            '{"spec":{"steadyState":[{"kind": "Secret","stringData":{"p":"aHVudGVyMg=="}}]}}',
        },
      },
    },
  ],
] as const)("%s is shown without its values, and said to be masked", ([, object]) => {
  const { shown, isMasked } = shownObject(object);
  expect(JSON.stringify(shown)).not.toContain("aHVudGVyMg");
  expect(isMasked).toBe(true);
});

test("everything else is shown whole, but for who owns what", () => {
  const object = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...metadata, managedFields: [] },
    data: { a: "b" },
  };
  expect(shownObject(object as unknown as KubeObject)).toEqual({
    shown: { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "b" } },
    isMasked: false,
  });
});
