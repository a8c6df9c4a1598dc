import { createHash } from "node:crypto";
import { isAbort } from "@levelset/core";
import type { Documents, SourceName } from "../api/index.ts";
import type { LiveTable } from "./live-table.ts";
import { problemOf } from "./problem-of.ts";
import type { Topic, TopicNews } from "./topic.ts";

/** A list as a topic. */
export function tableTopic<Row extends { readonly id: string }>(table: LiveTable<Row>): Topic {
  return {
    next: (position) => Promise.resolve(table.since(position)),
    subscribe: (listener) => table.subscribe(listener),
    everyMs: undefined,
  };
}

/** How a page is followed. */
export interface PageOptions {
  readonly source: SourceName;
  readonly compute: (signal: AbortSignal) => Promise<Documents[keyof Documents]>;
  readonly subscribe?: (listener: () => void) => () => void;
  readonly everyMs?: number;
}

/** A page as a topic: made anew whenever something may have changed, and told when it is another one. A failure is told like a page. */
export function pageTopic({ source, compute, subscribe, everyMs }: PageOptions): Topic {
  return {
    next: async (position, signal) => {
      const news = await newsOf(source, compute, signal);
      return news.position === position ? undefined : news;
    },
    subscribe: subscribe ?? (() => () => {}),
    everyMs,
  };
}

async function newsOf(source: SourceName, compute: PageOptions["compute"], signal: AbortSignal): Promise<TopicNews> {
  try {
    const document = await compute(signal);
    return { position: digest(document), message: { kind: "document", document } };
  } catch (error) {
    if (isAbort(error) && signal.aborted) throw error;
    const problem = problemOf(error, source);
    return { position: digest(problem), message: { kind: "failed", problem } };
  }
}

/** The same page has the same position, in whichever process. */
function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}
