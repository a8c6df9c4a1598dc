import type { Command } from "commander";
import { addClusterFlags, describeCluster, withCluster } from "../../cluster/index.ts";
import type { ClusterFlags } from "../../cluster/index.ts";
import { suspendOperand } from "../../operand/index.ts";
import type { Shell } from "../../terminal/index.ts";
import { examples } from "../../options/index.ts";

/** `levelset operand suspend NAME`: stops reconciliation of an Operand. */
export function addOperandSuspendCommand(operand: Command, shell: Shell): void {
  const command = operand
    .command("suspend")
    .argument("<name>", "name of the Operand")
    .description("suspend an Operand: write only its status");
  addClusterFlags(command)
    .addHelpText("after", examples("levelset operand suspend shop"))
    .action(async (name: string, flags: ClusterFlags) =>
      withCluster(shell, flags, async (session) => {
        shell.stderr(`${describeCluster(session.cluster)}\n`);
        const { done } = await suspendOperand(session, name, true);
        shell.stdout(`${done}\n`);
      }),
    );
}
