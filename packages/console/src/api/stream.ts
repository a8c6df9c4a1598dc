import type { FleetResourceDocument } from "./fleet-resource-document.ts";
import type { ObjectDocument } from "./object-document.ts";
import type { Problem } from "./problem.ts";
import type { FleetRow, ObjectRow } from "./row.ts";
import type { RuntimeDocument } from "./runtime-document.ts";
import type { OperandDocument } from "./operand-document.ts";
import type { StoriesDocument, StoryDocument } from "./story-document.ts";

/** Row types of the live lists. */
export interface Tables {
  readonly objects: ObjectRow;
  readonly fleet: FleetRow;
}

/** Document types of live pages, by topic prefix. */
export interface Documents {
  readonly problems: readonly Problem[];
  readonly object: ObjectDocument;
  readonly set: OperandDocument;
  readonly cluster: FleetResourceDocument;
  readonly runtime: RuntimeDocument;
  readonly simulations: StoriesDocument;
  readonly simulation: StoryDocument;
}

/**
 * An update of a topic. A list is sent in full first and then as changes. A page is sent in full after each change. The
 * server retries a failed topic, so any message may follow `failed`.
 */
export type TopicMessage =
  | { readonly kind: "reset"; readonly rows: readonly { readonly id: string }[] }
  | { readonly kind: "change"; readonly put: readonly { readonly id: string }[]; readonly removed: readonly string[] }
  | { readonly kind: "document"; readonly document: Documents[keyof Documents] }
  | { readonly kind: "failed"; readonly problem: Problem };

/** One event of a stream. Its ID contains the position of each topic, in the order of the request. */
export interface StreamMessage {
  readonly topic: string;
  readonly message: TopicMessage;
}

/** Returns the path of a stream. One connection serves all topics, because browsers limit connections per host. */
export function streamPath(topics: readonly string[], positions: readonly string[]): string {
  const query = new URLSearchParams(topics.map((topic) => ["topic", topic]));
  query.set("after", formatPositions(positions));
  return `/api/stream?${query.toString()}`;
}

/** Formats positions as an event ID. Positions contain no comma. */
export function formatPositions(positions: readonly string[]): string {
  return positions.join(",");
}

/** Parses an event ID. Missing positions are empty, which is the start of a topic. */
export function parsePositions(text: string, count: number): readonly string[] {
  const found = text.split(",");
  return Array.from({ length: count }, (_, index) => found[index] ?? "");
}
