import type { EmbeddedObject, JsonObject } from "@levelset/core";
import { ConfigMap } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operandManager } from "../index.ts";
import { Operand } from "./operand-kinds.ts";
import { reservedProblem, shapeProblem } from "./manifest-shape.ts";

const CONFIG = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" } };
const GROUP = "operand.levelset.dev/v1alpha1";
const CRD = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };

const operand = (name: string, ...steadyState: readonly JsonObject[]): JsonObject => ({
  apiVersion: GROUP,
  kind: "Operand",
  metadata: { name },
  spec: { steadyState },
});

describe("a manifest", () => {
  const { metadata: _metadata, ...bare } = CONFIG;
  test.each<readonly [JsonObject, string | undefined]>([
    [CONFIG, undefined],
    [{ ...CONFIG, kind: "AllowList" }, undefined],
    [{ kind: "ConfigMap", metadata: { name: "a" } }, "apiVersion is missing"],
    [{ apiVersion: "v1", metadata: { name: "a" } }, "kind is missing"],
    [bare, "metadata of this ConfigMap is missing"],
    [{ ...CONFIG, metadata: null }, "metadata of this ConfigMap is missing"],
    [{ ...CONFIG, metadata: { generateName: "a-" } }, "metadata.name is missing"],
    [
      { apiVersion: "v1", kind: "List", items: [CONFIG] },
      "List is a list, not an object: add each of its items as a manifest of its own",
    ],
    [
      { apiVersion: "apps/v1", kind: "DeploymentList", metadata: { name: "a" }, items: [] },
      "DeploymentList is a list, not an object: add each of its items as a manifest of its own",
    ],
  ])("%j: %s", (manifest, problem) => {
    expect(shapeProblem(manifest)).toBe(problem);
  });

  test.each<readonly [JsonObject, string | undefined]>([
    [operand("a"), "an Operand cannot contain itself"],
    [operand("b"), undefined],
    [operand("b", CONFIG, operand("c")), undefined],
    [operand("b", operand("a")), "it contains operand/a, and operand/a contains it"],
    [operand("b", operand("c", operand("a"))), "it contains operand/a, and operand/a contains it"],
    [{ ...operand("a"), apiVersion: "example.com/v1" }, undefined],
    [
      { ...operand("x"), kind: "ClusterActiveOperand" },
      "objects of kind ClusterActiveOperand are managed by the operators of Operand",
    ],
    [
      { ...operand("x"), kind: "OperandRevision" },
      "objects of kind OperandRevision are managed by the operators of Operand",
    ],
    [
      { ...CRD, metadata: { name: "operands.operand.levelset.dev" } },
      "the CustomResourceDefinitions of operand.levelset.dev cannot be part of a set",
    ],
    [{ ...CRD, metadata: { name: "widgets.example.com" } }, undefined],
  ])("of operand/a, %j: %s", (manifest, problem) => {
    expect(reservedProblem(manifest, "a")).toBe(problem);
  });
});

describe("an Operand", () => {
  test("names the position of each manifest that the server accepts and that is not an object of a set", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    // The schema of an embedded resource does not require metadata.
    const steadyState = [
      CONFIG,
      { apiVersion: "v1", kind: "List", items: [CONFIG] },
      { apiVersion: "v1", kind: "ConfigMap" },
      operand("shop"),
    ] as unknown as readonly EmbeddedObject[];
    const revision = { apiVersion: GROUP, kind: "OperandRevision", metadata: { name: "x" } };
    await cluster.apply(Operand, { name: "shop", spec: { steadyState, postInstall: [revision] } });
    const { status } = await cluster.untilSettled(Operand, "shop");
    expect({ status }).toHaveCondition("OperandInstalled", "False", {
      reason: "InvalidManifest",
      message: [
        "steadyState[1]: List is a list, not an object: add each of its items as a manifest of its own",
        "steadyState[2]: metadata of this ConfigMap is missing",
        "steadyState[3]: operand.operand.levelset.dev/shop: an Operand cannot contain itself",
        "postInstall[0]: operandrevision.operand.levelset.dev/x: objects of kind OperandRevision are managed by the operators of Operand",
      ].join("; "),
    });
    expect(await cluster.get(ConfigMap, "a")).toBeUndefined();
    await cluster.delete(Operand, "shop");
    await cluster.untilDeleted(Operand, "shop");
  });

  test("installs another Operand", async () => {
    await using cluster = await testCluster();
    cluster.run(operandManager());
    const inner = operand("inner", CONFIG) as unknown as EmbeddedObject; // has the fields of one
    await cluster.apply(Operand, { name: "outer", spec: { steadyState: [inner] } });
    expect(await cluster.untilSettled(Operand, "outer")).toBeReady();
    expect(await cluster.untilSettled(Operand, "inner")).toBeReady();
    expect(await cluster.get(ConfigMap, "a")).toBeDefined();
    await cluster.delete(Operand, "outer");
    await cluster.untilDeleted(Operand, "outer");
    await cluster.untilDeleted(Operand, "inner");
    expect(await cluster.get(ConfigMap, "a")).toBeUndefined();
  });
});
