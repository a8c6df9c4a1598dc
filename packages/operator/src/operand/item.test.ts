import type { EmbeddedObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { readItem } from "./item.ts";

function manifest(annotations: Readonly<Record<string, string>>, metadata: object = {}): EmbeddedObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop", annotations, ...metadata },
  };
}

const ours = (key: string): string => `operand.levelset.dev/${key}`;

describe("a manifest", () => {
  test("without annotations is reconciled, prunable and free of conditions", () => {
    expect(readItem(manifest({}), "steadyState[0]")).toMatchObject({
      at: "steadyState[0]",
      ref: { group: "apps", kind: "Deployment", namespace: "shop", name: "web" },
      mode: "Reconcile",
      wave: 0,
      dependsOn: [],
      recreate: false,
    });
  });

  test("says by annotations how it is handled", () => {
    const asked = {
      [ours("mode")]: "EnsureExists",
      [ours("wave")]: "-3",
      [ours("recreate")]: "true",
      [ours("prune")]: "disabled",
      [ours("depends-on")]: "/namespaces/shop/Service/db, rbac.authorization.k8s.io/ClusterRole/reader,",
    };
    expect(readItem(manifest(asked), "steadyState[0]")).toMatchObject({
      mode: "EnsureExists",
      wave: -3,
      recreate: true,
      dependsOn: [
        { group: "", namespace: "shop", kind: "Service", name: "db" },
        { group: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "reader" },
      ],
    });
  });

  test("may speak of its mode as Knative does; our own word wins", () => {
    const theirs = { "operator.knative.dev/mode": "EnsureExists" };
    expect(readItem(manifest(theirs), "a")).toMatchObject({ mode: "EnsureExists" });
    expect(readItem(manifest({ ...theirs, [ours("mode")]: "Ignore" }), "a")).toMatchObject({ mode: "Ignore" });
  });

  test.each([
    [{ [ours("mode")]: "Sometimes" }, /mode is Reconcile, EnsureExists or Ignore, not Sometimes/u],
    [{ [ours("wave")]: "soon" }, /wave is a whole number, not soon/u],
    [{ [ours("wave")]: "1.5" }, /wave is a whole number, not 1\.5/u],
    [{ [ours("recreate")]: "yes" }, /recreate is true or false/u],
    [{ [ours("prune")]: "false" }, /prune is enabled or disabled/u],
    [{ [ours("depends-on")]: "Service/db" }, /depends-on is a list/u],
    [{ [ours("depends-on")]: "/namespaces//Service/db" }, /depends-on is a list/u],
  ])("that says %j is refused by name and place", (annotations, problem) => {
    const found = readItem(manifest(annotations), "postInstall[7]");
    const told = "problem" in found ? found.problem : "";
    expect(told).toMatch(/^postInstall\[7\]: deployment\.apps\/web in shop: /u);
    expect(told).toMatch(problem);
  });

  test("needs a name", () => {
    expect(readItem(manifest({}, { name: "" }), "steadyState[1]")).toEqual({
      problem: "steadyState[1]: metadata.name is missing",
    });
    expect(readItem(manifest({}, { namespace: 3 }), "steadyState[1]")).toEqual({
      problem: "steadyState[1]: metadata.namespace is no text",
    });
  });
});
