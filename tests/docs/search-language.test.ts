import { readFileSync } from "node:fs";
import { COLUMNS, SEARCH_COMPARISONS, SEARCH_KEYWORDS } from "@levelset/fleet/internal";
import { expect, test } from "vitest";

test("the reference of the fleet API lists every column and operator of a search", () => {
  const page = readFileSync(new URL("../../docs/reference/fleet-api.md", import.meta.url), "utf8");
  const [, rest = ""] = page.split("\n`search=");
  const [section = ""] = rest.split("\n## ");
  const words = new Set(section.split(/[\s`[\]]+/u));
  const literals = ["true", "false"];
  const operators = [...SEARCH_COMPARISONS, ...SEARCH_KEYWORDS].filter((word) => !literals.includes(word));
  expect([...Object.keys(COLUMNS), ...operators].filter((word) => !words.has(word))).toEqual([]);
});
