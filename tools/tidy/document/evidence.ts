import { withoutBlocks } from "./prose.ts";
import { documentPaths } from "./document-links.ts";
import { stringValue, tokensOf } from "../source/token.ts";
import { isTest, perFile, textOf } from "../tree.ts";
import type { SourceTree } from "../tree.ts";
import type { Violation } from "../violation.ts";

/** The columns of tables of statements with evidence. */
const IMPLEMENTED_IN = "implemented in";
const TESTED_BY = "tested by";
/** The document that consists of such tables. */
const STATEMENTS = "docs/reference/seeds.md";

const DELIMITER = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;
const PATH_OR_TITLE = /`([^`]+)`|"([^"]+)"/g;
const TEST_FOLDER = /^tests\//;

/** One row of a table: the text below each heading. */
interface Row {
  readonly line: number;
  readonly cells: ReadonlyMap<string, string>;
}

/**
 * Checks tables with the columns `implemented in` and `tested by`: each row must name existing files in backticks, and
 * after each test file the exact titles of its tests in double quotes.
 */
export function checkEvidence(tree: SourceTree): readonly Violation[] {
  const documents = documentPaths(tree);
  const violations = documents.flatMap((file) =>
    rowsOf(textOf(tree, file)).flatMap((row) => [...implementation(tree, file, row), ...tests(tree, file, row)]),
  );
  const isLost = documents.includes(STATEMENTS) && rowsOf(textOf(tree, STATEMENTS)).length === 0;
  return isLost ? [...violations, lostTable()] : violations;
}

/** Returns the rows of all tables with both columns. */
function rowsOf(text: string): readonly Row[] {
  const lines = withoutBlocks(text).split("\n");
  return lines.flatMap((line, at) => {
    if (!DELIMITER.test(line)) return [];
    const headings = cellsOf(lines[at - 1] ?? "");
    if (!headings.includes(IMPLEMENTED_IN) || !headings.includes(TESTED_BY)) return [];
    const end = lines.findIndex((other, index) => index > at && !other.startsWith("|"));
    return lines.slice(at + 1, end === -1 ? undefined : end).map((row, index) => {
      const cells = cellsOf(row);
      return { line: at + 2 + index, cells: new Map(headings.map((name, column) => [name, cells[column] ?? ""])) };
    });
  });
}

/** Returns the cells of a row. An escaped pipe is text. */
function cellsOf(row: string): readonly string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function implementation(tree: SourceTree, file: string, { line, cells }: Row): readonly Violation[] {
  const named = [...(cells.get(IMPLEMENTED_IN) ?? "").matchAll(PATH_OR_TITLE)].flatMap(([, path]) => path ?? []);
  if (named.length === 0) return [{ file, line, message: "names no file that implements the statement", fix: PATHS }];
  return named.filter((path) => !tree.has(path)).map((path) => noFile(file, line, path));
}

function tests(tree: SourceTree, file: string, { line, cells }: Row): readonly Violation[] {
  const violations: Violation[] = [];
  /** The named titles of each test file, in order. */
  const named: { readonly path: string; readonly titles: string[] }[] = [];
  for (const [, path, title] of (cells.get(TESTED_BY) ?? "").matchAll(PATH_OR_TITLE)) {
    if (path !== undefined) named.push({ path, titles: [] });
    else if (title !== undefined) named.at(-1)?.titles.push(title);
  }
  if (named.length === 0) violations.push({ file, line, message: "names no test of the statement", fix: TITLES });
  for (const { path, titles } of named) {
    if (!tree.has(path)) violations.push(noFile(file, line, path));
    else if (!isTest(path) && !TEST_FOLDER.test(path)) {
      violations.push({ file, line, message: `names ${path}, which has no tests`, fix: TITLES });
    } else if (titles.length === 0) {
      violations.push({ file, line, message: `names ${path} without a title`, fix: TITLES });
    } else {
      const missing = titles.filter((title) => !textsOf(tree, path).has(title));
      violations.push(...missing.map((title) => noTest(file, line, path, title)));
    }
  }
  return violations;
}

/** Returns all string literals of a file, including the titles of its tests. Comments are ignored. */
const textsOf = perFile<ReadonlySet<string>>(
  (_text, path, tree) => new Set(tokensOf(tree, path).flatMap((token) => stringValue(token) ?? [])),
);

const PATHS = "name it in backticks, by its path from the root";
const TITLES = 'name a test file in backticks and after it a title in double quotes: `a.test.ts` "adds numbers"';

function noFile(file: string, line: number, path: string): Violation {
  return { file, line, message: `names ${path}, which is not a file`, fix: "correct the path" };
}

function noTest(file: string, line: number, path: string, title: string): Violation {
  const wrong = `names the test ${JSON.stringify(title)}, which ${path} does not have`;
  return { file, line, message: wrong, fix: "copy the current title of the test" };
}

function lostTable(): Violation {
  const wrong = `has no table with the columns ${IMPLEMENTED_IN} and ${TESTED_BY}`;
  return { file: STATEMENTS, line: 1, message: wrong, fix: "rename the columns of its tables" };
}
