import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inChromium } from "../../support/chromium.ts";
import { ROOT } from "../../support/repository.ts";
import { tempDirectoryInRepository } from "../../support/temp-directory.ts";
import type { TempDirectory } from "../../support/temp-directory.ts";
import type { TestProcess } from "../../support/test-process.ts";
import { levelset, start } from "../cli/levelset-command.ts";
import { auditIn } from "./accessibility-audit.ts";
import { buildPages } from "./console-harness.ts";

const SAMPLE = `
apiVersion: examples.levelset.dev/v1
kind: Vault
metadata: { name: first }
spec: { value: open }
`;
/** Markup, bidirectional control characters, and a long text. */
const HOSTILE = `<img src=x onerror="window.owned=1"><script>window.owned=1</script>\u202Egnp.exe' "; ${"long".repeat(900)}`;

inChromium("the simulations of the console", (launch) => {
  let browser: Browser;
  let context: BrowserContext;
  let project: TempDirectory;
  let dev: TestProcess;
  let url: string;
  const errors: string[] = [];
  beforeAll(async () => {
    await buildPages();
    project = await tempDirectoryInRepository();
    await writeFile(join(project.path, "package.json"), '{"type": "module"}');
    await writeFile(join(project.path, "vault.yaml"), SAMPLE);
    await copyFile(join(ROOT, "examples", "guide", "vault.ts"), join(project.path, "vault.ts"));
    dev = start(project.path, "dev", "vault.ts");
    const [, address = ""] = await dev.untilOutput(/ console +(\S+)/u);
    url = address;
    browser = await launch();
    context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(url).origin });
  });
  afterAll(async () => {
    await browser.close();
    await dev[Symbol.asyncDispose]();
    await project[Symbol.asyncDispose]();
  });

  async function open(path: string): Promise<Page> {
    const page = await context.newPage();
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    await page.goto(url);
    await page.goto(new URL(path, url).href);
    return page;
  }

  /** Expects that a page passes an audit in light and dark mode, and fits a narrow screen. */
  async function expectAccessible(page: Page): Promise<void> {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await auditIn(page), `${colorScheme} mode`).toEqual([]);
    }
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400);
    await page.setViewportSize({ width: 1280, height: 860 });
  }

  test("an open page shows a failure when it is recorded, and its story with the command that replays it", async () => {
    const page = await open("/simulations");
    await page.getByText("levelset simulate src/operator.ts").waitFor();
    await expectAccessible(page);
    const options = ["--samples", "vault.yaml", "--workers", "1", "--ignore", "foreign-touched"];
    const { code, stdout } = await levelset(project.path, "simulate", "vault.ts", ...options);
    expect(code).toBe(3);
    const [, command = ""] = /^replay: (.+)$/mu.exec(stdout) ?? [];
    const row = page.getByRole("row").filter({ hasText: "path-changes-the-end" });
    await row.waitFor();
    expect(await row.getByRole("cell").allTextContents()).toEqual([
      "path-changes-the-endConfigMap default/first is missing after this history.",
      "ConfigMap default/first",
      /^\S+-(\d+)\.json$/mu.exec(command.replaceAll(" ", "\n"))?.[1],
      "vault.ts",
      expect.stringMatching(/ ago$/u),
    ]);
    await expectAccessible(page);

    await row.getByRole("link").click();
    const story = page.getByRole("region", { name: "What happened" });
    await story.waitFor();
    expect(await story.getByRole("columnheader").allTextContents()).toEqual([
      "Time",
      "Users and other clients",
      "Faults",
      "Processes",
      "Objects and status",
    ]);
    const cells = story.getByRole("row").filter({ hasText: "a person deletes the child" }).getByRole("cell");
    expect((await cells.allTextContents()).slice(1)).toEqual([
      "a person deletes the child ConfigMap default/first",
      "",
      "",
      "",
    ]);
    expect(await story.locator(".by-object .event").allTextContents()).toContain("ConfigMap default/first is deleted");
    expect(await story.getByRole("row").last().textContent()).toContain("✗ path-changes-the-end is violated");
    expect(await page.getByRole("region", { name: "What levelset why says" }).textContent()).toMatch(
      /Vault default\/first +Ready/u,
    );
    expect(await page.getByRole("region", { name: "Differences" }).getByRole("row").nth(1).textContent()).toContain(
      '"value":"open"',
    );
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(command);
    await expectAccessible(page);
    await page.keyboard.press("5");
    await row.waitFor();
    expect(errors).toEqual([]);
    await page.close();
  });

  test("a story with hostile texts is shown as text, and its command has one word for each argument", async () => {
    const difference = { object: HOSTILE, path: HOSTILE, expected: HOSTILE, actual: HOSTILE };
    const violation = { rule: "left-behind", message: HOSTILE, expected: HOSTILE, object: HOSTILE };
    const kinds = ["operation", "fault", "write", "process", "violation"];
    await record("hostile", {
      version: 1,
      file: HOSTILE,
      samples: ["$(touch owned)"],
      case: { seed: 7, history: { operations: [] }, faults: [] },
      violation: { ...violation, differences: [difference] },
      events: kinds.map((kind) => ({ atMs: 0, kind, text: HOSTILE })),
    });
    for (const [path, shown] of [
      ["/simulations", "tr"],
      ["/simulations/hostile", ".event"],
    ] as const) {
      const page = await open(path);
      await page.locator(shown, { hasText: "onerror" }).first().waitFor();
      expect(await page.locator("main img, main script").count()).toBe(0);
      expect(await page.evaluate("window.owned")).toBeUndefined();
      expect(await page.locator("main").textContent()).not.toContain("\u202E");
      await expectAccessible(page);
      await page.close();
    }
    const page = await open("/simulations/hostile");
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("copied").waitFor();
    const command = String(await page.evaluate("navigator.clipboard.readText()"));
    expect(command).toContain(" --samples '$(touch owned)' --replay .levelset/simulation/hostile.json");
    expect(command).toContain(String.raw`\U0000202egnp.exe\' "; long`);
    expect(command).toBe(await page.locator(".command code").textContent());
    expect(errors).toEqual([]);
    await page.close();
  });

  test("a story without events, a file that is no story, and a missing story are explained", async () => {
    const violation = { rule: "left-behind", message: "It stays.", expected: "It is gone." };
    const recorded = { seed: 8, history: { operations: [] }, faults: [] };
    await record("earlier", { version: 1, file: "vault.ts", case: recorded, violation });
    await record("broken", { version: 1, case: { ...recorded, faults: 7 } });
    const page = await open("/simulations/earlier");
    await page.getByText("an earlier version of levelset recorded it").waitFor();
    await page.goto(new URL("/simulations", url).href);
    const message = ".levelset/simulation/broken.json is not a story: case.faults: not a list";
    await page.getByRole("region", { name: "Unreadable files" }).getByText(message).waitFor();
    await expectAccessible(page);
    await page.goto(new URL("/simulations/broken", url).href);
    await page.getByRole("alert").getByText(message).waitFor();
    await page.goto(new URL("/simulations/seed-999", url).href);
    await page.getByRole("alert").getByText("seed-999.json does not exist").waitFor();
    await page.goto(new URL("/simulations/..%2F..%2Fpackage", url).href);
    await page.getByText("Page not found.").waitFor();
    expect(errors).toEqual([]);
    await page.close();
  });

  async function record(name: string, story: object): Promise<void> {
    const directory = join(project.path, ".levelset", "simulation");
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, `${name}.json`), JSON.stringify(story));
  }
});
