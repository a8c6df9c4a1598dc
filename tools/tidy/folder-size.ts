import { posix } from "node:path";
import { sourcePaths } from "./tree.ts";
import type { SourceTree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** Maximum number of source files directly in a folder, without tests. */
export const FOLDER_FILES_MAX = 25;

const TEST = /\.test\.tsx?$/;

/** Reports folders with too many source files. */
export function checkFolderSize(tree: SourceTree): readonly Violation[] {
  const sizes = new Map<string, number>();
  for (const path of sourcePaths(tree)) {
    const folder = posix.dirname(path);
    if (!TEST.test(path)) sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  return [...sizes].flatMap(([folder, size]) => {
    if (size <= FOLDER_FILES_MAX) return [];
    const message = `has ${size} source files, more than ${FOLDER_FILES_MAX}`;
    return [{ file: folder, line: 1, message, fix: "split it into folders, one noun each" }];
  });
}
