import { InputError } from "@levelset/core";
import { Operand, PRUNE_CONFIRMED_ANNOTATION } from "@levelset/operator";
import { PENDING_CONFIRMATION } from "@levelset/operator/internal";
import type { Command } from "commander";
import { addClusterFlags, describeCluster, withCluster } from "../../cluster/index.ts";
import type { ClusterFlags, ClusterSession } from "../../cluster/index.ts";
import { getOperand, refText } from "../../operand/index.ts";
import type { Shell } from "../../terminal/index.ts";
import { examples } from "../../options/index.ts";

/** `levelset operand confirm NAME`: approves pending pruning. */
export function addOperandConfirmCommand(operand: Command, shell: Shell): void {
  const command = operand
    .command("confirm")
    .argument("<name>", "name of the Operand")
    .description("approve pending pruning (spec.prune.mode is Confirm)");
  addClusterFlags(command)
    .addHelpText("after", examples("levelset operand confirm shop"))
    .action(async (name: string, flags: ClusterFlags) =>
      withCluster(shell, flags, async (session) => {
        shell.stderr(`${describeCluster(session.cluster)}\n`);
        shell.stdout(`${await confirm(session, name)}\n`);
      }),
    );
}

async function confirm(session: ClusterSession, name: string): Promise<string> {
  const { status, metadata } = await getOperand(session, name);
  const pending = (status?.pending ?? []).filter(({ reason }) => reason === PENDING_CONFIRMATION);
  const baseline = status?.latestReadyActiveOperand;
  if (pending.length === 0 || baseline === undefined) {
    throw new InputError(`the Operand ${JSON.stringify(name)} has no pending pruning to approve`, {
      hint: "run levelset operand status to list pending objects",
    });
  }
  const { client, signal } = session;
  // Bound to this resourceVersion: objects marked later need their own approval.
  const patch = {
    metadata: { resourceVersion: metadata.resourceVersion, annotations: { [PRUNE_CONFIRMED_ANNOTATION]: baseline } },
  };
  await client.mergePatch(Operand, { name }, patch, { signal });
  return [`operand/${name} confirmed`, ...pending.map((ref) => `  - ${refText(ref)}`)].join("\n");
}
