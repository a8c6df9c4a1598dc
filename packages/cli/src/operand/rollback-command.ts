import { InputError, isReady } from "@levelset/core";
import type { Command } from "commander";
import { addClusterFlags, clusterWords, describeCluster, withCluster } from "../cluster-session.ts";
import type { ClusterFlags } from "../cluster-session.ts";
import type { Shell } from "../shell.ts";
import { addWaitFlag, checkWaitFlags, WAIT_EXIT_CODES } from "../wait/index.ts";
import type { WaitFlag } from "../wait/index.ts";
import { askFor, getOperand, revisionNumbered, revisionsOf } from "./operand-access.ts";
import type { LiveOperand, LiveRevision } from "./operand-access.ts";
import { parseGeneration } from "./plan-command.ts";
import { waitForOperand } from "./wait-operand.ts";

interface RollbackFlags extends ClusterFlags, WaitFlag {
  readonly to?: number;
}

/** `levelset operand rollback NAME`: asks again for what was asked for before. */
export function addRollbackCommand(operand: Command, shell: Shell): void {
  const command = operand
    .command("rollback")
    .argument("<name>", "how the Operand is called")
    .description("ask again for an earlier version that became ready");
  addWaitFlag(addClusterFlags(command), "the Operand is ready for that version")
    .option(
      "--to <generation>",
      "which one (default: the one before, or the latest that was ready if the Operand is not)",
      parseGeneration,
    )
    .addHelpText(
      "after",
      "\nWhich versions there are: levelset operand history. What would change: levelset operand plan --to.",
    )
    .addHelpText("after", WAIT_EXIT_CODES)
    .action(async (name: string, flags: RollbackFlags) => rollBack(name, flags, shell));
}

async function rollBack(name: string, flags: RollbackFlags, shell: Shell): Promise<void> {
  checkWaitFlags(flags);
  await withCluster(shell, flags, async (session) => {
    shell.stderr(`${describeCluster(session.asked)}\n`);
    const before = await getOperand(session, name);
    const revisions = await revisionsOf(session, before);
    const revision = flags.to === undefined ? previous(before, revisions) : revisionNumbered(revisions, flags.to);
    const after = await askFor(session, name, revision.spec.asked, { dryRun: false, force: true });
    const { generation } = after.metadata;
    const asked = `operand/${name} asks for generation ${revision.spec.generation} again`;
    const isSame = generation === before.metadata.generation;
    shell.stdout(isSame ? `${asked}: it did already\n` : `${asked}, as generation ${generation}\n`);
    if (flags.wait === true) return waitForOperand(after, session, flags, shell);
    if (!isSame) shell.stdout(`Try: levelset operand status ${name} --watch${clusterWords(flags)}\n`);
  });
}

/** The version that somebody means who names none. */
function previous(operand: LiveOperand, revisions: readonly LiveRevision[]): LiveRevision {
  const found = revisions.at(isReady(operand) ? -2 : -1);
  if (found !== undefined) return found;
  throw new InputError("there is no earlier version to go back to", {
    hint: "only versions that became ready are kept, as many as spec.revisionHistoryLimit says",
  });
}
