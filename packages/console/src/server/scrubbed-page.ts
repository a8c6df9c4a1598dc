import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { scrubber } from "@levelset/operator";

/** The fields of pages that hold words of others. Names are left alone: links lead by them. */
const WORDS: ReadonlySet<string> = new Set(["message", "note", "details", "reasons", "silent", "invalid", "problems"]);

/** A page about objects whose Secrets' values nobody may quote: neither conditions, nor events, nor runs, nor errors of a server. */
export function scrubbedPage<Page>(page: Page, objects: readonly JsonValue[]): Page {
  const scrub = scrubber(objects);
  const scrubAll = (value: unknown, isWords: boolean): unknown => {
    if (typeof value === "string") return isWords ? scrub(value) : value;
    if (Array.isArray(value)) return value.map((item: unknown) => scrubAll(item, isWords));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, scrubAll(member, WORDS.has(name))] as const),
    );
  };
  return scrubAll(page, false) as Page; // texts stay texts
}
