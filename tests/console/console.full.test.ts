import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { ConfigMap } from "@levelset/core";
import { Operand } from "@levelset/operator";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inChromium } from "../support/chromium.ts";
import { ADAPTERS, Stage } from "./stage.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

inChromium("the console", (launch) => {
  let browser: Browser;
  let stage: Stage;
  let url: string;
  beforeAll(async () => {
    browser = await launch();
    stage = await Stage.open({ allowActions: true });
    url = await stage.start();
    await stage.simple("good", 5);
    await stage.simple("bad", 0);
    await stage.client.create(Operand, { metadata: { name: "shop" }, spec: { steadyState: SET } });
    const eu = await stage.cluster("eu-1");
    for (const adapter of ADAPTERS) await stage.report(eu, adapter, true);
    const us = await stage.cluster("us-1");
    for (const [index, adapter] of ADAPTERS.entries()) await stage.report(us, adapter, index > 0);
  });
  afterAll(async () => {
    await browser.close();
    await stage[Symbol.asyncDispose]();
  });

  /** A page that fails the test when the browser complains about anything. */
  async function open(path: string): Promise<AsyncDisposable & { readonly page: Page; readonly complaints: string[] }> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("request", (request) => {
      if (new URL(request.url()).host !== new URL(url).host) complaints.push(`asked ${request.url()}`);
    });
    await page.goto(url);
    await page.goto(new URL(path, url).href);
    return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
  }

  const SIMPLE = "/objects/examples.levelset.dev%2Fv1beta1/Simple/default";

  test("the overview shows all three sizes, the worst first, and why", async () => {
    await using opened = await open("/");
    const { page, complaints } = opened;
    const objects = page.getByRole("region", { name: "Objects" });
    await objects.getByText("division by zero").waitFor();
    expect(await objects.locator(".worst-item").count()).toBe(1);
    await page.getByRole("region", { name: "Sets" }).getByText("1 ready").waitFor();
    await page.getByRole("region", { name: "Fleet" }).getByText("NoQuota").waitFor();
    expect(complaints).toEqual([]);
  });

  test("an object that breaks turns on an open page, and says why", async () => {
    await stage.simple("turning", 2);
    await using opened = await open(`${SIMPLE}/turning`);
    const { page, complaints } = opened;
    await page.locator(".banner.good").waitFor();
    await stage.divideBy("turning", 0);
    await page.locator(".banner.bad").waitFor();
    await page.locator(".tree").getByText("InputReady").waitFor();
    await page.locator(".run").getByText("run").first().waitFor();
    await page.locator(".history").first().waitFor();
    await stage.divideBy("turning", 5);
    await page.locator(".banner.good").waitFor();
    expect(complaints).toEqual([]);
  });

  test("what a condition was before the console came is told by the records of its operator", async () => {
    await stage.simple("remembered", 2);
    await stage.until("remembered", (status) => status === "True");
    await stage.divideBy("remembered", 0);
    await stage.until("remembered", (status) => status === "False");
    await stage.stop();
    await stage.start();
    await using opened = await open(`${SIMPLE}/remembered`);
    const { page, complaints } = opened;
    const ready = page.getByRole("region", { name: "Conditions" }).locator("li", { hasText: "Ready" }).first();
    await ready.locator(".history").getByText("ok").waitFor();
    expect(await ready.locator(".history").textContent()).toMatch(/ok run \d+/u);
    await page.getByRole("region", { name: "Written by" }).getByText(".spec.divisor").waitFor();
    expect(complaints).toEqual([]);
  });

  test("a set shows its objects by stage, what a run would do, and what it asked for before", async () => {
    await using opened = await open("/sets/shop");
    const { page, complaints } = opened;
    await page.getByText("Nothing to write: 2 objects").waitFor();
    await page.getByRole("button", { name: "Suspend" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
    await page.getByText("Suspended", { exact: false }).first().waitFor();
    await stage.client.mergePatch(ConfigMap, { namespace: "default", name: "flags" }, { data: { color: "red" } });
    const line = page.locator(".plan summary");
    await line.waitFor();
    await line.click();
    expect(await page.locator(".diff .good").allTextContents()).toEqual(["+   color: blue\n"]);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
    await page.getByText("Nothing to write: 2 objects").waitFor();
    const content = await page.content();
    expect(content).not.toContain("hunter2");
    expect(complaints).toEqual([]);
  });

  test("a fleet is a matrix that can be searched by words and by expressions, and each cluster has a page", async () => {
    await using opened = await open("/fleet");
    const { page, complaints } = opened;
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
    await page.locator(".lanes .mark.bad").first().waitFor();
    // Nobody sends pulses here: what is due is told all the same.
    await page.getByText("no pulse was sent yet").waitFor();
    await page.getByRole("columnheader", { name: "Asked again" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("the runtime shows queues, caches and rates", async () => {
    await using opened = await open("/runtime");
    const { page, complaints } = opened;
    await page.getByText("keys waiting").first().waitFor();
    await page.getByText("runs each second").first().waitFor();
    await page.getByText("leads").waitFor();
    expect(complaints).toEqual([]);
  });

  test("every view passes an accessibility audit, in light and in dark, and fits on a narrow screen", async () => {
    const [cluster] = await stage.clusters.named("us-1");
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
        // Not into the page's own world, whose policy forbids scripts of others.
        const found = await auditIn(page);
        expect(found, `${path} ${colorScheme}`).toEqual([]);
      }
      await page.setViewportSize({ width: 400, height: 800 });
      expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, 400]);
    }
  });

  test("names and values that hold markup, turn text around or never end do nothing", async () => {
    const hostile = `<img src=x onerror="document.title='owned'">\u202Egnp.exe ${"long".repeat(2_000)}`;
    await stage.client.create(ConfigMap, {
      metadata: { namespace: "default", name: "hostile" },
      data: { value: hostile },
    });
    const made = await stage.cluster("hostile-1");
    await stage.clusters.patch(made.id, { labels: {}, spec: { note: hostile } });
    for (const path of ["/objects/v1/ConfigMap/default/hostile", `/fleet/clusters/${made.id}`]) {
      await using opened = await open(path);
      const { page, complaints } = opened;
      await page.locator(".yaml-line", { hasText: "onerror" }).first().waitFor();
      expect(await page.title()).toBe("levelset console");
      expect(await page.locator("img").count()).toBe(0);
      expect(await page.locator("main").textContent()).not.toContain("\u202E");
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      expect(complaints).toEqual([]);
    }
    await stage.clusters.delete(made.id);
  });

  test("the address of an object that is not there says so, and shows it when it comes", async () => {
    await using opened = await open(`${SIMPLE}/later`);
    const { page } = opened;
    await page.getByText("not there").first().waitFor();
    await stage.simple("later", 5);
    await expect.poll(() => page.locator(".banner.good").count()).toBe(1);
  });

  test("everything that is downloaded first fits into 200 kB, and is on the screen within a second", async () => {
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
    const painted = await page.evaluate(
      "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity",
    );
    expect(painted).toBeLessThan(1_000);
  });

  describe("a page that stays open", () => {
    test("goes on by itself after the console was away, with what happened meanwhile", async () => {
      await using opened = await open("/");
      const { page } = opened;
      await page.locator(".link.live").waitFor();
      await stage.stop();
      await page.locator(".link.lost").waitFor();
      await stage.simple("meanwhile", 0);
      await stage.start();
      await page.locator(".link.live").waitFor();
      await expect.poll(() => page.locator(".worst-item", { hasText: "meanwhile" }).count()).toBe(1);
    });

    test("loads itself again when the console that comes back has other pages", async () => {
      await using opened = await open("/");
      const { page } = opened;
      await page.locator(".link.live").waitFor();
      await page.evaluate("globalThis.isOld = true");
      await page.route("**/api/session", async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ json: { ...(await answer.json()), pages: "other" } });
      });
      await stage.stop();
      await stage.start();
      await expect.poll(() => page.evaluate("globalThis.isOld").catch(() => true), { timeout: 8_000 }).toBeUndefined();
      await page.locator(".link.live").waitFor();
    });

    test("says that the cluster is away or refuses it, and goes on when it no longer is", async () => {
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
      stage.outage = () => Promise.resolve(Response.json(status, { status: 401 }));
      await page.getByText("does not accept the credentials").first().waitFor();
      stage.outage = undefined;
      await expect.poll(() => page.getByText("does not accept the credentials").count(), { timeout: 30_000 }).toBe(0);
      expect(await page.locator(".banner.good").count()).toBe(1);
    });
  });
});

const SET = [
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "flags", namespace: "default" }, data: { color: "blue" } },
  {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "db", namespace: "default" },
    stringData: { password: "hunter2" },
  },
];

/** What an audit finds: the rules that are broken, and where. */
async function auditIn(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const world = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  const contextId = world.executionContextId;
  await session.send("Runtime.evaluate", { expression: AXE, contextId });
  const expression =
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))";
  const { result } = await session.send("Runtime.evaluate", {
    expression,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  });
  return result.value as readonly string[];
}
