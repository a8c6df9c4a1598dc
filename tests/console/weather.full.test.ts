import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openConsole } from "../../packages/cli/src/console.ts";
import type { OpenConsole } from "../../packages/cli/src/console.ts";
import { testShell } from "../../packages/cli/src/shell.fixture.ts";
import { Simple } from "../../examples/01-simple/simple.ts";
import { inChromium } from "../support/chromium.ts";
import { scratch } from "../support/scratch.ts";
import type { Scratch } from "../support/scratch.ts";
import { CuttingProxy } from "./cutting-proxy.ts";
import { ClusterPlace, FleetPlace } from "./places.ts";
import { buildPages } from "./stage.ts";

/** How long a page may take to hear of what happened far away. */
const HEARD = { timeout: 30_000 };

inChromium("the console in bad weather", (launch) => {
  let browser: Browser;
  let directory: Scratch;
  let cluster: ClusterPlace;
  let fleet: FleetPlace;
  let running: OpenConsole;
  let page: Page;
  beforeAll(async () => {
    await buildPages();
    browser = await launch();
    directory = await scratch();
    cluster = new ClusterPlace(directory.path);
    await cluster.up();
    fleet = await FleetPlace.open(directory.path);
    const { shell } = testShell({ cwd: directory.path });
    const flags = { kubeconfig: "kubeconfig", fleet: fleet.url, fleetTokenFile: "token", port: 0 };
    running = await openConsole(flags, shell);
    page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    page.setDefaultTimeout(HEARD.timeout);
  });
  afterAll(async () => {
    await browser.close();
    await running[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
    await fleet[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await page.goto(running.url);
    await page.locator(".link.live").waitFor();
  });

  const notice = (): Locator => page.locator(".notices");

  /** Waits for a notice with this text: each source has one of its own, and two may read alike. */
  async function said(text: string): Promise<void> {
    await notice().getByText(text).first().waitFor();
  }

  async function show(view: "Objects" | "Fleet"): Promise<void> {
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: view }).click();
  }

  async function rows(): Promise<readonly string[]> {
    return (await page.locator(".row-link").allTextContents()).toSorted();
  }

  test("a cluster that is down is named, what was seen stays, and what happened meanwhile is there when it is back", async () => {
    await cluster.make("before-1", "before-2");
    await show("Objects");
    await expect.poll(rows, HEARD).toEqual(["default/before-1", "default/before-2"]);
    await cluster.down();
    await said("the cluster does not answer");
    expect(await rows()).toHaveLength(2);
    await cluster.up();
    await cluster.client.delete(Simple, { namespace: "default", name: "before-1" });
    await cluster.make("after");
    await expect.poll(rows, HEARD).toEqual(["default/after", "default/before-2"]);
    await expect.poll(() => notice().textContent(), HEARD).toBe("");
  });

  test("a cluster that comes back with a history of its own is shown as it is, with nothing of the old one", async () => {
    await show("Objects");
    await expect.poll(rows, HEARD).toContain("default/before-2");
    await cluster.down();
    await said("the cluster does not answer");
    await cluster.up({ isNew: true });
    await cluster.make("before-2", "new");
    await expect.poll(rows, HEARD).toEqual(["default/before-2", "default/new"]);
    await expect.poll(() => notice().textContent(), HEARD).toBe("");
    await cluster.make("newer");
    await expect.poll(rows, HEARD).toHaveLength(3);
  });

  test("credentials that expired are said to be, and a new login is enough", async () => {
    await page.goto(new URL("/objects/v1/Namespace/-/default", running.url).href);
    await page.locator(".banner").waitFor();
    await cluster.down();
    await cluster.up();
    cluster.writeKubeconfig("expired");
    await said("does not accept the credentials");
    cluster.writeKubeconfig();
    await expect.poll(() => notice().textContent(), HEARD).toBe("");
    await expect.poll(() => page.getByText("does not accept").count(), HEARD).toBe(0);
  });

  test("a fleet that is down is named, and goes on with what happened meanwhile", async () => {
    await fleet.make("eu-1");
    await show("Fleet");
    await expect.poll(rows, HEARD).toEqual(["eu-1"]);
    await fleet.down();
    await said("the fleet does not answer");
    expect(await rows()).toEqual(["eu-1"]);
    await fleet.up();
    await fleet.make("eu-2");
    await expect.poll(rows, HEARD).toEqual(["eu-1", "eu-2"]);
    await expect.poll(() => notice().textContent(), HEARD).toBe("");
  });

  test("a token of a fleet that expired is said to be, and a new one in its file is enough", async () => {
    await show("Fleet");
    await expect.poll(rows, HEARD).toContain("eu-1");
    await fleet.writeToken({ isExpired: true });
    await fleet.down();
    await fleet.up();
    await said("expired");
    await fleet.writeToken({ isExpired: false });
    await fleet.make("eu-3");
    await expect.poll(rows, HEARD).toContain("eu-3");
    await expect.poll(() => notice().textContent(), HEARD).toBe("");
  });

  test("a stream that is cut anywhere goes on: the page says so meanwhile, and shows everything once", async () => {
    await cluster.make("cut");
    await using proxy = await CuttingProxy.open(running.url);
    await page.goto(proxy.through(running.url));
    await show("Objects");
    await page.locator(".row-link").first().waitFor();
    const before = (await rows()).length;
    const places = [0, 20, 120];
    for (const [round, bytes] of places.entries()) {
      const { cuts } = proxy;
      proxy.cutAfter = bytes;
      proxy.cut();
      await page.locator(".link.lost").waitFor();
      await cluster.make(`cut-${round}`);
      await expect.poll(() => proxy.cuts, HEARD).toBeGreaterThan(cuts);
    }
    proxy.cutAfter = undefined;
    await page.locator(".link.live").waitFor();
    await expect.poll(rows, HEARD).toHaveLength(before + places.length);
    expect(new Set(await rows()).size).toBe(before + places.length);
  });

  test("a page that nobody sees asks for nothing until somebody does, also after it lost its connection", async () => {
    await using proxy = await CuttingProxy.open(running.url);
    await page.goto(proxy.through(running.url));
    await page.locator(".link.live").waitFor();
    const streams: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/stream")) streams.push(request.url());
    });
    const setHidden = (isHidden: boolean): Promise<unknown> =>
      page.evaluate(`Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"))`);
    proxy.cut();
    await page.locator(".link.lost").waitFor();
    const asked = page.waitForResponse((response) => response.url().endsWith("/api/session"));
    await setHidden(true);
    await asked;
    await cluster.make("unseen");
    await setHidden(false);
    await page.locator(".link.live").waitFor();
    await show("Objects");
    await expect.poll(rows, HEARD).toContain("default/unseen");
    expect(streams).toHaveLength(1);
  });
});
