import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the exceptions are, from the root of the repository. */
export const EXCEPTIONS_PAGE = "docs/reference/conformance-exceptions.md";

/** Rows of the page's tables: the case in code marks, then the reason. */
const ROW = /^\| `(?<id>[^`]+)` \| (?<reason>.+) \|$/gmu;

/** The cases that our server does not pass by decision, with the reason of each. */
export function readExceptions(): ReadonlyMap<string, string> {
  const text = readFileSync(fileURLToPath(new URL(`../../../../${EXCEPTIONS_PAGE}`, import.meta.url)), "utf8");
  return exceptionsIn(text);
}

/** The exceptions that a page lists. */
export function exceptionsIn(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(ROW)].map(({ groups }) => [groups?.["id"] ?? "", groups?.["reason"] ?? ""]));
}
