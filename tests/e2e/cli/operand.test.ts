import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigMap, Lease } from "@levelset/core";
import { Client } from "@levelset/operator";
import { expect, test } from "vitest";
import { runProcess, TestProcess } from "../../support/test-process.ts";
import type { ProcessResult } from "../../support/test-process.ts";
import { LAUNCHER, ROOT } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import { startEmbeddedServer, connectSession } from "../../support/test-server.ts";

const MANIFESTS = `
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: "1"}}
---
{apiVersion: v1, kind: Secret, metadata: {name: b}, stringData: {password: swordfish}}
`;

test("levelset operand run reconciles Operands, and releases its Lease when it stops", async () => {
  await using target = await startEmbeddedServer();
  await using directory = await tempDirectory();
  const args = ["--kubeconfig", target.kubeconfig];
  const levelset = (...rest: readonly string[]): Promise<ProcessResult> =>
    runProcess(process.execPath, { args: [LAUNCHER, "operand", ...rest, ...args], cwd: directory.path });
  await using running = new TestProcess(process.execPath, {
    args: [LAUNCHER, "operand", "run", "--leader-elect", ...args],
    cwd: ROOT,
    env: { XDG_RUNTIME_DIR: directory.path },
  });
  await running.untilOutput(/reconciling Operands; Ctrl-C stops/u);
  await running.untilOutput(/leading/u);
  await writeFile(join(directory.path, "set.yaml"), MANIFESTS);
  const withoutNamespace = await levelset("create", "shop", "-f", "set.yaml");
  expect([withoutNamespace.code, withoutNamespace.stderr]).toEqual([
    2,
    expect.stringMatching(/has no metadata\.namespace.*\nhint: pass -n NAMESPACE/u),
  ]);
  const created = await levelset("create", "shop", "-f", "set.yaml", "-n", "default");
  expect([created.code, created.stdout]).toEqual([
    0,
    `operand/shop created\nTry: levelset operand status shop --watch --kubeconfig ${target.kubeconfig}\n`,
  ]);
  const watched = await levelset("status", "shop", "--watch");
  expect([watched.code, watched.stdout]).toEqual([0, expect.stringMatching(/Ready {2}applied 2\/2 {2}ready 2\/2\n$/u)]);

  await using connected = await connectSession(target);
  const client = new Client({ fetch: connected.world.fetch, fieldManager: "test" });
  expect((await client.get(ConfigMap, { namespace: "default", name: "a" })).data).toEqual({ a: "1" });
  await writeFile(join(directory.path, "home.yaml"), "{apiVersion: v1, kind: Namespace, metadata: {name: home}}");
  expect((await levelset("create", "home", "-f", "home.yaml")).code).toBe(0);
  expect((await levelset("delete", "home")).stdout).toBe(
    "operand/home deleted\nnot deleted (namespaces and CRDs are always retained): Namespace home\n",
  );
  running.signal("SIGTERM");
  expect((await running.untilExit()).code).toBe(0);
  expect((await levelset("create", "shop", "-f", "set.yaml", "-n", "default", "--drift", "report")).code).toBe(0);
  const unobserved = await levelset("status", "shop");
  expect([unobserved.code, unobserved.stdout]).toEqual([
    3,
    expect.stringMatching(/generation 2 {2}Progressing.*\n.*check that levelset operand run is running\n$/su),
  ]);
  expect((await levelset("status", "shp")).stderr).toMatch(
    /there is no Operand "shp"\nhint: existing Operands: shop\n$/u,
  );
  const lease = await client.get(Lease, { namespace: "default", name: "levelset-operand-clusteractiveoperand" });
  expect(lease.spec?.holderIdentity).toBe("");
  for (const { stdout, stderr } of [withoutNamespace, created, watched])
    expect(stdout + stderr).not.toContain("swordfish");
  expect(running.output).not.toContain("swordfish");
});
