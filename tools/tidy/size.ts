import { scanFunctions } from "./function.ts";
import { tokensOf } from "./token.ts";
import { isTest, sourcePaths, textOf } from "./tree.ts";
import type { Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** The most lines of a file. */
export const FILE_LINES_MAX = 400;

/** The most lines of a function, from its name to its closing brace. */
export const FUNCTION_LINES_MAX = 70;

/** Files and functions stay small enough to be read at once. In tests, callbacks such as those of `describe` may be longer. */
export function checkSize(tree: Tree): readonly Violation[] {
  return sourcePaths(tree).flatMap((path) => [...longFile(tree, path), ...longFunctions(tree, path)]);
}

function longFile(tree: Tree, path: string): readonly Violation[] {
  const text = textOf(tree, path);
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  if (lines <= FILE_LINES_MAX) return [];
  const wrong = `has ${lines} lines, more than ${FILE_LINES_MAX}`;
  return [{ file: path, line: FILE_LINES_MAX + 1, wrong, instead: "split it, one noun per file" }];
}

function longFunctions(tree: Tree, path: string): readonly Violation[] {
  return scanFunctions(tokensOf(tree, path)).flatMap(({ name, line, endLine, isArgument }) => {
    const lines = endLine - line + 1;
    if (lines <= FUNCTION_LINES_MAX || (isArgument && isTest(path))) return [];
    const wrong = `the function ${name} has ${lines} lines, more than ${FUNCTION_LINES_MAX}`;
    return [{ file: path, line, wrong, instead: "split it: decide purely in one function, act in another" }];
  });
}
