import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SourceTree } from "./tree.ts";

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Reads the files of a git checkout: tracked ones, and new ones that git does not ignore. Binary ones seem empty. */
export function readCheckout(root: string): SourceTree {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const listing = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: OUTPUT_BYTES_MAX });
  const tree = new Map<string, string>();
  for (const path of listing.split("\0")) {
    const file = join(root, path);
    // Deleted but not committed yet, a submodule, or the empty end of the listing.
    if (path === "" || statSync(file, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const text = readFileSync(file, "utf8");
    tree.set(path, text.includes("\0") ? "" : text);
  }
  return tree;
}
