import type { ClusterDocument } from "./cluster-document.ts";
import type { ObjectDocument } from "./object-document.ts";
import type { Problem } from "./problem.ts";
import type { FleetRow, ObjectRow } from "./row.ts";
import type { RuntimeDocument } from "./runtime-document.ts";
import type { SetDocument } from "./set-document.ts";

/** The lists that can be followed, and what their rows are. */
export interface Tables {
  readonly objects: ObjectRow;
  readonly fleet: FleetRow;
}

/** The pages that can be followed, by the first word of their topic, and what they hold. */
export interface Documents {
  readonly problems: readonly Problem[];
  readonly object: ObjectDocument;
  readonly set: SetDocument;
  readonly cluster: ClusterDocument;
  readonly runtime: RuntimeDocument;
}

/**
 * What a stream says of one topic. Lists come whole first, and then as changes; pages come whole whenever they are another one.
 * A topic that fails is tried again by the server, so what follows a `failed` may be anything.
 */
export type TopicMessage =
  | { readonly kind: "reset"; readonly rows: readonly { readonly id: string }[] }
  | { readonly kind: "change"; readonly put: readonly { readonly id: string }[]; readonly gone: readonly string[] }
  | { readonly kind: "document"; readonly document: Documents[keyof Documents] }
  | { readonly kind: "failed"; readonly problem: Problem };

/** One event of a stream. Its id holds where each topic is, in the order in which they were asked for. */
export interface StreamMessage {
  readonly topic: string;
  readonly message: TopicMessage;
}

/** Where to follow topics: one connection for all, because a browser has only a few for each server. */
export function streamPath(topics: readonly string[], positions: readonly string[]): string {
  const query = new URLSearchParams(topics.map((topic) => ["topic", topic]));
  query.set("after", formatPositions(positions));
  return `/api/stream?${query.toString()}`;
}

/** Positions as the id of an event. None holds a comma. */
export function formatPositions(positions: readonly string[]): string {
  return positions.join(",");
}

/** The positions in the id of an event; missing ones are empty, which is the beginning. */
export function parsePositions(text: string, count: number): readonly string[] {
  const found = text.split(",");
  return Array.from({ length: count }, (_, index) => found[index] ?? "");
}
