import { createHash } from "node:crypto";
import { isAbortError } from "@levelset/core";
import type { Documents, SourceName } from "../../api/index.ts";
import type { LiveTable } from "./live-table.ts";
import { problemOf } from "../problem-of.ts";
import type { Topic, TopicUpdate } from "./topic.ts";

/** Returns the topic of a list. */
export function tableTopic<Row extends { readonly id: string }>(table: LiveTable<Row>): Topic {
  return {
    next: (position) => Promise.resolve(table.since(position)),
    subscribe: (listener) => table.subscribe(listener),
    refreshMs: undefined,
  };
}

/** Options of {@link pageTopic}. */
export interface PageTopicOptions {
  readonly source: SourceName;
  readonly compute: (signal: AbortSignal) => Promise<Documents[keyof Documents]>;
  readonly subscribe?: (listener: () => void) => () => void;
  readonly refreshMs?: number;
}

/** Returns the topic of a page. The page is computed when it may have changed; changed pages and failures are sent. */
export function pageTopic({ source, compute, subscribe, refreshMs }: PageTopicOptions): Topic {
  return {
    next: async (position, signal) => {
      const update = await updateOf(source, compute, signal);
      return update.position === position ? undefined : update;
    },
    subscribe: subscribe ?? (() => () => {}),
    refreshMs,
  };
}

async function updateOf(
  source: SourceName,
  compute: PageTopicOptions["compute"],
  signal: AbortSignal,
): Promise<TopicUpdate> {
  try {
    const document = await compute(signal);
    return { position: digest(document), message: { kind: "document", document } };
  } catch (error) {
    if (isAbortError(error) && signal.aborted) throw error;
    const problem = problemOf(error, source);
    return { position: digest(problem), message: { kind: "failed", problem } };
  }
}

/** The position of a page is a digest of its content, so it is valid across restarts. */
function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}
