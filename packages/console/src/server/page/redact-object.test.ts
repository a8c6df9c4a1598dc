import type { KubeObject } from "@levelset/core";
import { expect, test } from "vitest";
import { redactObject } from "./redact-object.ts";

const metadata = { name: "a", uid: "u", resourceVersion: "1" };

test.for([
  ["a Secret", { apiVersion: "v1", kind: "Secret", metadata, data: { password: "aHVudGVyMg==" } }],
  [
    "an Operand that contains a Secret",
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
    "the last-applied-configuration of an Operand that contains a Secret",
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
] as const)("%s is masked", ([, object]) => {
  const { shown, isMasked } = redactObject(object);
  expect(JSON.stringify(shown)).not.toContain("aHVudGVyMg");
  expect(isMasked).toBe(true);
});

test("other objects are unchanged except that managedFields are removed", () => {
  const object = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...metadata, managedFields: [] },
    data: { a: "b" },
  };
  expect(redactObject(object as unknown as KubeObject)).toEqual({
    shown: { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "b" } },
    isMasked: false,
  });
});
