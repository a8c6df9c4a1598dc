import { Operand } from "@levelset/operator";
import { clusterFlagsText } from "../cluster/index.ts";
import type { ClusterFlags, ClusterSession } from "../cluster/index.ts";
import type { Shell } from "../terminal/index.ts";
import { objectTarget, runWait, timeoutMs } from "../wait/index.ts";
import type { WaitFlag } from "../wait/index.ts";
import type { LiveOperand } from "./operand-client.ts";

/** Waits until an Operand is Ready at the generation that a write returned, or a later one. Sets the exit code. */
export async function waitForOperand(
  written: LiveOperand,
  { client, signal }: ClusterSession,
  flags: WaitFlag & ClusterFlags,
  shell: Shell,
): Promise<void> {
  const { name, uid, generation } = written.metadata;
  const hint = `levelset operand status ${name}${clusterFlagsText(flags)}`;
  const target = objectTarget(client, { kind: Operand, key: { name }, goal: "ready", generation, uid, flags, hint });
  await runWait([target], { goal: "ready", timeoutMs: timeoutMs(flags), output: "text", signal }, shell);
}
