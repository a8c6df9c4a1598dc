import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError, kind, s } from "@levelset/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readManifests } from "./read-manifests.ts";
import type { FileManifest } from "./read-manifests.ts";

const Thing = kind({ group: "test.levelset.dev", version: "v1", kind: "Thing", spec: s.object({}) });
const Global = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Global",
  scope: "Cluster",
  spec: s.object({}),
});

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "levelset-manifests-"));
});
afterAll(() => rm(cwd, { recursive: true }));

async function read(text: string): Promise<readonly FileManifest[]> {
  await writeFile(join(cwd, "a.yaml"), text);
  return readManifests("a.yaml", { cwd, kinds: [Thing, Global], namespace: "team" });
}

describe("manifests of a file", () => {
  test("get their own namespace, that of the context, or none if cluster-scoped", async () => {
    const found = await read(`
{apiVersion: test.levelset.dev/v1, kind: Thing, metadata: {name: here}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: there, namespace: other}}
---
{apiVersion: test.levelset.dev/v1, kind: Global, metadata: {name: nowhere, namespace: other}}
`);
    expect(found.map(({ name, namespace }) => [name, namespace])).toEqual([
      ["here", "team"],
      ["there", "other"],
      ["nowhere", undefined],
    ]);
    expect(found[0]?.object.metadata).toEqual({ name: "here", namespace: "team" });
  });

  test.each([
    ["a: [1,\npassword: hunter2", "a.yaml is not YAML: line 2: "],
    ["---\n---\njust text", "a.yaml, document 2: not an object"],
    ["{apiVersion: apps/v1, kind: Thing, metadata: {name: a}}", "a.yaml, document 1: unknown kind Thing of apps/v1"],
    ["{apiVersion: test.levelset.dev/v1, kind: Thing}", "a.yaml, document 1: metadata.name is missing"],
  ])("that are invalid cause an error with the location and without the content: %j", async (text, message) => {
    const attempt = read(text);
    await expect(attempt).rejects.toBeInstanceOf(InputError);
    await expect(attempt).rejects.toThrow(message);
    await expect(attempt).rejects.not.toThrow("hunter2");
  });

  test("of a missing file cause an error with the reason", async () => {
    const attempt = readManifests("none.yaml", { cwd, kinds: [], namespace: "team" });
    await expect(attempt).rejects.toThrow(/^cannot read none\.yaml: ENOENT/u);
  });
});
