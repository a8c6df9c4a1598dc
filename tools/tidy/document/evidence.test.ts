import { describe, expect, test } from "vitest";
import { checkEvidence } from "./evidence.ts";
import { reported } from "../fixture.ts";
import type { Files } from "../fixture.ts";

const FILES: Files = {
  "packages/a/src/add.ts": "export const add = 1;\n",
  "packages/a/src/add.test.ts": [
    'describe("add", () => {',
    '  test("adds numbers", () => {});',
    "  test.each([[1]])(`adds %s | more`, () => {});",
    '  // test("is commented out", () => {});',
    "});",
  ].join("\n"),
  "tests/a/scenarios.ts": 'export const SCENARIOS = { "1 · it adds": () => {} };\n',
};

const HEAD = "# Title\n\n| statement | implemented in | tested by |\n|---|---|---|\n";

/** Returns the violations of the rows of one table, which starts at line 5. */
function wrong(...rows: readonly string[]): readonly string[] {
  const text = `${HEAD}${rows.join("\n")}\n\nMore.\n`;
  return reported(checkEvidence, { ...FILES, "docs/a.md": text }).map((line) => line.replace("docs/a.md:", ""));
}

const IMPLEMENTED = "`packages/a/src/add.ts`";
const TESTED = '`packages/a/src/add.test.ts` "adds numbers"';

describe("a row of statement, implementation and test", () => {
  test("is accepted if every file exists and has the titles", () => {
    expect(wrong(`| it adds | ${IMPLEMENTED} | ${TESTED} |`)).toEqual([]);
    expect(
      wrong(`| it adds | ${IMPLEMENTED} (add) | ${TESTED}, "add"; \`tests/a/scenarios.ts\` "1 · it adds" |`),
    ).toEqual([]);
    expect(wrong(`| a \\| b | ${IMPLEMENTED} | \`packages/a/src/add.test.ts\` "adds %s \\| more" |`)).toEqual([]);
  });

  test("is reported with its line when a file does not exist", () => {
    expect(
      wrong(`| it adds | ${IMPLEMENTED} | ${TESTED} |`, `| gone | \`packages/a/src/gone.ts\` | ${TESTED} |`),
    ).toEqual(["6 names packages/a/src/gone.ts, which is not a file"]);
    expect(wrong(`| gone | ${IMPLEMENTED} | \`packages/a/src/gone.test.ts\` "adds numbers" |`)).toEqual([
      "5 names packages/a/src/gone.test.ts, which is not a file",
    ]);
    expect(wrong(`| a folder | \`packages/a/src\` | ${TESTED} |`)).toEqual([
      "5 names packages/a/src, which is not a file",
    ]);
  });

  test("is reported with its line when a test does not exist in that file", () => {
    expect(wrong(`| renamed | ${IMPLEMENTED} | ${TESTED} "adds" |`)).toEqual([
      '5 names the test "adds", which packages/a/src/add.test.ts does not have',
    ]);
    expect(wrong(`| out | ${IMPLEMENTED} | \`packages/a/src/add.test.ts\` "is commented out" |`)).toEqual([
      '5 names the test "is commented out", which packages/a/src/add.test.ts does not have',
    ]);
  });

  test("is reported when it names no implementation, no test, no title, or a file without tests", () => {
    expect(wrong(`| open | – | ${TESTED} |`)).toEqual(["5 names no file that implements the statement"]);
    expect(wrong(`| open | ${IMPLEMENTED} | "adds numbers" |`)).toEqual(["5 names no test of the statement"]);
    expect(wrong(`| open | ${IMPLEMENTED} |`)).toEqual(["5 names no test of the statement"]);
    expect(wrong(`| open | ${IMPLEMENTED} | \`packages/a/src/add.test.ts\` |`)).toEqual([
      "5 names packages/a/src/add.test.ts without a title",
    ]);
    expect(wrong(`| open | ${IMPLEMENTED} | ${IMPLEMENTED} "1" |`)).toEqual([
      "5 names packages/a/src/add.ts, which has no tests",
    ]);
  });
});

test("other tables and code blocks are ignored", () => {
  const text = `| word | meaning |\n|---|---|\n| a | \`packages/gone.ts\` |\n\n\`\`\`\n${HEAD}| a | b | c |\n\`\`\`\n`;
  expect(reported(checkEvidence, { ...FILES, "docs/a.md": text })).toEqual([]);
});

test("the page of statements must have a table with these columns", () => {
  const text = `${HEAD.replace("tested by", "test")}| it adds | ${IMPLEMENTED} | ${TESTED} |\n`;
  expect(reported(checkEvidence, { ...FILES, "docs/reference/seeds.md": text })).toEqual([
    "docs/reference/seeds.md:1 has no table with the columns implemented in and tested by",
  ]);
});
