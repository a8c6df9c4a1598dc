import { InputError, isReady } from "@levelset/core";
import type { Command } from "commander";
import { addClusterFlags, clusterFlagsText, describeCluster, withCluster } from "../../cluster/index.ts";
import type { ClusterFlags } from "../../cluster/index.ts";
import type { Shell } from "../../terminal/index.ts";
import { addWaitFlag, checkWaitFlags, WAIT_EXIT_CODES } from "../../wait/index.ts";
import type { WaitFlag } from "../../wait/index.ts";
import {
  applyOperand,
  getOperand,
  parseGeneration,
  revisionByGeneration,
  revisionsOf,
  waitForOperand,
} from "../../operand/index.ts";
import type { LiveOperand, LiveRevision } from "../../operand/index.ts";
import { examples } from "../../options/index.ts";

interface RollbackFlags extends ClusterFlags, WaitFlag {
  readonly to?: number;
}

/** `levelset operand rollback NAME`: applies the spec of an earlier version. */
export function addOperandRollbackCommand(operand: Command, shell: Shell): void {
  const command = operand
    .command("rollback")
    .argument("<name>", "name of the Operand")
    .description("roll an Operand back to an earlier version that became Ready");
  addWaitFlag(addClusterFlags(command), "the Operand is Ready at that version")
    .option("--to <generation>", "generation to roll back to (default: the previous Ready version)", parseGeneration)
    .addHelpText(
      "after",
      "\nTo list the versions: levelset operand history. To preview the changes: levelset operand plan --to.",
    )
    .addHelpText("after", WAIT_EXIT_CODES)
    .addHelpText("after", examples("levelset operand rollback shop", "levelset operand rollback shop --to 3"))
    .action(async (name: string, flags: RollbackFlags) => rollBack(name, flags, shell));
}

async function rollBack(name: string, flags: RollbackFlags, shell: Shell): Promise<void> {
  checkWaitFlags(flags);
  await withCluster(shell, flags, async (session) => {
    shell.stderr(`${describeCluster(session.cluster)}\n`);
    const before = await getOperand(session, name);
    const revisions = await revisionsOf(session, before);
    const revision = flags.to === undefined ? previous(before, revisions) : revisionByGeneration(revisions, flags.to);
    const after = await applyOperand(session, name, revision.spec.asked, { dryRun: false, force: true });
    const { generation } = after.metadata;
    const message = `operand/${name} rolled back to generation ${revision.spec.generation}`;
    const isSame = generation === before.metadata.generation;
    shell.stdout(isSame ? `${message} already\n` : `${message}, as generation ${generation}\n`);
    if (flags.wait === true) return waitForOperand(after, session, flags, shell);
    if (!isSame) shell.stdout(`Try: levelset operand status ${name} --watch${clusterFlagsText(flags)}\n`);
  });
}

/** Returns the default version to roll back to. */
function previous(operand: LiveOperand, revisions: readonly LiveRevision[]): LiveRevision {
  const found = revisions.at(isReady(operand) ? -2 : -1);
  if (found !== undefined) return found;
  throw new InputError("no earlier version to roll back to", {
    hint: "only versions that became Ready are retained, up to spec.revisionHistoryLimit",
  });
}
