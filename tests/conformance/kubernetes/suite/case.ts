import type { CaseContext } from "./case-context.ts";

/** The client of a case. */
export type Client = "requests" | "kubectl" | "client-node";

/** One rule of Kubernetes that is checked against a server. */
export interface Case {
  readonly group: string;
  /** A statement about Kubernetes. */
  readonly name: string;
  /** The document or source of the rule. */
  readonly rule: string;
  /** A kubectl case runs once with every kubectl found. */
  readonly client: Client;
  /** Waits for about a minute, so it starts first. */
  readonly slow: boolean;
  /** Resolves if the rule holds; rejects with the difference otherwise. */
  readonly run: (scenario: CaseContext) => Promise<void>;
}

/** A case without the properties of its group. */
export type CaseOf = readonly [name: string, rule: string, run: Case["run"], pace?: "slow"];

/** Cases of one group. */
export function group(name: string, client: Client, cases: readonly CaseOf[]): readonly Case[] {
  return cases.map(([sentence, rule, run, pace]) => ({
    group: name,
    name: sentence,
    rule,
    client,
    slow: pace === "slow",
    run,
  }));
}

/** Returns the id of a case in results and exceptions. */
export function idOf({ group, name }: Pick<Case, "group" | "name">): string {
  return `${group}: ${name}`;
}
