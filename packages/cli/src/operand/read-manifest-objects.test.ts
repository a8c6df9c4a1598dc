import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock } from "@levelset/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Shell } from "../terminal/shell.ts";
import { helmWarning, withNamespace, readManifestObjects } from "./read-manifest-objects.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "levelset-input-"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function shell(stdin = ""): Shell {
  const discard = (): void => {};
  const { signal } = new AbortController();
  const input = (): Promise<string> => Promise.resolve(stdin);
  return {
    stdout: discard,
    stderr: discard,
    stdin: input,
    exitCode: discard,
    env: {},
    cwd,
    clock: realClock,
    signal: () => signal,
  };
}

const config = (name: string): string => `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}\n`;

async function names(paths: readonly string[], stdin = "", recursive = false): Promise<readonly unknown[]> {
  return (await readManifestObjects(paths, shell(stdin), { recursive })).map(({ metadata }) => metadata["name"]);
}

describe("manifests", () => {
  test("are read from files, directories and stdin, as YAML or JSON with many documents", async () => {
    mkdirSync(join(cwd, "dir", "below"), { recursive: true });
    writeFileSync(join(cwd, "dir", "2.yml"), `---\n${config("b")}---\n# nothing\n---\n${config("c")}`);
    writeFileSync(
      join(cwd, "dir", "1.json"),
      JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }),
    );
    writeFileSync(join(cwd, "dir", "README.md"), "no manifest");
    writeFileSync(join(cwd, "dir", "below", "3.yaml"), config("d"));
    expect(await names(["dir"])).toEqual(["a", "b", "c"]);
    expect(await names(["dir"], "", true)).toEqual(["a", "b", "c", "d"]);
    expect(await names(["-", "dir/2.yml"], config("x"))).toEqual(["x", "b", "c"]);
  });

  test("are expanded from nested lists, with large integers", async () => {
    const list = `{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: ConfigMapList, items: [${config("a").trim()}]}, {apiVersion: a/v1, kind: Big, metadata: {name: b}, big: 9007199254740993}]}`;
    const objects = await readManifestObjects(["-"], shell(list), { recursive: false });
    expect(objects.map(({ metadata }) => metadata["name"])).toEqual(["a", "b"]);
    expect(objects[1]?.["big"]).toBe(9_007_199_254_740_993n);
  });

  test.each([
    ["nowhere", "", "cannot read nowhere: ENOENT"],
    ["-", "", "no objects found in -"],
    ["-", "a: [1,\npassword: hunter2", "standard input is not YAML: line 2: deficient indentation"],
    ["-", "just text", "standard input, document 1: not an object"],
    ["-", "{kind: A, metadata: {}}", "document 1: apiVersion is missing"],
    ["-", "{apiVersion: v1, metadata: {}}", "document 1: kind is missing"],
    ["-", `${config("a")}---\n{apiVersion: v1, kind: A}`, "document 2: metadata is missing"],
    ["-", "{apiVersion: v1, kind: List, items: [5]}", "document 1, item 1: not an object"],
    ["empty", "", "empty has no .yaml, .yml or .json files"],
    ["kustomize", "", "kustomize is a kustomize directory"],
  ])("of %s with %j are refused without quoting them", async (path, stdin, message) => {
    mkdirSync(join(cwd, "empty"));
    mkdirSync(join(cwd, "kustomize"));
    writeFileSync(join(cwd, "kustomize", "kustomization.yaml"), "resources: []");
    const refused = names([path], stdin);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow("hunter2");
  });

  test("get a namespace only if they are namespaced and have none", () => {
    const object = (kind: string, namespace?: string) => ({
      apiVersion: "v1",
      kind,
      metadata: { name: "a", ...(namespace === undefined ? {} : { namespace }) },
    });
    const changed = withNamespace(
      [object("ConfigMap"), object("ConfigMap", "own"), object("Node")],
      "shop",
      ({ kind }) => kind === "ConfigMap",
    );
    expect(changed.map(({ metadata }) => metadata["namespace"])).toEqual(["shop", "own", undefined]);
  });

  test("that are Helm hooks cause a warning", () => {
    const hook = { apiVersion: "v1", kind: "Pod", metadata: { name: "t", annotations: { "helm.sh/hook": "test" } } };
    expect(helmWarning([hook, hook])).toMatch(/^Pod "t" and 1 more: Helm hooks are .*--no-hooks/u);
    expect(helmWarning([{ apiVersion: "v1", kind: "Pod", metadata: {} }])).toBeUndefined();
  });
});
