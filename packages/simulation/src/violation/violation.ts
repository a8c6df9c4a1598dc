import type { Difference } from "./difference.ts";

/** The checks of a simulation. All but `property` need no code of the user. */
export type Oracle =
  /** Ends as a run without faults does, regardless of the path that led there. */
  | "converges"
  /** Ready never stands beside a world that does not match. */
  | "truth"
  /** No writes and no polling at rest. */
  | "quiet"
  /** Leaves nothing behind after deletion, and does not touch foreign objects. */
  | "clean"
  /** Repeats no effect beyond its key, and has one live child for each intent. */
  | "once"
  /** No programming error, no undeclared right, no refused write. */
  | "defects"
  /** The properties of the user. */
  | "property";

/** Rule → its oracle. `ignore` of the options takes the names of rules. */
export const RULES = {
  "faults-change-the-end": "converges",
  "path-changes-the-end": "converges",
  "restart-changes-the-end": "converges",
  "child-replaced": "converges",
  "long-name-unhealthy": "converges",
  "ready-beside-other-world": "truth",
  "ready-before-workload": "truth",
  "hot-loop": "quiet",
  "writes-at-rest": "quiet",
  "polls-at-rest": "quiet",
  "left-behind": "clean",
  "stuck-finalizer": "clean",
  "foreign-touched": "clean",
  "external-left": "clean",
  "external-repeated": "once",
  "job-repeated": "once",
  "child-duplicated": "once",
  "programming-error": "defects",
  "undeclared-right": "defects",
  "status-refused": "defects",
  "child-refused": "defects",
  "process-ended": "defects",
  "process-blocked": "defects",
  "property-violated": "property",
} as const;

/** The name of a rule: a row of the table in docs/guide/simulation.md, "What is checked". */
export type SimulationRule = keyof typeof RULES;

/** Reports whether a text is the name of a rule. */
export function isRule(text: string): text is SimulationRule {
  return Object.hasOwn(RULES, text);
}

/** A violated rule. */
export interface Violation {
  readonly rule: SimulationRule;
  /** What was observed, as one sentence. */
  readonly message: string;
  /** What the rule expects, as one sentence. */
  readonly expected: string;
  /** The object concerned: `Deployment default/a`. */
  readonly object?: string;
  /** The differences of the two ends that were compared. */
  readonly differences?: readonly Difference[];
}

/** Returns the oracle of a violation. */
export function oracleOf({ rule }: Pick<Violation, "rule">): Oracle {
  return RULES[rule];
}
