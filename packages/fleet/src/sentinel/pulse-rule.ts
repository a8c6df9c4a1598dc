import type { TextMap } from "../resource/index.ts";
import type { Decision } from "./decision.ts";
import type { MessageData } from "./message-data.ts";

/** What is pulsed, when, with which message and where to. One configuration of a Sentinel makes one. */
export interface PulseRule {
  /** The plural of a kind. */
  readonly resourceType: string;
  /** Only resources that have all of these labels. */
  readonly selector: TextMap;
  readonly decision: Decision;
  readonly data: MessageData;
  readonly topic: string;
  /** How often to look where the decision does not tell when it will be true. */
  readonly pollIntervalMs: number;
}

/** Whether a rule is about resources with these labels. */
export function isSelected({ selector }: Pick<PulseRule, "selector">, labels: TextMap): boolean {
  return Object.entries(selector).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

/** A selector in one word: `env:production,region:us-east`, or `all`. */
export function selectorText(selector: TextMap): string {
  const pairs = Object.entries(selector).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return pairs.length === 0 ? "all" : pairs.map(([key, value]) => `${key}:${value}`).join(",");
}

/** A selector in the search language of the API; undefined for all. */
export function selectorSearch(selector: TextMap): string | undefined {
  const pairs = Object.entries(selector).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (pairs.length === 0) return undefined;
  return pairs.map(([key, value]) => `labels.${key}='${value.replaceAll("'", "''")}'`).join(" and ");
}
