import { posix } from "node:path";
import { locationInSource } from "./tree.ts";
import type { SourceTree } from "./tree.ts";
import type { Violation } from "./violation.ts";

const COMMENT = /^\/\*\*[\s*]+[^\s*][\s\S]*?\.[\s*]+Begin with[\s*]+`([^`]+)`\.\s+\*\/\n/;

/** Reports folders whose index does not describe the folder or name the file to read first. */
export function checkFolders(tree: SourceTree): readonly Violation[] {
  const indexes = [...tree].filter(
    ([path]) => path.endsWith("/index.ts") && locationInSource(path)?.folder !== undefined,
  );
  return indexes.flatMap(([file, text]) => {
    const [, first] = COMMENT.exec(text) ?? [];
    const fix = "begin it with: /** What the folder is. Begin with `file.ts`. */";
    if (first === undefined) return { file, line: 1, message: "does not describe its folder", fix };
    if (tree.has(posix.join(posix.dirname(file), first))) return [];
    return { file, line: 1, message: `names ${first}, which does not exist`, fix };
  });
}
