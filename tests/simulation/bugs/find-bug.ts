import { Campaign } from "@levelset/simulation/internal";
import { samplesOf } from "./samples.ts";
import type { SimulationBug } from "./simulation-bug.ts";

/** Returns a campaign of one of the two programs of a bug. */
export async function campaignOf(bug: SimulationBug, twin: "buggy" | "fixed"): Promise<Campaign> {
  const ignore = ["long-name-unhealthy", ...(bug.accepts ?? [])] as const;
  const samples = await samplesOf(bug);
  return Campaign.prepare(() => bug[twin](), { samples, ignore: bug.oracle === "defects" ? [] : ignore });
}

/** The number of seeds within which each bug is found. */
export const SEEDS_MAX = 2_000;

/**
 * Returns the first violated rule of a case that one of the seeds draws, and that the corrected program passes. Does not
 * shrink the case.
 */
export async function ruleThatFinds(bug: SimulationBug, seeds: Iterable<number>): Promise<string | undefined> {
  const buggy = await campaignOf(bug, "buggy");
  const fixed = await campaignOf(bug, "fixed");
  for (const seed of seeds) {
    const { violation, case: drawn } = await buggy.examineSeed(seed);
    if (violation !== undefined && (await fixed.replay(drawn)).violation === undefined) return violation.rule;
  }
  return undefined;
}

/** A bug that a simulation has found. */
export interface FoundBug {
  readonly seed: number;
  readonly rule: string;
  /** How many operations and faults are in the shrunk case. */
  readonly size: number;
}

/**
 * Searches the bug of a program, and returns undefined if it is not found. The bug is found by a case that the corrected
 * program passes.
 */
export async function findBug(bug: SimulationBug, seeds: number): Promise<FoundBug | undefined> {
  const buggy = await campaignOf(bug, "buggy");
  const fixed = await campaignOf(bug, "fixed");
  for (let seed = 1; seed <= seeds; seed++) {
    const { failure } = await buggy.runSeed(seed);
    if (failure === undefined) continue;
    const { violation } = await fixed.replay(failure.case);
    if (violation !== undefined) continue;
    const { history, faults } = failure.case;
    return { seed, rule: failure.violation.rule, size: history.operations.length + faults.length };
  }
  return undefined;
}
