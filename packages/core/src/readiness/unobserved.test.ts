import { expect, test } from "vitest";
import { isUnobserved } from "./unobserved.ts";

const metadata = { name: "a", uid: "u", resourceVersion: "1", generation: 1 };

test.each([
  ["a custom object without a status", { apiVersion: "example.com/v1", kind: "Widget", metadata }, true, true],
  ["a custom object with one", { apiVersion: "example.com/v1", kind: "Widget", metadata, status: {} }, true, false],
  ["a custom kind without the subresource", { apiVersion: "example.com/v1", kind: "Widget", metadata }, false, false],
  ["a custom kind named Revision", { apiVersion: "serving.knative.dev/v1", kind: "Revision", metadata }, true, true],
  [
    "a revision of an Operand",
    { apiVersion: "operand.levelset.dev/v1alpha1", kind: "OperandRevision", metadata },
    true,
    false,
  ],
  ["a kind of a group without a dot", { apiVersion: "extensions/v1beta1", kind: "Ingress", metadata }, true, false],
  ["a built-in kind of a k8s.io group", { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata }, true, false],
  [
    "a custom kind of a k8s.io group",
    { apiVersion: "gateway.networking.k8s.io/v1", kind: "Gateway", metadata },
    true,
    true,
  ],
  ["a built-in kind", { apiVersion: "batch/v1", kind: "Job", metadata }, true, false],
])("%s: %#", (_, object, hasStatus, expected) => {
  expect(isUnobserved(object, hasStatus)).toBe(expected);
});
