import type { EmbeddedObject, Scope } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { ITEMS_MAX } from "./operand-kinds.ts";
import { describeLiveRef } from "./live-ref.ts";
import { parseManifestSet } from "./manifest-set.ts";
import type { InvalidManifestSet, ManifestSet } from "./manifest-set.ts";

const SCOPES: Readonly<Record<string, Scope>> = { ConfigMap: "Namespaced", Namespace: "Cluster" };

function read(
  steadyState: readonly EmbeddedObject[],
  postInstall: readonly EmbeddedObject[] = [],
): ManifestSet | InvalidManifestSet {
  return parseManifestSet({ steadyState, postInstall }, ({ kind }) => SCOPES[kind]);
}

function config(name: string, value = "", dependsOn = "", wave = "0"): EmbeddedObject {
  const annotations = { "operand.levelset.dev/depends-on": dependsOn, "operand.levelset.dev/wave": wave };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name, annotations }, data: { value } };
}

function problems(manifest: ManifestSet | InvalidManifestSet): readonly string[] {
  return manifest.kind === "bad" ? manifest.problems : [];
}

describe("a set", () => {
  test("replaces whole objects of steadyState by those of postInstall, and lists sorted, unique references", () => {
    const set = read([config("b", "steady"), config("a", "steady")], [config("b", "post"), config("c", "post")]);
    if (set.kind === "bad") throw new Error(set.problems.join());
    expect(set.steadyState.map(({ object }) => object["data"])).toEqual([{ value: "steady" }, { value: "steady" }]);
    const merged = set.merged.map(({ ref, object }) => [ref.name, object["data"]]);
    expect(merged).toEqual([
      ["b", { value: "post" }],
      ["a", { value: "steady" }],
      ["c", { value: "post" }],
    ]);
    expect(set.refs.map(describeLiveRef)).toEqual(["a", "b", "c"].map((name) => `configmap/${name} in shop`));
  });

  test("records which manifest an object of postInstall replaces, unless it is a Secret or not reconciled", () => {
    const secret: EmbeddedObject = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } };
    const once = { "operand.levelset.dev/mode": "EnsureExists" };
    const ensured = { ...config("once"), metadata: { namespace: "shop", name: "once", annotations: once } };
    const own = config("b", "steady");
    const set = read([own, config("a"), secret, ensured], [config("b", "post"), config("c"), secret, ensured]);
    if (set.kind === "bad") throw new Error(set.problems.join());
    const replacing = set.merged.filter(({ replaces }) => replaces !== undefined);
    expect(replacing.map(({ ref, replaces }) => [ref.name, replaces])).toEqual([["b", own]]);
    expect(set.steadyState.flatMap(({ ref, replacedBy }) => (replacedBy ? [[ref.name, replacedBy]] : []))).toEqual([
      ["b", replacing[0]],
    ]);
  });

  test("with a duplicate object in one list is rejected with both locations", () => {
    expect(problems(read([config("a"), config("b"), config("a")]))).toEqual([
      "steadyState[2]: configmap/a in shop is already declared at steadyState[0]",
    ]);
    expect(read([config("a")], [config("a")]).kind).toBe("good");
  });

  test("with objects in the wrong scope is rejected; unknown kinds are accepted", () => {
    const homeless = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
    const housed = { apiVersion: "v1", kind: "Namespace", metadata: { name: "n", namespace: "shop" } };
    const unknown = { apiVersion: "x/v1", kind: "Unknown", metadata: { name: "u" } };
    expect(problems(read([homeless], [housed, unknown]))).toEqual([
      "steadyState[0]: configmap/a has no metadata.namespace",
      "postInstall[0]: namespace/n in shop: Namespace is cluster-scoped, remove metadata.namespace",
    ]);
  });

  test("reports whether a namespaced object lacks its namespace", () => {
    const homeless = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
    expect(read([homeless])).toMatchObject({ kind: "bad", lacksNamespace: true });
    expect(read([config("a")], [homeless])).toMatchObject({ kind: "bad", lacksNamespace: true });
    expect(read([config("a"), config("a")])).toMatchObject({ kind: "bad", lacksNamespace: false });
  });

  test("that is too large is rejected with its size", () => {
    const many = Array.from({ length: ITEMS_MAX + 1 }, (_, index) => config(`c${index}`));
    expect(problems(read(many))).toEqual([`${ITEMS_MAX + 1} objects exceed the limit of ${ITEMS_MAX} per Operand`]);
    expect(read(many.slice(1)).kind).toBe("good");
  });

  test("with missing or cyclic dependencies is rejected", () => {
    const on = (name: string): string => `/namespaces/shop/ConfigMap/${name}`;
    expect(problems(read([config("a", "", on("z"))]))).toEqual([
      "steadyState[0]: depends on configmap/z in shop, which is not in the set",
    ]);
    const circle = [config("a", "", on("b")), config("b", "", on("c")), config("c", "", on("a"))];
    expect(problems(read(circle))).toEqual(["steadyState[0]: configmap/a in shop is part of a dependency cycle"]);
    expect(read([config("b")], [config("a", "", on("b"))]).kind).toBe("good");
    expect(problems(read([config("a", "", on("b"))], [config("b")]))).toEqual([
      "steadyState[0]: depends on configmap/b in shop, which is not in the set",
    ]);
    expect(problems(read([config("a", "", on("b")), config("b", "", "", "1")]))).toEqual([
      "steadyState[0]: depends on configmap/b in shop, which comes in a later wave",
    ]);
  });

  test("with several problems reports all of them", () => {
    const nameless = { apiVersion: "v1", kind: "ConfigMap", metadata: {} };
    expect(problems(read([nameless, config("a"), config("a")], [nameless]))).toHaveLength(3);
  });
});

describe("a set with hooks", () => {
  const hook = (name: string, hooks: string, dependsOn = ""): EmbeddedObject => ({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      namespace: "shop",
      name,
      annotations: { "operand.levelset.dev/hook": hooks, "operand.levelset.dev/depends-on": dependsOn },
    },
  });

  test("is rejected if a hook that precedes the installation is not in steadyState", () => {
    expect(problems(read([], [hook("a", "preInstall,preDelete")]))).toEqual([
      "postInstall[0]: job.batch/a in shop: hook preInstall must be in steadyState",
    ]);
    expect(problems(read([], [hook("a", "postInstall,preDelete")]))).toEqual([]);
  });

  test("is rejected if an object depends on a Job that runs only as a hook", () => {
    const onHook = "batch/namespaces/shop/Job/a";
    expect(problems(read([hook("a", "postInstall"), config("b", "", onHook)]))).toEqual([
      "steadyState[1]: configmap/b in shop: depends on job.batch/a in shop, which runs only as a hook",
    ]);
    expect(problems(read([hook("a", "preDelete"), hook("b", "preDelete", onHook)]))).toEqual([]);
  });
});
