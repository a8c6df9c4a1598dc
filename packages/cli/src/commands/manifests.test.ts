import { fileURLToPath } from "node:url";
import type { PolicyRule } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { runCommand } from "../terminal/shell.fixture.ts";
import { parseYamlDocuments } from "../yaml/yaml.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

function manifests(...args: readonly string[]): Promise<string> {
  return runCommand(ROOT, "manifests", "examples/01-simple/simple.ts", ...args);
}

describe("levelset manifests", () => {
  test.each([
    [["--replicas", "0"], "'0' is invalid. write a number from 1 to 999."],
    [["--name", "Shop"], "'Shop' is invalid. write lower-case letters"],
    [["--name", "x".repeat(51)], "at most 50"],
    [["--namespace", "a.b"], "not a valid namespace name"],
    [["--namespaces", "a,B"], `'a,B' is invalid. "B" is not a valid namespace name (DNS label).`],
    [["--image", "a b"], "'a b' is invalid. write an image as NAME:TAG"],
  ])("refuses %j", async (args, message) => {
    await expect(manifests(...args)).rejects.toThrow(message);
  });

  test("uses names, images and numbers of its options", async () => {
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

  test("grants the permissions for steps that protect a child and select objects by labels", async () => {
    const printed = await runCommand(ROOT, "manifests", "examples/guide/archive.ts");
    const rules = parseYamlDocuments(printed).flatMap(
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
