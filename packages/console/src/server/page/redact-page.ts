import { isJsonObject } from "@levelset/core";
import { secretScrubber } from "@levelset/core/internal";
import type { JsonValue } from "@levelset/core";

/** Fields of pages that contain text from other writers. Names are not redacted, because links depend on them. */
const TEXT_FIELDS: ReadonlySet<string> = new Set([
  "message",
  "note",
  "details",
  "reasons",
  "unreachable",
  "invalid",
  "problems",
]);

/** Masks the Secret values of `objects` in all texts of a page: conditions, events, runs and errors. */
export function redactPage<Page>(page: Page, objects: readonly JsonValue[]): Page {
  const scrub = secretScrubber(objects);
  const scrubAll = (value: unknown, isText: boolean): unknown => {
    if (typeof value === "string") return isText ? scrub(value) : value;
    if (Array.isArray(value)) return value.map((item: unknown) => scrubAll(item, isText));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, scrubAll(member, TEXT_FIELDS.has(name))] as const),
    );
  };
  return scrubAll(page, false) as Page; // only the content of strings changes
}
