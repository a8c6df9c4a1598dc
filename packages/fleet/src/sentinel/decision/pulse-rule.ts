import type { TextMap } from "../../resource/index.ts";
import type { PulseDecision } from "./pulse-decision.ts";
import type { MessageData } from "../pulse/message-data.ts";

/** What is pulsed, when, with which message and to which topic. Each Sentinel configuration yields one rule. */
export interface PulseRule {
  /** Plural of the kind. */
  readonly resourceType: string;
  /** Labels that a resource must have. */
  readonly selector: TextMap;
  readonly decision: PulseDecision;
  readonly data: MessageData;
  readonly topic: string;
  /** Check interval where the decision cannot be analyzed. */
  readonly pollIntervalMs: number;
}

/** Returns whether a rule selects resources with these labels. */
export function matchesRuleSelector({ selector }: Pick<PulseRule, "selector">, labels: TextMap): boolean {
  return Object.entries(selector).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

/** Formats a selector as `env:production,region:us-east`, or `all`. */
export function selectorText(selector: TextMap): string {
  const pairs = Object.entries(selector).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return pairs.length === 0 ? "all" : pairs.map(([key, value]) => `${key}:${value}`).join(",");
}

/** Converts a selector to the search language of the API; undefined for all. */
export function selectorSearch(selector: TextMap): string | undefined {
  const pairs = Object.entries(selector).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (pairs.length === 0) return undefined;
  return pairs.map(([key, value]) => `labels.${key}='${value.replaceAll("'", "''")}'`).join(" and ");
}
