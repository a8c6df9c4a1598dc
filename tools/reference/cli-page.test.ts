import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { CLI_PAGE, cliPage } from "./cli-page.ts";

test("the CLI page has the help of every command (update it with npm run reference)", async () => {
  const page = await readFile(new URL(`../../${CLI_PAGE}`, import.meta.url), "utf8");
  expect(page).toBe(await cliPage(page));
  expect(page).toContain("## `levelset operand status`");
});
