import type { KindDescription, WireResource } from "@levelset/fleet/client";
import type { Shell } from "../shell.ts";
import { runWait, timeoutMs } from "../wait/index.ts";
import type { WaitFlag, WaitGoal } from "../wait/index.ts";
import type { FleetSession } from "./fleet-session.ts";
import type { Output } from "./output.ts";
import { resourceTarget } from "./wait-fleet.ts";

/** A resource as a write returned it. */
export interface Written {
  readonly kind: KindDescription;
  readonly resource: WireResource;
}

/**
 * Waits, if `--wait` is given, until written resources are ready for the generation that the write returned, or are deleted. Where stdout is
 * for data, the result goes to stderr.
 */
export async function waitAfterWrite(
  written: readonly Written[],
  goal: WaitGoal,
  {
    flags,
    session,
    shell,
  }: {
    readonly flags: WaitFlag & { readonly in?: string; readonly output?: Output };
    readonly session: FleetSession;
    readonly shell: Shell;
  },
): Promise<void> {
  if (flags.wait !== true || written.length === 0) return;
  const targets = written.map(({ kind, resource }) => {
    return resourceTarget({ session, kind, resource, parent: flags.in, goal, generation: resource.generation });
  });
  const { terminal: _none, ...plain } = shell;
  const isData = flags.output !== undefined && flags.output !== "table";
  const run = { goal, output: "text", timeoutMs: timeoutMs(flags), signal: session.signal } as const;
  await runWait(targets, run, isData ? { ...plain, stdout: shell.stderr } : shell);
}
