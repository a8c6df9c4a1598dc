import type { Scene } from "./scene.ts";

/** What a case talks to the server with. */
export type Client = "requests" | "kubectl" | "client-node";

/** One rule of Kubernetes, checked against a server. */
export interface Case {
  readonly group: string;
  /** A sentence that is true of a Kubernetes server. */
  readonly name: string;
  /** Which document or source says so. */
  readonly rule: string;
  /** A case of kubectl runs once with every kubectl found. */
  readonly client: Client;
  /** Waits for something that takes a minute, so it begins first. */
  readonly slow: boolean;
  /** Resolves if the rule holds, and fails with what is different if not. */
  readonly run: (scene: Scene) => Promise<void>;
}

/** A case without what its group says. */
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

/** How results and exceptions name a case. */
export function idOf({ group, name }: Pick<Case, "group" | "name">): string {
  return `${group}: ${name}`;
}
