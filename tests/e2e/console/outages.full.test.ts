import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openConsole } from "../../../packages/cli/src/console/open-console.ts";
import type { OpenConsole } from "../../../packages/cli/src/console/open-console.ts";
import { testShell } from "../../../packages/cli/src/terminal/shell.fixture.ts";
import { Simple } from "../../../examples/01-simple/simple.ts";
import { inChromium } from "../../support/chromium.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import type { TempDirectory } from "../../support/temp-directory.ts";
import { TcpProxy } from "../../support/tcp-proxy.ts";
import { RestartableCluster, RestartableFleet } from "./restartable-servers.ts";
import { buildPages } from "./console-harness.ts";

/** Maximum time until a page shows a change of a server. */
const UPDATED = { timeout: 30_000 };

inChromium("the console during outages", (launch) => {
  let browser: Browser;
  let directory: TempDirectory;
  let cluster: RestartableCluster;
  let fleet: RestartableFleet;
  let running: OpenConsole;
  let page: Page;
  beforeAll(async () => {
    await buildPages();
    browser = await launch();
    directory = await tempDirectory();
    cluster = new RestartableCluster(directory.path);
    await cluster.start();
    fleet = await RestartableFleet.open(directory.path);
    const { shell } = testShell({ cwd: directory.path });
    const flags = { kubeconfig: "kubeconfig", fleet: fleet.url, fleetTokenFile: "token", port: 0 };
    running = await openConsole(flags, shell);
    page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    page.setDefaultTimeout(UPDATED.timeout);
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

  /** Waits for a notice with this text. Several sources may have a notice with the same text. */
  async function untilNotice(text: string): Promise<void> {
    await notice().getByText(text).first().waitFor();
  }

  async function show(view: "Objects" | "Fleet"): Promise<void> {
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: view }).click();
  }

  async function rows(): Promise<readonly string[]> {
    return (await page.locator(".row-link").allTextContents()).toSorted();
  }

  test("an unreachable cluster is reported, its rows stay, and changes appear when it is reachable again", async () => {
    await cluster.create("before-1", "before-2");
    await show("Objects");
    await expect.poll(rows, UPDATED).toEqual(["default/before-1", "default/before-2"]);
    await cluster.stop();
    await untilNotice("cannot reach the cluster");
    expect(await rows()).toHaveLength(2);
    await cluster.start();
    await cluster.client.delete(Simple, { namespace: "default", name: "before-1" });
    await cluster.create("after");
    await expect.poll(rows, UPDATED).toEqual(["default/after", "default/before-2"]);
    await expect.poll(() => notice().textContent(), UPDATED).toBe("");
  });

  test("a cluster that was replaced by an empty one is shown without rows of the old one", async () => {
    await show("Objects");
    await expect.poll(rows, UPDATED).toContain("default/before-2");
    await cluster.stop();
    await untilNotice("cannot reach the cluster");
    await cluster.start({ isNew: true });
    await cluster.create("before-2", "new");
    await expect.poll(rows, UPDATED).toEqual(["default/before-2", "default/new"]);
    await expect.poll(() => notice().textContent(), UPDATED).toBe("");
    await cluster.create("newer");
    await expect.poll(rows, UPDATED).toHaveLength(3);
  });

  test("expired credentials are reported, and a new kubeconfig is used without a restart", async () => {
    await page.goto(new URL("/objects/v1/Namespace/-/default", running.url).href);
    await page.locator(".banner").waitFor();
    await cluster.stop();
    await cluster.start();
    cluster.writeKubeconfig("expired");
    await untilNotice("rejected the credentials");
    cluster.writeKubeconfig();
    await expect.poll(() => notice().textContent(), UPDATED).toBe("");
    await expect.poll(() => page.getByText("rejected the credentials").count(), UPDATED).toBe(0);
  });

  test("an unreachable fleet is reported, and changes appear when it is reachable again", async () => {
    await fleet.create("eu-1");
    await show("Fleet");
    await expect.poll(rows, UPDATED).toEqual(["eu-1"]);
    await fleet.stop();
    await untilNotice("cannot reach the fleet");
    expect(await rows()).toEqual(["eu-1"]);
    await fleet.start();
    await fleet.create("eu-2");
    await expect.poll(rows, UPDATED).toEqual(["eu-1", "eu-2"]);
    await expect.poll(() => notice().textContent(), UPDATED).toBe("");
  });

  test("an expired fleet token is reported, and a new token in its file is used without a restart", async () => {
    await show("Fleet");
    await expect.poll(rows, UPDATED).toContain("eu-1");
    await fleet.writeToken({ isExpired: true });
    await fleet.stop();
    await fleet.start();
    await untilNotice("expired");
    await fleet.writeToken({ isExpired: false });
    await fleet.create("eu-3");
    await expect.poll(rows, UPDATED).toContain("eu-3");
    await expect.poll(() => notice().textContent(), UPDATED).toBe("");
  });

  test("a stream that is cut at any byte resumes, and every row is shown once", async () => {
    await cluster.create("cut");
    await using proxy = await TcpProxy.start(new URL(running.url));
    await page.goto(proxy.through(running.url));
    await show("Objects");
    await page.locator(".row-link").first().waitFor();
    const before = (await rows()).length;
    const offsets = [0, 20, 120];
    for (const [round, bytes] of offsets.entries()) {
      const { cuts } = proxy;
      proxy.cutInside({ text: "\ndata: ", offset: bytes });
      proxy.cut();
      await page.locator(".link.lost").waitFor();
      await cluster.create(`cut-${round}`);
      await expect.poll(() => proxy.cuts, UPDATED).toBeGreaterThan(cuts);
    }
    proxy.cutInside(undefined);
    await page.locator(".link.live").waitFor();
    await expect.poll(rows, UPDATED).toHaveLength(before + offsets.length);
    expect(new Set(await rows()).size).toBe(before + offsets.length);
  });

  test("a hidden page sends no requests until it becomes visible, also after it lost its connection", async () => {
    await using proxy = await TcpProxy.start(new URL(running.url));
    await page.goto(proxy.through(running.url));
    await page.locator(".link.live").waitFor();
    const streams: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/stream")) streams.push(request.url());
    });
    const setHidden = (isHidden: boolean): Promise<unknown> =>
      page.evaluate(`Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"))`);
    proxy.refuse(true);
    await page.locator(".link.lost").waitFor();
    const reconnected = page.waitForResponse((response) => response.url().endsWith("/api/session"));
    await setHidden(true);
    proxy.heal();
    await (await reconnected).finished();
    await cluster.create("unseen");
    await setHidden(false);
    await page.locator(".link.live").waitFor();
    await show("Objects");
    await expect.poll(rows, UPDATED).toContain("default/unseen");
    expect(streams).toHaveLength(1);
  });
});
