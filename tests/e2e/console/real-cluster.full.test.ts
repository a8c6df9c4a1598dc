import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLUSTER_ORIGIN } from "@levelset/core/internal";
import { Client, installCrd, manager, Operand, operandOperators } from "@levelset/operator";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openConsole } from "../../../packages/cli/src/console/open-console.ts";
import type { OpenConsole } from "../../../packages/cli/src/console/open-console.ts";
import { testShell } from "../../../packages/cli/src/terminal/shell.fixture.ts";
import { Simple } from "../../../examples/01-simple/simple.ts";
import { inChromium } from "../../support/chromium.ts";
import { TestProcess } from "../../support/test-process.ts";
import { onRealCluster } from "../../support/real-cluster.ts";
import { LAUNCHER, ROOT } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import type { TempDirectory } from "../../support/temp-directory.ts";
import { connectSession } from "../../support/test-server.ts";
import type { ServerSession, TestServer } from "../../support/test-server.ts";
import { buildPages } from "./console-harness.ts";

const UPDATED = { timeout: 30_000 };

await onRealCluster("the console on a real kube-apiserver", (start) => {
  inChromium("the console on a real kube-apiserver", (launch) => {
    let browser: Browser;
    let directory: TempDirectory;
    let cluster: TestServer;
    let admin: ServerSession;
    let client: Client;
    let operator: TestProcess;
    beforeAll(async () => {
      await buildPages();
      browser = await launch();
      directory = await tempDirectory();
      cluster = await start();
      admin = await connectSession(cluster);
      client = new Client({ fetch: admin.world.fetch, fieldManager: "test" });
      const sets = manager([...operandOperators()]);
      for (const kind of [Simple, ...(sets.kinds ?? [])]) await installCrd(client, kind, admin.world);
      admin.run(sets);
      const args = ["run", "examples/01-simple/simple.ts", "--kubeconfig", cluster.kubeconfig];
      const env = { XDG_RUNTIME_DIR: directory.path };
      operator = new TestProcess(process.execPath, {
        args: [LAUNCHER, ...args, "--live", "--figures"],
        cwd: ROOT,
        env,
      });
      for (const [name, divisor] of [["good", 5] as const, ["bad", 0] as const]) {
        await client.create(Simple, { metadata: { namespace: "default", name }, spec: { dividend: 10, divisor } });
      }
    });
    afterAll(async () => {
      await browser.close();
      await operator[Symbol.asyncDispose]();
      await admin[Symbol.asyncDispose]();
      await cluster[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    });

    /** Creates an object of a kind without types in this package. */
    async function post(path: string, body: unknown): Promise<unknown> {
      const headers = { "content-type": "application/json" };
      const request = new Request(CLUSTER_ORIGIN + path, { method: "POST", headers, body: JSON.stringify(body) });
      const response = await admin.world.fetch(request);
      expect(response.status).toBe(201);
      return response.json();
    }

    function open(kubeconfig: string, allowActions = false): Promise<OpenConsole> {
      const { shell } = testShell({ cwd: directory.path });
      return openConsole({ kubeconfig, port: 0, allowActions }, shell);
    }

    async function pageOf(running: OpenConsole, path = "/"): Promise<Page> {
      const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
      page.setDefaultTimeout(UPDATED.timeout);
      await page.goto(running.url);
      await page.goto(new URL(path, running.url).href);
      return page;
    }

    /** Allows the service account to get, list and watch a resource. */
    async function allow(name: string, apiGroup: string, resource: string): Promise<void> {
      const rbac = "/apis/rbac.authorization.k8s.io/v1";
      const rule = { apiGroups: [apiGroup], resources: [resource], verbs: ["get", "list", "watch"] };
      await post(`${rbac}/clusterroles`, { metadata: { name }, rules: [rule] });
      await post(`${rbac}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
        subjects: [{ kind: "ServiceAccount", namespace: "default", name: "viewer" }],
      });
    }

    test("missing permissions are named by kind, and objects appear as soon as they are granted", async () => {
      const accounts = "/api/v1/namespaces/default/serviceaccounts";
      await post(accounts, { metadata: { name: "viewer" } });
      const tokenRequest = {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: { expirationSeconds: 600 },
      };
      const { status } = (await post(`${accounts}/viewer/token`, tokenRequest)) as {
        readonly status: { readonly token: string };
      };
      const kubeconfig = join(directory.path, "viewer.yaml");
      const text = readFileSync(cluster.kubeconfig, "utf8");
      writeFileSync(kubeconfig, text.replace(/"token": ".*"/u, `"token": "${status.token}"`));
      await using running = await open(kubeconfig);
      const page = await pageOf(running);
      const notice = page.locator(".notices");
      await notice
        .getByText(/"system:serviceaccount:default:viewer" cannot (?:list|watch)/u)
        .first()
        .waitFor();
      expect(await notice.textContent()).toContain("customresourcedefinitions.apiextensions.k8s.io");
      await allow("see-declarations", "apiextensions.k8s.io", "customresourcedefinitions");
      await allow("see-simples", "examples.levelset.dev", "simples");
      await page.getByRole("region", { name: "Objects" }).getByText("division by zero").waitFor();
      await expect.poll(() => notice.textContent(), UPDATED).toContain("operands.operand.levelset.dev");
      expect(await notice.textContent()).not.toContain("customresourcedefinitions");
      await allow("see-sets", "operand.levelset.dev", "operands");
      await expect.poll(() => notice.textContent(), UPDATED).toBe("");
      await page.close();
    });

    test("an open page shows state changes and the runs of an operator on this machine", async () => {
      await using running = await open(cluster.kubeconfig);
      const page = await pageOf(running, "/objects/examples.levelset.dev%2Fv1beta1/Simple/default/good");
      await page.locator(".banner.good").waitFor();
      await client.mergePatch(Simple, { namespace: "default", name: "good" }, { spec: { divisor: 0 } });
      await page.locator(".banner.bad").waitFor();
      await expect.poll(() => page.locator(".run").count(), UPDATED).toBeGreaterThan(0);
      await client.mergePatch(Simple, { namespace: "default", name: "good" }, { spec: { divisor: 2 } });
      await page.locator(".banner.good").waitFor();
      await page.close();
    });

    test("an Operand is planned by dry runs, suspended and resumed", async () => {
      await using running = await open(cluster.kubeconfig, true);
      const data = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "flags", namespace: "default" } };
      const secret = {
        ...data,
        kind: "Secret",
        metadata: { ...data.metadata, name: "db" },
        stringData: { p: "hunter2" },
      };
      await client.create(Operand, { metadata: { name: "shop" }, spec: { steadyState: [data, secret] } });
      const page = await pageOf(running, "/sets/shop");
      await page.getByText("No changes: 2 objects").waitFor();
      for (const [button, text] of [["Suspend", "Paused"] as const, ["Resume", "No changes: 2 objects"] as const]) {
        await page.getByRole("button", { name: button }).click();
        await page.getByRole("dialog").getByRole("button", { name: button }).click();
        await page.getByText(text, { exact: false }).first().waitFor();
      }
      const content = await page.content();
      expect(content).not.toContain("hunter2");
      expect(content).not.toContain(Buffer.from("hunter2").toString("base64"));
      await page.close();
    });
  });
});
