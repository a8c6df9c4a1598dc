import type { Command } from "commander";
import { addClusterFlags, describeCluster, withCluster } from "../../cluster/index.ts";
import type { ClusterFlags } from "../../cluster/index.ts";
import { suspendOperand, waitForOperand } from "../../operand/index.ts";
import type { Shell } from "../../terminal/index.ts";
import { addWaitFlag, checkWaitFlags, WAIT_EXIT_CODES } from "../../wait/index.ts";
import type { WaitFlag } from "../../wait/index.ts";
import { examples } from "../../options/index.ts";

/** `levelset operand resume NAME`: restarts reconciliation of a suspended Operand. */
export function addOperandResumeCommand(operand: Command, shell: Shell): void {
  const command = operand
    .command("resume")
    .argument("<name>", "name of the Operand")
    .description("resume a suspended Operand");
  addWaitFlag(addClusterFlags(command), "the Operand is Ready")
    .addHelpText("after", WAIT_EXIT_CODES)
    .addHelpText("after", examples("levelset operand resume shop"))
    .action(async (name: string, flags: ClusterFlags & WaitFlag) => {
      checkWaitFlags(flags);
      await withCluster(shell, flags, async (session) => {
        shell.stderr(`${describeCluster(session.cluster)}\n`);
        const { done, after } = await suspendOperand(session, name, false);
        shell.stdout(`${done}\n`);
        if (flags.wait === true) await waitForOperand(after, session, flags, shell);
      });
    });
}
