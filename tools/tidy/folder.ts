import { posix } from "node:path";
import { placeInSource } from "./tree.ts";
import type { Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

const COMMENT = /^\/\*\* [\s\S]+?\. Begin with `([^`]+)`\. \*\/\n/;

/** The index of every folder says what the folder is, and which of its files to read first. */
export function checkFolders(tree: Tree): readonly Violation[] {
  const indexes = [...tree].filter(([path]) => path.endsWith("/index.ts") && placeInSource(path)?.folder !== undefined);
  return indexes.flatMap(([file, text]) => {
    const [, first] = COMMENT.exec(text) ?? [];
    const instead = "begin it with: /** What the folder is. Begin with `file.ts`. */";
    if (first === undefined) return { file, line: 1, wrong: "does not say what its folder is", instead };
    if (tree.has(posix.join(posix.dirname(file), first))) return [];
    return { file, line: 1, wrong: `leads to ${first}, which does not exist`, instead };
  });
}
