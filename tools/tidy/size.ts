import { scanFunctions } from "./function.ts";
import { tokensOf } from "./token.ts";
import { isTest, sourcePaths, textOf } from "./tree.ts";
import type { SourceTree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** Maximum number of lines of a file. */
export const FILE_LINES_MAX = 400;

/** Maximum number of lines of a function, from its name to its closing brace. */
export const FUNCTION_LINES_MAX = 70;

/** Reports files and functions that are too long. In tests, callbacks such as those of `describe` may be longer. */
export function checkSize(tree: SourceTree): readonly Violation[] {
  return sourcePaths(tree).flatMap((path) => [...longFile(tree, path), ...longFunctions(tree, path)]);
}

function longFile(tree: SourceTree, path: string): readonly Violation[] {
  const text = textOf(tree, path);
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  if (lines <= FILE_LINES_MAX) return [];
  const message = `has ${lines} lines, more than ${FILE_LINES_MAX}`;
  return [{ file: path, line: FILE_LINES_MAX + 1, message, fix: "split it, one noun per file" }];
}

function longFunctions(tree: SourceTree, path: string): readonly Violation[] {
  return scanFunctions(tokensOf(tree, path)).flatMap(({ name, line, endLine, isArgument }) => {
    const lines = endLine - line + 1;
    if (lines <= FUNCTION_LINES_MAX || (isArgument && isTest(path))) return [];
    const message = `the function ${name} has ${lines} lines, more than ${FUNCTION_LINES_MAX}`;
    return [{ file: path, line, message, fix: "split it: decide purely in one function, act in another" }];
  });
}
