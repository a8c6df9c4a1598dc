import { InputError } from "@levelset/core";
import type { FleetFlags } from "../fleet-flags.ts";
import { findFleet } from "../fleet-flags.ts";
import type { ObjectWord } from "../object-word.ts";
import type { Shell } from "../shell.ts";
import type { WaitGoal, WaitTarget } from "../wait/index.ts";
import { withFleet } from "./fleet-session.ts";
import { kindIn } from "./resource-word.ts";

/** What is waited for in a fleet. */
export interface WaitFleetFlags extends FleetFlags {
  readonly in?: string;
  readonly for: WaitGoal;
  readonly generation?: number;
}

/**
 * A target for each word whose kind the known fleet has, undefined for the others; all undefined if no fleet is known. Each target connects to
 * the fleet itself, so its errors are explained as those of the fleet.
 */
export async function waitTargetsInFleet(
  words: readonly ObjectWord[],
  flags: WaitFleetFlags,
  shell: Shell,
): Promise<readonly (WaitTarget | undefined)[]> {
  if (findFleet(shell, flags) === undefined) return words.map(() => undefined);
  return withFleet(shell, flags, async (session) =>
    words.map(({ kind: word }) => {
      if (kindIn(session.kinds, word) === undefined) return undefined;
      throw new InputError(`${JSON.stringify(word)} is a kind of the fleet, whose resources cannot be waited for yet`);
    }),
  );
}
