import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Path of the exceptions from the repository root. */
export const EXCEPTIONS_PAGE = "docs/reference/conformance-exceptions.md";

/** Table rows of the page: the case in code marks, then the reason. */
const ROW = /^\| `(?<id>[^`]+)` \| (?<reason>.+) \|$/gmu;

/** Returns the cases that the embedded server deliberately fails, with reasons. */
export function readExceptions(): ReadonlyMap<string, string> {
  const text = readFileSync(fileURLToPath(new URL(`../../../../${EXCEPTIONS_PAGE}`, import.meta.url)), "utf8");
  return exceptionsIn(text);
}

/** Returns the exceptions listed on a page. */
export function exceptionsIn(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(ROW)].map(({ groups }) => [groups?.["id"] ?? "", groups?.["reason"] ?? ""]));
}
