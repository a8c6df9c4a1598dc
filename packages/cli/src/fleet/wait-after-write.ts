import type { KindDescription, WireResource } from "@levelset/fleet/client";
import type { Shell } from "../terminal/index.ts";
import { runWait, timeoutMs } from "../wait/index.ts";
import type { WaitFlag, WaitGoal } from "../wait/index.ts";
import type { FleetSession } from "./fleet-session.ts";
import type { OutputFormat } from "./output-format.ts";
import { resourceTarget } from "./wait-fleet.ts";

/** A resource as returned by a write. */
export interface Written {
  readonly kind: KindDescription;
  readonly resource: WireResource;
}

/**
 * With `--wait`, waits until written resources are Ready at the generation that the write returned, or are deleted.
 * With `-o`, stdout is for data, so the result of the wait goes to stderr.
 */
export async function waitAfterWrite(
  written: readonly Written[],
  goal: WaitGoal,
  {
    flags,
    session,
    shell,
  }: {
    readonly flags: WaitFlag & { readonly in?: string; readonly output?: OutputFormat };
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
