import type { EmbeddedObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { parseItem } from "./item.ts";

function manifest(annotations: Readonly<Record<string, string>>, metadata: object = {}): EmbeddedObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop", annotations, ...metadata },
  };
}

const ours = (key: string): string => `operand.levelset.dev/${key}`;

describe("a manifest", () => {
  test("without annotations is reconciled, prunable and has no dependencies", () => {
    expect(parseItem(manifest({}), "steadyState[0]")).toMatchObject({
      at: "steadyState[0]",
      ref: { group: "apps", kind: "Deployment", namespace: "shop", name: "web" },
      mode: "Reconcile",
      wave: 0,
      dependsOn: [],
      recreate: false,
    });
  });

  test("is configured by annotations", () => {
    const annotations = {
      [ours("mode")]: "EnsureExists",
      [ours("wave")]: "-3",
      [ours("recreate")]: "true",
      [ours("prune")]: "disabled",
      [ours("depends-on")]: "/namespaces/shop/Service/db, rbac.authorization.k8s.io/ClusterRole/reader,",
    };
    expect(parseItem(manifest(annotations), "steadyState[0]")).toMatchObject({
      mode: "EnsureExists",
      wave: -3,
      recreate: true,
      dependsOn: [
        { group: "", namespace: "shop", kind: "Service", name: "db" },
        { group: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "reader" },
      ],
    });
  });

  test("accepts Knative's mode annotation; ours takes precedence", () => {
    const theirs = { "operator.knative.dev/mode": "EnsureExists" };
    expect(parseItem(manifest(theirs), "a")).toMatchObject({ mode: "EnsureExists" });
    expect(parseItem(manifest({ ...theirs, [ours("mode")]: "Ignore" }), "a")).toMatchObject({ mode: "Ignore" });
  });

  test.each([
    [{ [ours("mode")]: "Sometimes" }, /mode must be Reconcile, EnsureExists or Ignore, not Sometimes/u],
    [{ [ours("wave")]: "soon" }, /wave must be an integer, not soon/u],
    [{ [ours("wave")]: "1.5" }, /wave must be an integer, not 1\.5/u],
    [{ [ours("recreate")]: "yes" }, /recreate must be true or false/u],
    [{ [ours("prune")]: "false" }, /prune must be enabled or disabled/u],
    [{ [ours("depends-on")]: "Service/db" }, /depends-on must be a list/u],
    [{ [ours("depends-on")]: "/namespaces//Service/db" }, /depends-on must be a list/u],
  ])("with annotations %j is rejected with its name and location", (annotations, problem) => {
    const found = parseItem(manifest(annotations), "postInstall[7]");
    const reported = "problem" in found ? found.problem : "";
    expect(reported).toMatch(/^postInstall\[7\]: deployment\.apps\/web in shop: /u);
    expect(reported).toMatch(problem);
  });

  test("without a valid name or namespace is rejected", () => {
    expect(parseItem(manifest({}, { name: "" }), "steadyState[1]")).toEqual({
      problem: "steadyState[1]: metadata.name is missing",
    });
    expect(parseItem(manifest({}, { namespace: 3 }), "steadyState[1]")).toEqual({
      problem: "steadyState[1]: metadata.namespace must be a string",
    });
  });
});
