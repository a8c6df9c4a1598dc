import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { describe, expect, test } from "vitest";
import { runProcess } from "../../support/test-process.ts";
import type { ProcessResult } from "../../support/test-process.ts";
import { LAUNCHER, ROOT } from "../../support/repository.ts";
import { tempDirectoryInRepository } from "../../support/temp-directory.ts";
import { startEmbeddedServer } from "../../support/test-server.ts";

const SHOP = `
  import { ConfigMap, kind, s } from "@levelset/core";
  import { manager, ok, operator, step } from "@levelset/operator";
  const Shop = kind({ group: "deploy.levelset.dev", version: "v1", kind: "Shop", spec: s.object({ size: s.int32() }) });
  const shops = operator(Shop, [step(Shop, "Stock", { owns: [ConfigMap], do: () => ok() })]);
  export default manager([shops], { namespaces: ["east"] });
`;

function levelset(cwd: string, ...args: string[]): Promise<ProcessResult> {
  return runProcess(process.execPath, { args: [LAUNCHER, ...args], cwd });
}

function kubectl(kubeconfig: string, ...args: string[]): Promise<ProcessResult> {
  return runProcess("kubectl", { args, cwd: ROOT, env: { KUBECONFIG: kubeconfig } });
}

const hasKubectl = await kubectl("", "version", "--client").then(
  ({ code }) => code === 0,
  () => false,
);

describe("levelset manifests", () => {
  test("prints manifests for kubectl apply, named after the package", async () => {
    const { code, stdout, stderr } = await levelset(
      ROOT,
      "manifests",
      "examples/01-simple/simple.ts",
      "--name",
      "simple",
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(loadAll(stdout)).toMatchObject([
      { kind: "Namespace", metadata: { name: "simple-system" } },
      { kind: "CustomResourceDefinition" },
      { kind: "ServiceAccount" },
      { kind: "ClusterRole" },
      { kind: "ClusterRoleBinding" },
      { kind: "Role" },
      { kind: "RoleBinding" },
      { kind: "Deployment", spec: { replicas: 2 } },
      { kind: "Service" },
      { kind: "NetworkPolicy" },
      { kind: "PodDisruptionBudget" },
    ]);
  });

  test("writes a base, is idempotent, and refuses to overwrite edited files", async () => {
    await using directory = await tempDirectoryInRepository();
    const cwd = directory.path;
    await writeFile(
      join(cwd, "package.json"),
      '{"name": "@acme/shop", "version": "1.2.3", "type": "module", "dependencies": {"levelset": "*"}}',
    );
    await mkdir(join(cwd, "src"));
    await writeFile(join(cwd, "src", "shop.ts"), SHOP);
    const write = (...args: string[]): Promise<ProcessResult> =>
      levelset(cwd, "manifests", "src/shop.ts", "--out", "deploy", ...args);
    const first = await write();
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain("docker build -f deploy/Dockerfile -t shop:1.2.3 .\n  kubectl apply -k deploy\n");
    const deployment = await readFile(join(cwd, "deploy", "deployment.yaml"), "utf8");
    expect(deployment).toContain("src/shop.ts");
    // The namespaces of the manager in the file apply.
    expect(deployment).toContain("--namespaces=east");
    expect(await readFile(join(cwd, "deploy", "rbac", "namespace-east.yaml"), "utf8")).toContain("configmaps");
    expect(await write()).toEqual(first);
    expect(await readFile(join(cwd, "deploy", "deployment.yaml"), "utf8")).toBe(deployment);
    await writeFile(join(cwd, "deploy", "deployment.yaml"), `${deployment}# mine\n`);
    const refused = await write();
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/^levelset: .*changed since: deployment\.yaml\nhint: .*--force\n$/u),
    ]);
    expect(await write("--force")).toMatchObject({ code: 0 });
  });

  const title = hasKubectl ? "writes a base that kubectl builds and applies idempotently" : "needs kubectl";
  test.skipIf(!hasKubectl)(title, async () => {
    await using directory = await tempDirectoryInRepository();
    await using target = await startEmbeddedServer();
    const out = join(directory.path, "deploy");
    const simple = [
      "manifests",
      "examples/01-simple/simple.ts",
      "--name",
      "simple",
      "--out",
      out,
      "--namespaces",
      "default",
    ];
    expect(await levelset(ROOT, ...simple)).toMatchObject({ code: 0 });
    const built = await runProcess("kubectl", { args: ["kustomize", out], cwd: ROOT });
    expect([built.code, loadAll(built.stdout).length]).toEqual([0, 11]);
    const applied = await kubectl(target.kubeconfig, "apply", "--validate=strict", "-k", out);
    expect([applied.code, applied.stderr, applied.stdout.trim().split("\n").length]).toEqual([0, "", 11]);
    expect(applied.stdout).toContain("deployment.apps/simple created");
    const again = await kubectl(target.kubeconfig, "apply", "--validate=strict", "-k", out);
    // kubectl reports the selector of a PodDisruptionBudget as changed each time; the server does not.
    expect(
      again.stdout
        .trim()
        .split("\n")
        .filter((line) => !line.endsWith(" unchanged")),
    ).toEqual(["poddisruptionbudget.policy/simple configured"]);
  });
});
