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
      [ours("adopted-fields")]: "Keep",
      [ours("depends-on")]: "/namespaces/shop/Service/db, rbac.authorization.k8s.io/ClusterRole/reader,",
    };
    expect(parseItem(manifest(annotations), "steadyState[0]")).toMatchObject({
      mode: "EnsureExists",
      adoptedFields: "Keep",
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
    [{ [ours("adopted-fields")]: "no" }, /adopted-fields must be Remove or Keep, not no/u],
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

describe("the hook annotation", () => {
  const parse = (kind: string, annotations: Readonly<Record<string, string>>): unknown => {
    const prefixed = Object.entries(annotations).map(([key, value]) => [`operand.levelset.dev/${key}`, value]);
    const apiVersion = kind === "Job" ? "batch/v1" : "v1";
    const metadata = { name: "a", namespace: "shop", annotations: Object.fromEntries(prefixed) };
    return parseItem({ apiVersion, kind, metadata }, "steadyState[3]");
  };

  test("names the hooks of a Job, with a timeout of ten minutes unless another one is set", () => {
    expect(parse("Job", { hook: "preInstall, preDelete" })).toMatchObject({
      job: { hooks: ["preInstall", "preDelete"], timeoutMs: 600_000 },
    });
    expect(parse("Job", { hook: "preUpgrade", "hook-timeout": "90s" })).toMatchObject({ job: { timeoutMs: 90_000 } });
    expect(parse("Job", {})).toMatchObject({ job: { hooks: [] } });
    expect(parse("ConfigMap", {})).not.toHaveProperty("job");
  });

  test.for<readonly [string, Readonly<Record<string, string>>, string]>([
    ["ConfigMap", { hook: "preInstall" }, "configmap/a in shop: hook is allowed on Jobs of the group batch only"],
    [
      "Job",
      { hook: "preInstall,preRollback" },
      'job.batch/a in shop: hook must be a list of preInstall, postInstall, preUpgrade, preDelete, not "preRollback"',
    ],
    [
      "Job",
      { hook: "" },
      'job.batch/a in shop: hook must be a list of preInstall, postInstall, preUpgrade, preDelete, not ""',
    ],
    ["Job", { hook: "preInstall", mode: "Ignore" }, "job.batch/a in shop: hook needs mode Reconcile, not Ignore"],
    ["Job", { "hook-timeout": "5m" }, "job.batch/a in shop: hook-timeout needs the annotation hook"],
    [
      "Job",
      { hook: "preInstall", "hook-timeout": "0" },
      "job.batch/a in shop: hook-timeout must be a duration above 0, such as 10m, not 0",
    ],
    [
      "Job",
      { hook: "preInstall", "hook-timeout": "never" },
      "job.batch/a in shop: hook-timeout must be a duration above 0, such as 10m, not never",
    ],
  ])("on a %s with %j is rejected", ([kind, annotations, problem]) => {
    expect(parse(kind, annotations)).toEqual({ problem: `steadyState[3]: ${problem}` });
  });
});
