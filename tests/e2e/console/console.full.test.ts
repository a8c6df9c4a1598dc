import { gzipSync } from "node:zlib";
import { ConfigMap } from "@levelset/core";
import { Operand } from "@levelset/operator";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inChromium } from "../../support/chromium.ts";
import { auditIn } from "./accessibility-audit.ts";
import { ADAPTERS, ConsoleHarness } from "./console-harness.ts";

inChromium("the console", (launch) => {
  let browser: Browser;
  let harness: ConsoleHarness;
  let url: string;
  beforeAll(async () => {
    browser = await launch();
    harness = await ConsoleHarness.open({ allowActions: true });
    url = await harness.start();
    await harness.createSimple("good", 5);
    await harness.createSimple("bad", 0);
    await harness.client.create(Operand, { metadata: { name: "shop" }, spec: { steadyState: MANIFESTS } });
    const eu = await harness.createCluster("eu-1");
    for (const adapter of ADAPTERS) await harness.report(eu, adapter, true);
    const us = await harness.createCluster("us-1");
    for (const [index, adapter] of ADAPTERS.entries()) await harness.report(us, adapter, index > 0);
  });
  afterAll(async () => {
    await browser.close();
    await harness[Symbol.asyncDispose]();
  });

  /** Opens a page and records browser errors and requests to other hosts. */
  async function open(path: string): Promise<AsyncDisposable & { readonly page: Page; readonly errors: string[] }> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    page.on("request", (request) => {
      if (new URL(request.url()).host !== new URL(url).host) errors.push(`request to ${request.url()}`);
    });
    await page.goto(url);
    await page.goto(new URL(path, url).href);
    return { page, errors, [Symbol.asyncDispose]: () => context.close() };
  }

  const SIMPLE = "/objects/examples.levelset.dev%2Fv1beta1/Simple/default";

  test("the overview shows objects, Operands and the fleet, the most severe first, with reasons", async () => {
    await using opened = await open("/");
    const { page, errors } = opened;
    const objects = page.getByRole("region", { name: "Objects" });
    await objects.getByText("division by zero").waitFor();
    expect(await objects.locator(".worst-item").count()).toBe(1);
    await page.getByRole("region", { name: "Operands" }).getByText("1 Ready").waitFor();
    await page.getByRole("region", { name: "Fleet" }).getByText("NoQuota").waitFor();
    expect(errors).toEqual([]);
  });

  test("an open page shows that an object fails, and why", async () => {
    await harness.createSimple("failing", 2);
    await using opened = await open(`${SIMPLE}/failing`);
    const { page, errors } = opened;
    await page.locator(".banner.good").waitFor();
    await harness.divideBy("failing", 0);
    await page.locator(".banner.bad").waitFor();
    await page.locator(".tree").getByText("InputReady").waitFor();
    await page.locator(".run").getByText("run").first().waitFor();
    await page.locator(".history").first().waitFor();
    await harness.divideBy("failing", 5);
    await page.locator(".banner.good").waitFor();
    expect(errors).toEqual([]);
  });

  test("earlier states of a condition come from the run records of its operator", async () => {
    await harness.createSimple("recorded", 2);
    await harness.until("recorded", (status) => status === "True");
    await harness.divideBy("recorded", 0);
    await harness.until("recorded", (status) => status === "False");
    await harness.stop();
    await harness.start();
    await using opened = await open(`${SIMPLE}/recorded`);
    const { page, errors } = opened;
    const ready = page.getByRole("region", { name: "Conditions" }).locator("li", { hasText: "Ready" }).first();
    await ready.locator(".history").getByText("ok").waitFor();
    expect(await ready.locator(".history").textContent()).toMatch(/ok run \d+/u);
    await page.getByRole("region", { name: "Field managers" }).getByText(".spec.divisor").waitFor();
    expect(errors).toEqual([]);
  });

  test("the page of an Operand shows its objects by stage and the plan, and pauses and resumes it", async () => {
    await using opened = await open("/sets/shop");
    const { page, errors } = opened;
    await page.getByText("No changes: 2 objects").waitFor();
    await page.getByRole("button", { name: "Suspend" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
    await page.locator(".banner .badge", { hasText: "Paused" }).waitFor();
    await page.getByText("Paused: resume the Operand to apply this plan.").waitFor();
    await harness.client.mergePatch(ConfigMap, { namespace: "default", name: "flags" }, { data: { color: "red" } });
    const line = page.locator(".plan summary");
    await line.waitFor();
    await line.click();
    expect(await page.locator(".diff .good").allTextContents()).toEqual(["+   color: blue\n"]);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
    await page.getByText("No changes: 2 objects").waitFor();
    const content = await page.content();
    expect(content).not.toContain("hunter2");
    expect(errors).toEqual([]);
  });

  test("the fleet matrix can be searched by words and by expressions, and each cluster has a page", async () => {
    await using opened = await open("/fleet");
    const { page, errors } = opened;
    const rows = page.locator(".fleet-row .row-link");
    await page.locator(".cell.bad").waitFor();
    expect(await rows.allTextContents()).toEqual(["us-1", "eu-1"]);
    await page.keyboard.press("/");
    await page.keyboard.type("eu");
    await expect.poll(() => rows.allTextContents()).toEqual(["eu-1"]);
    expect(new URL(page.url()).searchParams.get("q")).toBe("eu");
    await page.locator("[data-search]").fill("name = 'us-1'");
    await expect.poll(() => rows.allTextContents()).toEqual(["us-1"]);
    await page.getByText("found by the fleet").waitFor();
    await rows.first().click();
    await page.locator(".banner.bad").waitFor();
    await page.locator(".timeline .mark.bad").first().waitFor();
    // No Sentinel runs in this test; the page shows the due pulses anyway.
    await page.getByText("no pulse sent yet").waitFor();
    await page.getByRole("columnheader", { name: "Next pulse" }).waitFor();
    expect(errors).toEqual([]);
  });

  test("the runtime page shows queues, caches and rates", async () => {
    await using opened = await open("/runtime");
    const { page, errors } = opened;
    await page.getByText("keys waiting").first().waitFor();
    await page.getByText("runs per second").first().waitFor();
    await page.getByText("leader", { exact: false }).first().waitFor();
    expect(errors).toEqual([]);
  });

  test("every view passes an accessibility audit in light and dark mode and fits a narrow screen", async () => {
    const [cluster] = await harness.clusters.findByName("us-1");
    const views = [
      "/",
      "/objects",
      `${SIMPLE}/bad`,
      "/sets/shop",
      "/fleet",
      `/fleet/clusters/${cluster?.id}`,
      "/runtime",
    ];
    for (const path of views) {
      await using opened = await open(path);
      const { page } = opened;
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator("main > :not(.empty)").first().waitFor();
        const found = await auditIn(page);
        expect(found, `${path} ${colorScheme}`).toEqual([]);
      }
      await page.setViewportSize({ width: 400, height: 800 });
      expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, 400]);
    }
  });

  test("values with markup, control characters or extreme length are shown as text", async () => {
    const hostile = `<img src=x onerror="document.title='owned'">\u202Egnp.exe ${"long".repeat(2_000)}`;
    await harness.client.create(ConfigMap, {
      metadata: { namespace: "default", name: "hostile" },
      data: { value: hostile },
    });
    const made = await harness.createCluster("hostile-1");
    await harness.clusters.patch(made.id, { labels: {}, spec: { note: hostile } });
    for (const path of ["/objects/v1/ConfigMap/default/hostile", `/fleet/clusters/${made.id}`]) {
      await using opened = await open(path);
      const { page, errors } = opened;
      await page.locator(".yaml-line", { hasText: "onerror" }).first().waitFor();
      expect(await page.title()).toBe("levelset console");
      expect(await page.locator("img").count()).toBe(0);
      expect(await page.locator("main").textContent()).not.toContain("\u202E");
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      expect(errors).toEqual([]);
    }
    await harness.clusters.delete(made.id);
  });

  test("the page of a missing object shows that, and shows the object after it is created", async () => {
    await using opened = await open(`${SIMPLE}/later`);
    const { page } = opened;
    await page.getByText("not found").first().waitFor();
    await harness.createSimple("later", 5);
    await expect.poll(() => page.locator(".banner.good").count()).toBe(1);
  });

  test("the initial download is smaller than 200 kB", async () => {
    await using opened = await open("/");
    const { page } = opened;
    await page.locator(".worst-item").first().waitFor();
    const files = await page.evaluate(
      "performance.getEntriesByType('resource').filter((each) => each.name.includes('/assets/')).map((each) => each.name)",
    );
    const bodies = await Promise.all((files as string[]).map(async (file) => (await fetch(file)).arrayBuffer()));
    const size = bodies.reduce((sum, body) => sum + gzipSync(Buffer.from(body)).length, 0);
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThan(200_000);
  });

  describe("a page that stays open", () => {
    test("reconnects after a restart of the console and shows the changes since", async () => {
      await using opened = await open("/");
      const { page } = opened;
      await page.locator(".link.live").waitFor();
      await harness.stop();
      await page.locator(".link.lost").waitFor();
      await harness.createSimple("meanwhile", 0);
      await harness.start();
      await page.locator(".link.live").waitFor();
      await expect.poll(() => page.locator(".worst-item", { hasText: "meanwhile" }).count()).toBe(1);
    });

    test("reloads if the restarted console has another build", async () => {
      await using opened = await open("/");
      const { page } = opened;
      await page.locator(".link.live").waitFor();
      await page.evaluate("globalThis.isOld = true");
      await page.route("**/api/session", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ json: { ...(await response.json()), buildId: "other" } });
      });
      await harness.stop();
      await harness.start();
      await expect.poll(() => page.evaluate("globalThis.isOld").catch(() => true)).toBeUndefined();
      await page.locator(".link.live").waitFor();
    });

    test("shows that the cluster rejects the credentials until it accepts them", async () => {
      await using opened = await open(`${SIMPLE}/good`);
      const { page } = opened;
      await page.locator(".banner.good").waitFor();
      const status = {
        kind: "Status",
        apiVersion: "v1",
        status: "Failure",
        reason: "Unauthorized",
        code: 401,
        message: "no",
      };
      harness.outage = () => Promise.resolve(Response.json(status, { status: 401 }));
      await page.getByText("rejected the credentials").first().waitFor();
      harness.outage = undefined;
      await expect.poll(() => page.getByText("rejected the credentials").count(), { timeout: 30_000 }).toBe(0);
      expect(await page.locator(".banner.good").count()).toBe(1);
    });
  });
});

const MANIFESTS = [
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "flags", namespace: "default" }, data: { color: "blue" } },
  {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "db", namespace: "default" },
    stringData: { password: "hunter2" },
  },
];
