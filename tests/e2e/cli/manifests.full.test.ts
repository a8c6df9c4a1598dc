import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dump, load, loadAll } from "js-yaml";
import { describe, expect, test } from "vitest";
import { runProcess, TestProcess } from "../../support/test-process.ts";
import type { ProcessResult } from "../../support/test-process.ts";
import { onRealCluster } from "../../support/real-cluster.ts";
import { LAUNCHER } from "../../support/repository.ts";
import { tempDirectoryInRepository } from "../../support/temp-directory.ts";

/** An operator with all features that need RBAC: an owned child, a reference, extra rules, a finalizer, events. */
const SHOP = `
  import { ConfigMap, controllerReference, isNotFound, kind, s, Secret, ServiceAccount } from "@levelset/core";
  import { ok, operator, reference, step, wait } from "@levelset/operator";
  const Shop = kind({
    group: "deploy.levelset.dev", version: "v1", kind: "Shop",
    spec: s.object({ secret: s.string() }),
    status: s.object({ account: s.string().optional() }),
  });
  const stock = step(Shop, "Stock", {
    owns: [ConfigMap],
    reads: [reference(Shop, Secret, ({ spec }) => spec.secret)],
    do: async (req) => {
      const key = { namespace: req.namespace, name: req.name };
      if (req.get(Secret, { ...key, name: req.spec.secret }) === undefined) return wait("no secret yet");
      req.event({ reason: "Stocked", message: "the shelves are full" });
      const metadata = { ...key, ownerReferences: [controllerReference(req.object)] };
      await req.client.apply(ConfigMap, { metadata, data: { open: "yes" } });
      req.metadata.labels["open"] = "yes";
      return ok();
    },
  });
  const account = step(Shop, "Account", {
    rbac: [{ apiGroups: [""], resources: ["serviceaccounts"], verbs: ["create", "delete", "get", "patch"] }],
    do: async (req) => {
      await req.client.apply(ServiceAccount, { metadata: { namespace: req.namespace, name: req.name } });
      req.status.account = req.name;
      return ok();
    },
    cleanup: async (req) => {
      await req.client.delete(ServiceAccount, { namespace: req.namespace, name: req.name }).catch((error) => {
        if (!isNotFound(error)) throw error;
      });
      return ok();
    },
  });
  export default operator(Shop, [stock, account]);
`;

const OBJECTS = `
apiVersion: v1
kind: Secret
metadata: {name: key, namespace: default}
---
apiVersion: deploy.levelset.dev/v1
kind: Shop
metadata: {name: corner, namespace: default}
spec: {secret: key}
`;

/** The operator without the step that reads a kind which it does not declare: a plan lacks such objects. */
const STOCK_ONLY = SHOP.replace("[stock, account]", "[stock]");

/** The names and versions of objects. */
const VERSIONS = "jsonpath={range .items[*]}{.kind} {.metadata.name} {.metadata.resourceVersion};{end}";

interface DeployOptions {
  /** Flags of `levelset manifests`. */
  readonly flags?: readonly string[];
  /** Source of the operator. */
  readonly program?: string;
}

/** A deployment of the shop operator on a real cluster. */
class Harness {
  readonly directory: string;
  readonly kubeconfig: string;

  constructor(directory: string, kubeconfig: string) {
    this.directory = directory;
    this.kubeconfig = kubeconfig;
  }

  async kubectl(...args: string[]): Promise<string> {
    const ended = await runProcess("kubectl", { args, cwd: this.directory, env: { KUBECONFIG: this.kubeconfig } });
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    return ended.stdout.trim();
  }

  levelset(...args: string[]): Promise<ProcessResult> {
    return runProcess(process.execPath, { args: [LAUNCHER, ...args], cwd: this.directory });
  }

  /** Writes a kubeconfig with the credentials of a service account. */
  async accountKubeconfig(namespace: string, account: string): Promise<string> {
    const token = await this.kubectl("create", "token", "-n", namespace, account);
    const config = load(await readFile(this.kubeconfig, "utf8")) as {
      readonly users: readonly { readonly name: string }[];
    };
    const users = config.users.map(({ name }) => ({ name, user: { token } }));
    const path = join(this.directory, `kubeconfig-${account}`);
    await writeFile(path, dump({ ...config, users }), { mode: 0o600 });
    return path;
  }

  /** Deploys the manifests of the operator, and returns a kubeconfig with its service account. */
  async deploy({ flags = [], program = SHOP }: DeployOptions): Promise<string> {
    await writeFile(
      join(this.directory, "package.json"),
      '{"name": "shop", "type": "module", "dependencies": {"levelset": "*"}}',
    );
    await writeFile(join(this.directory, "shop.ts"), program);
    await writeFile(join(this.directory, "objects.yaml"), OBJECTS);
    expect(await this.levelset("manifests", "shop.ts", "--out", "deploy", ...flags)).toMatchObject({
      code: 0,
      stderr: "",
    });
    await this.kubectl("apply", "--validate=strict", "-k", "deploy");
    return this.accountKubeconfig("shop-system", "shop");
  }

