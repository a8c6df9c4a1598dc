import { decodeManagedFields, encodeFieldsV1, FieldSet, formatFieldPath } from "@levelset/core/apply";
import type { FieldPath } from "@levelset/core/apply";
import type { KubeObject, ManagedFieldsEntry } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { INHERITED, partLabel } from "../spec/labels-and-annotations.ts";
import { formerFields, isTakenOver } from "./former-fields.ts";

const OURS = "operand.levelset.dev/us";
const about = { operandUid: "us", apiVersion: "v1", gone: new Set<string>(), ignored: [] };

function entry(manager: string, paths: readonly FieldPath[], rest: Partial<ManagedFieldsEntry> = {}) {
  const fieldsV1 = encodeFieldsV1(FieldSet.of(...paths));
  const operation = manager.startsWith("operand.") ? "Apply" : "Update";
  return { manager, operation, apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1, ...rest } as ManagedFieldsEntry;
}

function object(managedFields: readonly ManagedFieldsEntry[], labels: Record<string, string> = {}, kind = "ConfigMap") {
  const metadata = { name: "x", uid: "1", resourceVersion: "1", labels, managedFields };
  return { apiVersion: "v1", kind, metadata } as KubeObject;
}

const data = (name: string): FieldPath => ["f:data", `f:${name}`];

/** The fields of each manager after the takeover. */
function after(live: KubeObject, options: Partial<typeof about> = {}): Record<string, readonly string[]> | undefined {
  const taken = formerFields(live, { ...about, ...options });
  if (taken === undefined) return undefined;
  return Object.fromEntries(
    [...decodeManagedFields(taken.managedFields).values()].map(({ manager, fields }) => [
      manager,
      [...fields.paths()].map(formatFieldPath),
    ]),
  );
}

describe("the fields of former managers", () => {
  test.each([
    "kubectl",
    "kubectl-client-side-apply",
    "kubectl-create",
    "kubectl-edit",
    "kubectl-patch",
    "kubectl-replace",
    "before-first-apply",
    "helm",
  ])("of %s become ours", (manager) => {
    for (const operation of ["Update", "Apply"]) {
      expect(after(object([entry(manager, [data("a")], { operation })]))).toEqual({ [OURS]: [".data.a"] });
    }
  });

  test.each(["kube-controller-manager", "kubectl-rollout", "kubectl-scale", "helm-controller", "argocd-controller"])(
    "of %s stay",
    (manager) => {
      expect(after(object([entry(manager, [data("a")])]))).toBeUndefined();
    },
  );

  test("are added to ours, and those of a subresource, of owners and finalizers stay", () => {
    const kept: readonly FieldPath[] = [
      ["f:metadata", "f:finalizers", 'v:"example.com/x"'],
      ["f:metadata", "f:ownerReferences", 'k:{"uid":"7"}'],
    ];
    const live = object([
      entry(OURS, [data("a")]),
      entry("kubectl-create", [data("b"), ...kept]),
      entry("kubectl-patch", [["f:status"]], { subresource: "status" }),
    ]);
    expect(after(live)).toEqual({
      [OURS]: [".data.a", ".data.b"],
      "kubectl-create": ['.metadata.finalizers[="example.com/x"]', '.metadata.ownerReferences[uid="7"]'],
      "kubectl-patch": [".status"],
    });
  });

  test("of an Operand become ours once it no longer has the object, or no longer exists", () => {
    const entries = [entry("operand.levelset.dev/a", [data("a")]), entry("operand.levelset.dev/b", [data("b")])];
    const shared = object(entries, { [partLabel("a")]: "hash", [partLabel("us")]: INHERITED });
    expect(after(shared)).toEqual({ [OURS]: [".data.b"], "operand.levelset.dev/a": [".data.a"] });
    expect(after(shared, { gone: new Set(["a"]) })).toEqual({ [OURS]: [".data.a", ".data.b"] });
  });

  test("do not include owner references that inventories restored", () => {
    const reference: FieldPath = ["f:metadata", "f:ownerReferences", 'k:{"uid":"7"}'];
    expect(after(object([entry("operand.levelset.dev/7", [reference])]))).toBeUndefined();
  });

  test("include our label that an operator has set, and no other field of that operator", () => {
    const label: FieldPath = ["f:metadata", "f:labels", `f:${partLabel("us")}`];
    const live = object([entry("levelset-operand", [label, data("a")])], { [partLabel("us")]: INHERITED });
    expect(after(live)).toEqual({
      [OURS]: [`.metadata.labels.${partLabel("us")}`],
      "levelset-operand": [".data.a"],
    });
  });

  test("do not include ignored fields, nor what the cluster allocated", () => {
    const address: FieldPath = ["f:spec", "f:clusterIP"];
    const live = object([entry("helm", [address, data("a"), data("b")])], {}, "Service");
    expect(after(live, { ignored: [data("a") as never] })).toEqual({
      [OURS]: [".data.b"],
      helm: [".data.a", ".spec.clusterIP"],
    });
  });

  test("are moved within one API version: ours, or else that of the manifest", () => {
    const old = entry("helm", [data("a")], { apiVersion: "v1beta1" });
    const both = [old, entry("kubectl-create", [data("b")])];
    expect(after(object(both))).toEqual({ [OURS]: [".data.b"], helm: [".data.a"] });
    expect(after(object([old]))).toEqual({ [OURS]: [".data.a"] });
    expect(formerFields(object([old]), about)?.managedFields[0]?.apiVersion).toBe("v1beta1");
  });

  test("that are malformed count as none", () => {
    expect(after(object([{ manager: "helm" }]))).toBeUndefined();
  });
});

test("an object is taken over until it is applied", () => {
  expect(isTakenOver(object([]), "us")).toBe(true);
  expect(isTakenOver(object([], { [partLabel("us")]: INHERITED }), "us")).toBe(true);
  expect(isTakenOver(object([], { [partLabel("us")]: "hash" }), "us")).toBe(false);
});
