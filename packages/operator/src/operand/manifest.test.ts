import type { EmbeddedObject, Scope } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { ITEMS_MAX } from "./kinds.ts";
import { describeLiveRef } from "./live-ref.ts";
import { readManifest } from "./manifest.ts";
import type { BadManifest, Manifest } from "./manifest.ts";

const SCOPES: Readonly<Record<string, Scope>> = { ConfigMap: "Namespaced", Namespace: "Cluster" };

function read(
  steadyState: readonly EmbeddedObject[],
  postInstall: readonly EmbeddedObject[] = [],
): Manifest | BadManifest {
  return readManifest({ steadyState, postInstall }, ({ kind }) => SCOPES[kind]);
}

function config(name: string, value = "", dependsOn = "", wave = "0"): EmbeddedObject {
  const annotations = { "operand.levelset.dev/depends-on": dependsOn, "operand.levelset.dev/wave": wave };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name, annotations }, data: { value } };
}

function problems(manifest: Manifest | BadManifest): readonly string[] {
  return manifest.kind === "bad" ? manifest.problems : [];
}

describe("a set", () => {
  test("has whole objects of postInstall in place of those of steadyState, and every reference once, sorted", () => {
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

  test("that has an object twice in one list is refused, with both places", () => {
    expect(problems(read([config("a"), config("b"), config("a")]))).toEqual([
      "steadyState[2]: configmap/a in shop stands at steadyState[0] already",
    ]);
    expect(read([config("a")], [config("a")]).kind).toBe("good");
  });

  test("that has objects where they cannot live is refused; kinds that nobody knows pass here", () => {
    const homeless = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
    const housed = { apiVersion: "v1", kind: "Namespace", metadata: { name: "n", namespace: "shop" } };
    const unknown = { apiVersion: "x/v1", kind: "Unknown", metadata: { name: "u" } };
    expect(problems(read([homeless], [housed, unknown]))).toEqual([
      "steadyState[0]: configmap/a needs a metadata.namespace",
      "postInstall[0]: namespace/n in shop: a Namespace lives in no namespace",
    ]);
  });

  test("that is too large is refused with its size", () => {
    const many = Array.from({ length: ITEMS_MAX + 1 }, (_, index) => config(`c${index}`));
    expect(problems(read(many))).toEqual([`${ITEMS_MAX + 1} objects are more than one Operand takes: ${ITEMS_MAX}`]);
    expect(read(many.slice(1)).kind).toBe("good");
  });

  test("that depends on what it has not, or on itself, is refused", () => {
    const on = (name: string): string => `/namespaces/shop/ConfigMap/${name}`;
    expect(problems(read([config("a", "", on("z"))]))).toEqual([
      "steadyState[0]: depends on configmap/z in shop, which is not in the set",
    ]);
    const circle = [config("a", "", on("b")), config("b", "", on("c")), config("c", "", on("a"))];
    expect(problems(read(circle))).toEqual(["steadyState[0]: configmap/a in shop depends on itself by way of others"]);
    expect(read([config("b")], [config("a", "", on("b"))]).kind).toBe("good");
    expect(problems(read([config("a", "", on("b"))], [config("b")]))).toEqual([
      "steadyState[0]: depends on configmap/b in shop, which is not in the set",
    ]);
    expect(problems(read([config("a", "", on("b")), config("b", "", "", "1")]))).toEqual([
      "steadyState[0]: depends on configmap/b in shop, which comes in a later wave",
    ]);
  });

  test("that is wrong in several ways says all of them at once", () => {
    const nameless = { apiVersion: "v1", kind: "ConfigMap", metadata: {} };
    expect(problems(read([nameless, config("a"), config("a")], [nameless]))).toHaveLength(3);
  });
});
