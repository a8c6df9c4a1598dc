import { ConfigMap } from "@levelset/core";
import type { EmbeddedObject } from "@levelset/core";
import { Operand } from "@levelset/operator";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Simple } from "../../../examples/01-simple/simple.ts";
import { inChromium } from "../../support/chromium.ts";
import { ConsoleHarness } from "./console-harness.ts";

const SIMPLE = "/objects/examples.levelset.dev%2Fv1beta1/Simple/default";

inChromium("the console's actions", (launch) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  /** Starts a console with or without actions. */
  async function begin(allowActions: boolean): Promise<{ readonly harness: ConsoleHarness; readonly url: string }> {
    const harness = await ConsoleHarness.open({ allowActions });
    return { harness, url: await harness.start() };
  }

  async function open(url: string, path: string): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(url);
    await page.goto(new URL(path, url).href);
    return page;
  }

  describe("if they are allowed", () => {
    let harness: ConsoleHarness;
    let url: string;
    beforeAll(async () => {
      ({ harness, url } = await begin(true));
    });
    afterAll(() => harness[Symbol.asyncDispose]());

    test("a refused edit names the field and can be corrected in the dialog", async () => {
      await harness.createSimple("typo", 5);
      const page = await open(url, `${SIMPLE}/typo`);
      const dialog = await press(page, "Edit");
      await replaceIn(dialog, "divisor: 5", "divisor: five");
      await confirm(dialog, "Save");
      await dialog.getByRole("alert").getByText("spec.divisor").waitFor();
      await replaceIn(dialog, "divisor: five", "divisor: 0");
      await confirm(dialog, "Save");
      await page.locator(".banner.bad").waitFor();
      expect(await harness.client.get(Simple, { namespace: "default", name: "typo" })).toMatchObject({
        spec: { dividend: 10, divisor: 0 },
      });
      await page.close();
    });

    test("a conflicting edit is not saved until the user overwrites the other change", async () => {
      await harness.createSimple("contested", 5);
      const page = await open(url, `${SIMPLE}/contested`);
      const dialog = await press(page, "Edit");
      await replaceIn(dialog, "divisor: 5", "divisor: 2");
      await harness.divideBy("contested", 4);
      await confirm(dialog, "Save");
      const alert = dialog.getByRole("alert");
      await alert.getByText("the object was changed since you started editing").waitFor();
      expect(await alert.locator(".diff .good").allTextContents()).toEqual(["+   divisor: 4\n"]);
      expect(await dialog.getByRole("textbox").inputValue()).toContain("divisor: 2");
      expect(await divisorOf(harness, "contested")).toBe(4);
      await confirm(dialog, "Overwrite with mine");
      await expect.poll(() => divisorOf(harness, "contested")).toBe(2);
      await page.close();
    });

    test("a deletion lists the objects that are deleted with it, and needs a confirmation", async () => {
      await harness.client.create(Operand, {
        metadata: { name: "removed" },
        spec: { steadyState: [configMap("removed", "1")] },
      });
      const page = await open(url, "/sets/removed");
      await page.locator(".banner.good").waitFor();
      const dialog = await press(page, "Delete");
      await dialog.getByText("default/removed").waitFor();
      await confirm(dialog, "Cancel");
      await dialog.waitFor({ state: "hidden" });
      expect(await harness.client.get(ConfigMap, { namespace: "default", name: "removed" })).toBeDefined();
      await confirm(await press(page, "Delete"), "Delete");
      await page.getByText("missing").waitFor();
      await expect(harness.client.get(ConfigMap, { namespace: "default", name: "removed" })).rejects.toThrow(
        "not found",
      );
      await page.close();
    });

    test("an Operand is suspended and resumed", async () => {
      await harness.client.create(Operand, {
        metadata: { name: "paused" },
        spec: { steadyState: [configMap("paused", "1")] },
      });
      const page = await open(url, "/sets/paused");
      await page.locator(".banner.good").waitFor();
      await confirm(await press(page, "Suspend"), "Suspend");
      await page.locator(".badge", { hasText: "Paused" }).waitFor();
      const key = { namespace: "default", name: "paused" };
      await harness.client.mergePatch(ConfigMap, key, { data: { version: "drifted" } });
      await page.locator(".plan summary").waitFor();
      expect((await harness.client.get(ConfigMap, key)).data).toEqual({ version: "drifted" });
      await confirm(await press(page, "Resume"), "Resume");
      await expect.poll(async () => (await harness.client.get(ConfigMap, key)).data).toEqual({ version: "1" });
      await page.close();
    });

    test("a rollback restores an earlier version and prunes objects that were added since", async () => {
      const spec = { steadyState: [configMap("back", "1")] };
      await harness.client.create(Operand, { metadata: { name: "back" }, spec });
      const page = await open(url, "/sets/back");
      await page.locator(".versions").getByText("current").waitFor();
      const later = { steadyState: [configMap("back", "2"), configMap("back-more", "2")] };
      await harness.client.mergePatch(Operand, { name: "back" }, { spec: later });
      const first = page.locator(".versions li", { hasText: "generation 1" });
      await first.getByRole("button", { name: "Roll back" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Roll back back to generation 1?").waitFor();
      await confirm(dialog, "Roll back");
      await page.locator(".versions li", { hasText: "generation 3" }).getByText("current").waitFor();
      expect((await harness.client.get(ConfigMap, { namespace: "default", name: "back" })).data).toEqual({
        version: "1",
      });
      const removed = harness.client.get(ConfigMap, { namespace: "default", name: "back-more" });
      await expect(removed).rejects.toThrow("not found");
      await page.close();
    });

    test("a conflicting edit of a fleet resource is not saved until the user overwrites the other change", async () => {
      const created = await harness.createCluster("edited-1");
      const page = await open(url, `/fleet/clusters/${created.id}`);
      const dialog = await press(page, "Edit");
      await replaceIn(dialog, "region: eu", "region: us");
      await harness.clusters.patch(created.id, { labels: { shard: "9" }, spec: { region: "ap" } });
      await confirm(dialog, "Save");
      await dialog.getByRole("alert").getByText("the object was changed since").waitFor();
      expect((await harness.clusters.get(created.id)).resource.spec).toEqual({ region: "ap" });
      await confirm(dialog, "Overwrite with mine");
      await page.getByText("saved as generation 3").waitFor();
      const { labels, spec } = (await harness.clusters.get(created.id)).resource;
      expect([labels, spec]).toEqual([{ shard: "1" }, { region: "us" }]);
      const again = await press(page, "Edit");
      await replaceIn(again, /labels:[^]*spec:/u, "labels: {shard: 7}\nspec:");
      await confirm(again, "Save");
      await again.getByRole("alert").getByText("labels").first().waitFor();
      await page.close();
    });

    test("the deletion of a fleet resource lists its children and the adapters that must finalize it", async () => {
      const created = await harness.createCluster("retired-1");
      const pools = harness.fleet.collection({ kind: "NodePool", plural: "nodepools" }, created);
      await pools.create({ name: "pool-1", spec: {} });
      const page = await open(url, `/fleet/clusters/${created.id}`);
      const dialog = await press(page, "Delete");
      await dialog.getByText("pool-1").waitFor();
      await dialog.getByText("waits for these adapters to finalize").waitFor();
      await confirm(dialog, "Delete");
      await page.locator(".banner.deleting").waitFor();
      expect((await harness.clusters.get(created.id)).resource.deleted_time).toBeDefined();
      expect(await page.getByRole("button", { name: "Delete", exact: true }).count()).toBe(0);
      await page.close();
    });
  });

  test("a read-only console shows no action buttons and refuses actions", async () => {
    const { harness, url } = await begin(false);
    await using _ = harness;
    await harness.createSimple("safe", 5);
    await harness.client.create(Operand, {
      metadata: { name: "safe" },
      spec: { steadyState: [configMap("safe", "1")] },
    });
    const created = await harness.createCluster("safe-1");
    for (const path of [`${SIMPLE}/safe`, "/sets/safe", `/fleet/clusters/${created.id}`]) {
      const page = await open(url, path);
      await page.locator(".banner").waitFor();
      expect(await page.getByRole("button", { name: /Edit|Delete|Suspend|Resume|Roll back/u }).count()).toBe(0);
      const script = `fetch("/api/session").then((response) => response.json()).then(({ actionToken }) => fetch("/api/actions", {
        method: "POST",
        headers: { "content-type": "application/json", "x-levelset-action-token": actionToken },
        body: JSON.stringify({ kind: "delete-resource", resource: { plural: "clusters", id: "${created.id}" } }),
      })).then((response) => response.status)`;
      expect(await page.evaluate(script)).toBe(403);
      await page.close();
    }
    expect((await harness.clusters.get(created.id)).resource.deleted_time).toBeUndefined();
  });
});

function configMap(name: string, version: string): EmbeddedObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data: { version } };
}

/** Presses a button and returns its dialog. */
async function press(page: Page, name: string): Promise<Locator> {
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

async function divisorOf(harness: ConsoleHarness, name: string): Promise<number> {
  return (await harness.client.get(Simple, { namespace: "default", name })).spec.divisor;
}
