import type { KindDescription } from "@levelset/fleet/client";
import { EXIT_CODES } from "../process/index.ts";
import { jsonText } from "../terminal/index.ts";
import type { Shell } from "../terminal/index.ts";
import { findFleet } from "../cluster/index.ts";
import { withFleet } from "./fleet-session.ts";
import type { FleetFlags } from "../cluster/index.ts";
import type { FleetSession } from "./fleet-session.ts";
import { findParent, findResource, matchKind } from "./resource-arg.ts";
import { explainResource } from "./explain-resource.ts";
import { whyText } from "./why-text.ts";

/** Flags of `levelset why` for fleet resources. */
export interface WhyFleetFlags extends FleetFlags {
  readonly in?: string;
  readonly output: "text" | "json";
  readonly watch?: boolean;
}

/** Poll interval of `--watch`. */
const POLL_MS = 1_000;

/**
 * Explains why a fleet resource is not Ready. Returns false if no fleet is configured or the fleet does not have the
 * kind.
 */
export async function whyInFleet(
  arg: { readonly kind: string; readonly name: string },
  flags: WhyFleetFlags,
  shell: Shell,
): Promise<boolean> {
  if (findFleet(shell, flags) === undefined) return false;
  return withFleet(shell, flags, async (session) => {
    const kind = matchKind(session.kinds, arg.kind);
    if (kind === undefined) return false;
    await printExplanation({ kind, name: arg.name, session }, flags, shell);
    return true;
  });
}

interface Query {
  readonly kind: KindDescription;
  readonly name: string;
  readonly session: FleetSession;
}

/** Prints the explanation; with `--watch` after each change other than elapsed time. */
async function printExplanation({ kind, name, session }: Query, flags: WhyFleetFlags, shell: Shell): Promise<void> {
  const { signal } = session;
  const { terminal, clock } = shell;
  shell.exitCode(EXIT_CODES.notReady);
  const parent = await findParent(session, kind, flags.in);
  for (let last = ""; ; await clock.sleep(POLL_MS, signal)) {
    const { resource } = await findResource(session, kind, name, parent);
    const collection = session.client.collection(kind, parent);
    const explanation = await explainResource({ kind, resource, collection, signal }, session);
    const state = JSON.stringify(explanation);
    const options = { now: clock.now(), colors: terminal?.colors ?? false, columns: terminal?.columns };
    const text = flags.output === "json" ? jsonText(explanation) : whyText(explanation, options);
    if (state !== last) shell.stdout(`${last === "" ? "" : "\n"}${text}`);
    last = state;
    if (explanation.isReady) return shell.exitCode(EXIT_CODES.ok);
    if (flags.watch !== true) return;
  }
}
