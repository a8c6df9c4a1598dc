import { ConfigMap } from "@levelset/core";
import type { EmbeddedObject } from "@levelset/core";
import { Operand } from "@levelset/operator";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Simple } from "../../examples/01-simple/simple.ts";
import { inChromium } from "../support/chromium.ts";
import { Stage } from "./stage.ts";

const SIMPLE = "/objects/examples.levelset.dev%2Fv1beta1/Simple/default";

inChromium("the console's actions", (launch) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  /** A console that does things, or only looks. */
  async function begin(allowActions: boolean): Promise<{ readonly stage: Stage; readonly url: string }> {
    const stage = await Stage.open({ allowActions });
    return { stage, url: await stage.start() };
  }

  async function open(url: string, path: string): Promise<Page> {
    const page = await browser.newPage();
    page.setDefaultTimeout(8_000);
    await page.goto(url);
    await page.goto(new URL(path, url).href);
    return page;
  }

  describe("of one that may do things", () => {
    let stage: Stage;
    let url: string;
    beforeAll(async () => {
      ({ stage, url } = await begin(true));
    });
    afterAll(() => stage[Symbol.asyncDispose]());

    test("an edit that is refused names the field, and can be corrected in place", async () => {
      await stage.simple("typo", 5);
      const page = await open(url, `${SIMPLE}/typo`);
      const dialog = await ask(page, "Edit");
      await replaceIn(dialog, "divisor: 5", "divisor: five");
      await confirm(dialog, "Write");
      await dialog.getByRole("alert").getByText("spec.divisor").waitFor();
      await replaceIn(dialog, "divisor: five", "divisor: 0");
      await confirm(dialog, "Write");
      await page.locator(".banner.bad").waitFor();
      expect(await stage.client.get(Simple, { namespace: "default", name: "typo" })).toMatchObject({
        spec: { dividend: 10, divisor: 0 },
      });
      await page.close();
    });

    test("an edit that somebody else was faster than loses neither change unasked", async () => {
      await stage.simple("contested", 5);
      const page = await open(url, `${SIMPLE}/contested`);
      const dialog = await ask(page, "Edit");
      await replaceIn(dialog, "divisor: 5", "divisor: 2");
      await stage.divideBy("contested", 4);
      await confirm(dialog, "Write");
      const alert = dialog.getByRole("alert");
      await alert.getByText("somebody else changed it since you began").waitFor();
      expect(await alert.locator(".diff .good").allTextContents()).toEqual(["+   divisor: 4\n"]);
      expect(await dialog.getByRole("textbox").inputValue()).toContain("divisor: 2");
      expect(await divisorOf(stage, "contested")).toBe(4);
      await confirm(dialog, "Write mine over it");
      await expect.poll(() => divisorOf(stage, "contested")).toBe(2);
      await page.close();
    });

    test("a deletion names what goes along, and is done only when it is confirmed", async () => {
      await stage.client.create(Operand, {
        metadata: { name: "going" },
        spec: { steadyState: [configMap("going", "1")] },
      });
      const page = await open(url, "/sets/going");
      await page.locator(".banner.good").waitFor();
      const dialog = await ask(page, "Delete");
      await dialog.getByText("default/going").waitFor();
      await confirm(dialog, "Cancel");
      await dialog.waitFor({ state: "hidden" });
      expect(await stage.client.get(ConfigMap, { namespace: "default", name: "going" })).toBeDefined();
      await confirm(await ask(page, "Delete"), "Delete");
      await page.getByText("missing").waitFor();
      await expect(stage.client.get(ConfigMap, { namespace: "default", name: "going" })).rejects.toThrow("not found");
      await page.close();
    });

    test("a set is suspended, and goes on when it is resumed", async () => {
      await stage.client.create(Operand, {
        metadata: { name: "paused" },
        spec: { steadyState: [configMap("paused", "1")] },
      });
      const page = await open(url, "/sets/paused");
      await page.locator(".banner.good").waitFor();
      await confirm(await ask(page, "Suspend"), "Suspend");
      await page.locator(".badge", { hasText: "Suspended" }).waitFor();
      const key = { namespace: "default", name: "paused" };
      await stage.client.mergePatch(ConfigMap, key, { data: { version: "drifted" } });
      await page.locator(".plan summary").waitFor();
      expect((await stage.client.get(ConfigMap, key)).data).toEqual({ version: "drifted" });
      await confirm(await ask(page, "Resume"), "Resume");
      await expect.poll(async () => (await stage.client.get(ConfigMap, key)).data).toEqual({ version: "1" });
      await page.close();
    });

    test("a set goes back to an earlier version, with all that came since gone", async () => {
      const spec = { steadyState: [configMap("back", "1")] };
      await stage.client.create(Operand, { metadata: { name: "back" }, spec });
      const page = await open(url, "/sets/back");
      await page.getByText("asked for now").waitFor();
      const later = { steadyState: [configMap("back", "2"), configMap("back-more", "2")] };
      await stage.client.mergePatch(Operand, { name: "back" }, { spec: later });
      const first = page.locator(".versions li", { hasText: "generation 1" });
      await first.getByRole("button", { name: "Roll back" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Ask for generation 1 of back again?").waitFor();
      await confirm(dialog, "Roll back");
      await page.locator(".versions li", { hasText: "generation 3" }).getByText("asked for now").waitFor();
      expect((await stage.client.get(ConfigMap, { namespace: "default", name: "back" })).data).toEqual({
        version: "1",
      });
      const gone = stage.client.get(ConfigMap, { namespace: "default", name: "back-more" });
      await expect(gone).rejects.toThrow("not found");
      await page.close();
    });

    test("a fleet's resource is declared anew, and nothing is lost when somebody else does it too", async () => {
      const made = await stage.cluster("edited-1");
      const page = await open(url, `/fleet/clusters/${made.id}`);
      const dialog = await ask(page, "Edit");
      await replaceIn(dialog, "region: eu", "region: us");
      await stage.clusters.patch(made.id, { labels: { shard: "9" }, spec: { region: "ap" } });
      await confirm(dialog, "Write");
      await dialog.getByRole("alert").getByText("somebody else changed it").waitFor();
      expect((await stage.clusters.get(made.id)).resource.spec).toEqual({ region: "ap" });
      await confirm(dialog, "Write mine over it");
      await page.getByText("declared, as generation 3").waitFor();
      const { labels, spec } = (await stage.clusters.get(made.id)).resource;
      expect([labels, spec]).toEqual([{ shard: "1" }, { region: "us" }]);
      const again = await ask(page, "Edit");
      await replaceIn(again, /labels:[^]*spec:/u, "labels: {shard: 7}\nspec:");
      await confirm(again, "Write");
      await again.getByRole("alert").getByText("labels").first().waitFor();
      await page.close();
    });

    test("a fleet's resource is deleted: its children and who must finalize it are named before", async () => {
      const made = await stage.cluster("retired-1");
      const pools = stage.fleet.collection({ kind: "NodePool", plural: "nodepools" }, made);
      await pools.create({ name: "pool-1", spec: {} });
      const page = await open(url, `/fleet/clusters/${made.id}`);
      const dialog = await ask(page, "Delete");
      await dialog.getByText("pool-1").waitFor();
      await dialog.getByText("stays until these have finalized it").waitFor();
      await confirm(dialog, "Delete");
      await page.locator(".banner.going").waitFor();
      expect((await stage.clusters.get(made.id)).resource.deleted_time).toBeDefined();
      expect(await page.getByRole("button", { name: "Delete", exact: true }).count()).toBe(0);
      await page.close();
    });
  });

  test("a console that only looks has no buttons for it, and refuses who asks all the same", async () => {
    const { stage, url } = await begin(false);
    await using _ = stage;
    await stage.simple("safe", 5);
    await stage.client.create(Operand, { metadata: { name: "safe" }, spec: { steadyState: [configMap("safe", "1")] } });
    const made = await stage.cluster("safe-1");
    for (const path of [`${SIMPLE}/safe`, "/sets/safe", `/fleet/clusters/${made.id}`]) {
      const page = await open(url, path);
      await page.locator(".banner").waitFor();
      expect(await page.getByRole("button", { name: /Edit|Delete|Suspend|Resume|Roll back/u }).count()).toBe(0);
      const script = `fetch("/api/session").then((answer) => answer.json()).then(({ actionToken }) => fetch("/api/actions", {
        method: "POST",
        headers: { "content-type": "application/json", "x-levelset-action-token": actionToken },
        body: JSON.stringify({ kind: "retire", resource: { plural: "clusters", id: "${made.id}" } }),
      })).then((answer) => answer.status)`;
      expect(await page.evaluate(script)).toBe(403);
      await page.close();
    }
    expect((await stage.clusters.get(made.id)).resource.deleted_time).toBeUndefined();
  });
});

function configMap(name: string, version: string): EmbeddedObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data: { version } };
}

/** Presses a button, which asks. */
async function ask(page: Page, name: string): Promise<Locator> {
  await page.getByRole("button", { name, exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  return dialog;
}

async function confirm(dialog: Locator, name: string): Promise<void> {
  await dialog.getByRole("button", { name, exact: true }).click();
}

async function replaceIn(dialog: Locator, before: string | RegExp, after: string): Promise<void> {
  const box = dialog.getByRole("textbox");
  const text = await box.inputValue();
  expect(text).toMatch(before);
  await box.fill(text.replace(before, after));
}

async function divisorOf(stage: Stage, name: string): Promise<number> {
  return (await stage.client.get(Simple, { namespace: "default", name })).spec.divisor;
}
