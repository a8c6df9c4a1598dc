import type { KindDescription } from "@levelset/fleet/client";
import { EXIT } from "../failure.ts";
import { jsonText } from "../json-text.ts";
import type { Shell } from "../shell.ts";
import { findFleet } from "../fleet-flags.ts";
import { withFleet } from "./fleet-session.ts";
import type { FleetFlags } from "../fleet-flags.ts";
import type { FleetSession } from "./fleet-session.ts";
import { findParent, findResource, kindIn } from "./resource-word.ts";
import { fleetAnswer } from "./why-facts.ts";
import { whyText } from "./why-text.ts";

/** How a question about a resource is asked. */
export interface WhyFleetFlags extends FleetFlags {
  readonly in?: string;
  readonly output: "text" | "json";
  readonly watch?: boolean;
}

/** How often `--watch` looks again. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Answers why a fleet's resource is not ready, and says whether it has: not if no fleet is known, or if the fleet has no such kind.
 * With `--fleet` the fleet is asked in any case.
 */
export async function whyInFleet(
  word: { readonly kind: string; readonly name: string },
  flags: WhyFleetFlags,
  shell: Shell,
): Promise<boolean> {
  if (findFleet(shell, flags) === undefined) return false;
  return withFleet(shell, flags, async (session) => {
    const kind = kindIn(session.kinds, word.kind);
    if (kind === undefined) return false;
    await tell({ kind, name: word.name, session }, flags, shell);
    return true;
  });
}

interface Question {
  readonly kind: KindDescription;
  readonly name: string;
  readonly session: FleetSession;
}

/** Prints the answer; with `--watch` whenever something else than the time has changed. */
async function tell({ kind, name, session }: Question, flags: WhyFleetFlags, shell: Shell): Promise<void> {
  const { signal } = session;
  const { terminal, clock } = shell;
  shell.exitCode(EXIT.notReady);
  const parent = await findParent(session, kind, flags.in);
  for (let last = ""; ; await clock.sleep(LOOK_AGAIN_MS, signal)) {
    const { resource } = await findResource(session, kind, name, parent);
    const collection = session.client.collection(kind, parent);
    const answer = await fleetAnswer({ kind, resource, collection, signal }, session);
    const state = JSON.stringify(answer);
    const options = { now: clock.now(), colors: terminal?.colors ?? false, columns: terminal?.columns };
    const said = flags.output === "json" ? jsonText(answer) : whyText(answer, options);
    if (state !== last) shell.stdout(`${last === "" ? "" : "\n"}${said}`);
    last = state;
    if (answer.isReady) return shell.exitCode(EXIT.ok);
    if (flags.watch !== true) return;
  }
}
