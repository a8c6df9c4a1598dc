import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readCheckout } from "../tidy/checkout.ts";
import { BACKOFF_PAGE, backoffPage } from "./backoff-page.ts";

const TREE = readCheckout(fileURLToPath(new URL("../..", import.meta.url)));
const PAGE = TREE.get(BACKOFF_PAGE) ?? "";

test("the backoff page has every backoff (update it with npm run reference)", () => {
  expect(PAGE).toBe(backoffPage(PAGE, TREE));
});

test("a changed or missing row is written again, and the text around the table stays", () => {
  const [first = "", second = ""] = PAGE.match(/^\| `\w+` .*\n/gmu) ?? [];
  expect(backoffPage(PAGE.replace(first, "").replace(second, "| `watch` | old |\n"), TREE)).toBe(PAGE);
});
