import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { kind, s } from "@levelset/core";
import { readSamples } from "./samples.ts";
import { isServed } from "./served-sample.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "levelset-samples-"));
  await mkdir(join(cwd, "src"));
  await mkdir(join(cwd, "config", "samples"), { recursive: true });
});
afterEach(() => rm(cwd, { recursive: true }));

const NOTE = "{apiVersion: a.dev/v1, kind: Note, metadata: {name: a}, spec: {size: 1}, status: {ready: true}}\n";

function read(named?: readonly string[]): ReturnType<typeof readSamples> {
  return readSamples(named, { path: join(cwd, "src", "operator.ts"), root: cwd }, cwd);
}

test("samples are found beside the program before those of the project, and have no status", async () => {
  await writeFile(join(cwd, "config", "samples", "b.yaml"), NOTE);
  await writeFile(join(cwd, "config", "samples", "kustomization.yaml"), "resources: []\n");
  expect(await read()).toMatchObject({ files: [join("config", "samples", "b.yaml")], areGiven: false });
  await writeFile(join(cwd, "src", "sample.yaml"), `${NOTE}---\n${NOTE}`);
  const { files, manifests } = await read();
  expect(files).toEqual([join("src", "sample.yaml")]);
  expect(manifests).toHaveLength(2);
  expect(manifests[0]).toEqual({ apiVersion: "a.dev/v1", kind: "Note", metadata: { name: "a" }, spec: { size: 1 } });
});

test("no samples are found in a project without any", async () => {
  expect(await read()).toEqual({ files: [], manifests: [], areGiven: false });
});

test("a named file must exist and have objects with names", async () => {
  await expect(read(["none.yaml"])).rejects.toThrow("cannot read none.yaml");
  await writeFile(join(cwd, "wrong.yaml"), `${NOTE}---\n{apiVersion: v1, kind: Note}\n`);
  await expect(read(["wrong.yaml"])).rejects.toThrow("wrong.yaml, document 2: metadata.name is missing");
});

test("samples of other operators are not served", () => {
  const Note = kind({ group: "a.dev", version: "v1", kind: "Note", spec: s.object({}) });
  const sample = (apiVersion: string, name: string): boolean =>
    isServed({ apiVersion, kind: name, metadata: { name: "a" } }, [Note]);
  expect([sample("a.dev/v1", "Note"), sample("v1", "Secret"), sample("apps/v1", "Deployment")]).toEqual([
    true,
    true,
    true,
  ]);
  expect([sample("networking.k8s.io/v1", "Ingress"), sample("a.dev/v1", "Other"), sample("b.dev/v1", "Note")]).toEqual([
    true,
    false,
    false,
  ]);
});
