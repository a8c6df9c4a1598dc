import type { SourceTree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** Small trees for the tests of the rules: path to text. */
export type Files = Readonly<Record<string, string>>;

/** Returns the violations of a rule without the fix: `file:line message`. */
export function reported(check: (tree: SourceTree) => readonly Violation[], files: Files): readonly string[] {
  return check(new Map(Object.entries(files))).map(({ file, line, message }) => `${file}:${line} ${message}`);
}

/** A `package.json` with the entries `.` and `./testing`, and these dependencies. */
export function manifest(name: string, dependencies: Readonly<Record<string, string>> = {}): string {
  const entry = (file: string): object => ({ "levelset-source": `./src/${file}`, default: "./dist/index.js" });
  const exports = { ".": entry("index.ts"), "./testing": entry("testing/index.ts") };
  return JSON.stringify({ name, version: "0.1.0", exports, dependencies }, undefined, 2);
}
