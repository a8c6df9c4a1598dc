import { Operand } from "@levelset/operator";
import { clusterWords } from "../cluster-session.ts";
import type { ClusterFlags, ClusterSession } from "../cluster-session.ts";
import type { Shell } from "../shell.ts";
import { objectTarget, runWait, timeoutMs } from "../wait/index.ts";
import type { WaitFlag } from "../wait/index.ts";
import type { LiveOperand } from "./operand-access.ts";

/** Waits until an Operand is ready for the generation that a write returned, or a later one. Sets the exit code. */
export async function waitForOperand(
  written: LiveOperand,
  { client, signal }: ClusterSession,
  flags: WaitFlag & ClusterFlags,
  shell: Shell,
): Promise<void> {
  const { name, uid, generation } = written.metadata;
  const hint = `levelset operand status ${name}${clusterWords(flags)}`;
  const target = objectTarget(client, { kind: Operand, key: { name }, goal: "ready", generation, uid, flags, hint });
  await runWait([target], { goal: "ready", timeoutMs: timeoutMs(flags), output: "text", signal }, shell);
}
