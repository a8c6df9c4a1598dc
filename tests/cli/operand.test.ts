import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigMap, Lease } from "@levelset/core";
import { Client } from "@levelset/operator";
import { expect, test } from "vitest";
import { runProcess, TestProcess } from "../support/process.ts";
import type { Ended } from "../support/process.ts";
import { LAUNCHER, ROOT } from "../support/repository.ts";
import { scratch } from "../support/scratch.ts";
import { embeddedTarget, session } from "../support/target.ts";

const MANIFESTS = `
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: "1"}}
---
{apiVersion: v1, kind: Secret, metadata: {name: b}, stringData: {password: swordfish}}
`;

test("levelset operand run keeps what levelset operand create asks for, and hands its lease over when it stops", async () => {
  await using target = await embeddedTarget();
  await using directory = await scratch();
  const args = ["--kubeconfig", target.kubeconfig];
  const levelset = (...words: readonly string[]): Promise<Ended> =>
    runProcess(process.execPath, { args: [LAUNCHER, "operand", ...words, ...args], cwd: directory.path });
  await using running = new TestProcess(process.execPath, {
    args: [LAUNCHER, "operand", "run", "--leader-elect", ...args],
    cwd: ROOT,
    env: { XDG_RUNTIME_DIR: directory.path },
  });
  await running.says(/Operands are kept; Ctrl-C stops/u);
  await running.says(/leading/u);
  await writeFile(join(directory.path, "set.yaml"), MANIFESTS);
  const bare = await levelset("create", "shop", "-f", "set.yaml");
  expect([bare.code, bare.stderr]).toEqual([
    2,
    expect.stringMatching(/needs a metadata\.namespace.*\nhint: -n NAMESPACE/u),
  ]);
  const created = await levelset("create", "shop", "-f", "set.yaml", "-n", "default");
  expect([created.code, created.stdout]).toEqual([
    0,
    `operand/shop created\nTry: levelset operand status shop --watch --kubeconfig ${target.kubeconfig}\n`,
  ]);
  const watched = await levelset("status", "shop", "--watch");
  expect([watched.code, watched.stdout]).toEqual([0, expect.stringMatching(/Ready {2}applied 2\/2 {2}ready 2\/2\n$/u)]);

  await using connected = await session(target);
  const client = new Client({ fetch: connected.world.fetch, fieldManager: "test" });
  expect((await client.get(ConfigMap, { namespace: "default", name: "a" })).data).toEqual({ a: "1" });
  await writeFile(join(directory.path, "home.yaml"), "{apiVersion: v1, kind: Namespace, metadata: {name: home}}");
  expect((await levelset("create", "home", "-f", "home.yaml")).code).toBe(0);
  expect((await levelset("delete", "home")).stdout).toBe(
    "operand/home deleted\nnamespaces and CRDs are never deleted: Namespace home\n",
  );
  running.signal("SIGTERM");
  expect((await running.ended()).code).toBe(0);
  expect((await levelset("create", "shop", "-f", "set.yaml", "-n", "default", "--drift", "report")).code).toBe(0);
  const unseen = await levelset("status", "shop");
  expect([unseen.code, unseen.stdout]).toEqual([
    3,
    expect.stringMatching(/generation 2 {2}not seen yet.*\n.*is levelset operand run at work\?\n$/su),
  ]);
  expect((await levelset("status", "shp")).stderr).toMatch(/there is no Operand "shp"\nhint: there are shop\n$/u);
  const lease = await client.get(Lease, { namespace: "default", name: "levelset-operand-clusteractiveoperand" });
  expect(lease.spec?.holderIdentity).toBe("");
  for (const { stdout, stderr } of [bare, created, watched]) expect(stdout + stderr).not.toContain("swordfish");
  expect(running.output).not.toContain("swordfish");
});
