import { fileURLToPath } from "node:url";
import type { PolicyRule } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { runCommand } from "../shell.fixture.ts";
import { parseYaml } from "../yaml.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

function manifests(...args: readonly string[]): Promise<string> {
  return runCommand(ROOT, "manifests", "examples/01-simple/simple.ts", ...args);
}

describe("levelset manifests", () => {
  test.each([
    [["--replicas", "0"], "'0' is invalid. a number from 1 to 999."],
    [["--name", "Shop"], "'Shop' is invalid. a name has lower case letters"],
    [["--name", "x".repeat(51)], "at most 50"],
    [["--namespace", "a.b"], "it cannot be the name of a namespace"],
    [["--namespaces", "a,B"], `'a,B' is invalid. "B" cannot be the name of a namespace.`],
    [["--image", "a b"], "'a b' is invalid. an image is NAME:TAG"],
  ])("refuses %j", async (args, message) => {
    await expect(manifests(...args)).rejects.toThrow(message);
  });

  test("takes names, images and numbers from its options", async () => {
    const printed = await manifests(
      "--name",
      "a",
      "--namespace",
      "b",
      "--image",
      "c:1",
      "--replicas",
      "3",
      "--install-crds",
    );
    expect(printed).toMatch(
      /kind: Deployment\nmetadata:\n {2}name: a\n {2}namespace: b\n[^]*replicas: 3\n[^]*image: c:1\n/u,
    );
    expect(printed).toContain("--install-crds");
    expect(printed).not.toContain("kind: CustomResourceDefinition\n");
  });

  test("grants what steps need that protect a child and select others by labels", async () => {
    const printed = await runCommand(ROOT, "manifests", "examples/guide/archive.ts");
    const rules = parseYaml(printed).flatMap(
      (document) => (document as { readonly rules?: readonly PolicyRule[] }).rules ?? [],
    );
    const verbsOf = (resource: string): readonly string[] | undefined =>
      rules.find(({ resources }) => resources?.includes(resource))?.verbs;
    expect(verbsOf("secrets")).toEqual(["get", "list", "watch"]);
    expect(verbsOf("statefulsets")).toEqual(["get", "list", "watch", "create", "update", "patch", "delete"]);
    expect(verbsOf("archives")).toEqual(["get", "list", "watch", "patch"]);
    expect(verbsOf("archives/finalizers")).toEqual(["update"]);
  });
});