  /** Runs the deployed operator. */
  async run(kubeconfig: string): Promise<TestProcess> {
    const args = [LAUNCHER, ...(await this.podArguments()), "--verbose", "--kubeconfig", kubeconfig];
    return new TestProcess(process.execPath, { args, cwd: this.directory });
  }

  /** Creates the shop, and waits until the operator has made it Ready. */
  async openShop(operator: TestProcess): Promise<void> {
    await operator.untilOutput(/"leading"/u);
    await this.kubectl("apply", "-f", "objects.yaml");
    await this.kubectl("wait", "--for=condition=Ready", "shop/corner", "--timeout=30s");
  }

  /** Returns the arguments of the pods with a free port. */
  async podArguments(): Promise<readonly string[]> {
    const [deployment] = loadAll(
      await readFile(join(this.directory, "deploy", "deployment.yaml"), "utf8"),
    ) as readonly {
      readonly spec: {
        readonly template: { readonly spec: { readonly containers: readonly { readonly args: readonly string[] }[] } };
      };
    }[];
    const args = deployment?.spec.template.spec.containers[0]?.args ?? [];
    return args.map((arg) => (arg.startsWith("--listen=") ? "--listen=127.0.0.1:0" : arg));
  }
}

await onRealCluster("deployed operators", (start) => {
  describe("deployed operators", () => {
    test.each([[[]], [["--namespaces=default"]], [["--install-crds"]]])(
      "run on a real cluster with exactly the permissions of their manifests: %j",
      async (flags) => {
        await using cluster = await start();
        await using scratch = await tempDirectoryInRepository();
        const harness = new Harness(scratch.path, cluster.kubeconfig);
        const kubeconfig = await harness.deploy({ flags });
        await harness.kubectl("create", "serviceaccount", "unprivileged");
        const unprivileged = await harness.accountKubeconfig("default", "unprivileged");
        const refused = await harness.levelset("run", "shop.ts", "--kubeconfig", unprivileged, ...flags);
        expect([refused.code, refused.stderr]).toEqual([
          2,
          expect.stringMatching(
            /^levelset: missing permissions: .*cannot (list|get) resource.*\nhint: run levelset manifests shop\.ts .*\n$/u,
          ),
        ]);

        await using operator = await harness.run(kubeconfig);
        await harness.openShop(operator);
        const [, url] = await operator.untilOutput(/"url":"([^"]+)".*"listening"/u);
        expect(await harness.kubectl("get", "configmap", "corner", "-o", "jsonpath={.data.open}")).toBe("yes");
        await expect.poll(() => harness.kubectl("get", "events", "-o", "name")).toContain("event/corner.");
        expect((await fetch(`${url}/readyz`)).status).toBe(200);
        await harness.kubectl("delete", "shop", "corner", "--timeout=30s");
        operator.signal("SIGTERM");
        const { code, stderr } = await operator.untilExit();
        expect([code, stderr.match(/^.*(?:orbidden|cannot).*$/gmu)]).toEqual([0, null]);
        expect(
          await harness.kubectl("get", "lease", "shop", "-n", "shop-system", "-o", "jsonpath={.spec.holderIdentity}"),
        ).toBe("");
        expect(await harness.kubectl("get", "serviceaccount", "-o", "name")).not.toContain("corner");
      },
      120_000,
    );

    test("are planned with their own permissions, without a write", async () => {
      await using cluster = await start();
      await using scratch = await tempDirectoryInRepository();
      const harness = new Harness(scratch.path, cluster.kubeconfig);
      const kubeconfig = await harness.deploy({ program: STOCK_ONLY });
      await using operator = await harness.run(kubeconfig);
      await harness.openShop(operator);
      operator.signal("SIGTERM");
      await operator.untilExit();
      const read = (): Promise<string> =>
        harness.kubectl("get", "shops,configmaps,secrets,serviceaccounts,events", "-o", VERSIONS);
      const before = await read();
      const plan = (file: string): Promise<ProcessResult> =>
        harness.levelset("plan", file, "--kubeconfig", kubeconfig, "--exit-code");
      expect(await plan("shop.ts")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^no changes; /mu) });
      await writeFile(join(scratch.path, "next.ts"), STOCK_ONLY.replace('open: "yes"', 'open: "no"'));
      expect(await plan("next.ts")).toMatchObject({
        code: 3,
        stdout: expect.stringMatching(/^ {2}~ ConfigMap {2}default\/corner {2}open yes → no\n[^]*^1 to change; /mu),
      });
      expect(await read()).toBe(before);
    });
  });
});
