import { InputError } from "@levelset/core";
import { Operand, PRUNE_CONFIRMED_ANNOTATION } from "@levelset/operator";
import type { Command } from "commander";
import { addClusterFlags, describeCluster, withCluster } from "../cluster-session.ts";
import type { ClusterFlags, ClusterSession } from "../cluster-session.ts";
import type { Shell } from "../shell.ts";
import { addWaitFlag, checkWaitFlags, WAIT_EXIT_CODES } from "../wait/index.ts";
import type { WaitFlag } from "../wait/index.ts";
import { getOperand } from "./operand-client.ts";
import type { LiveOperand } from "./operand-client.ts";
import { refText } from "./ref-text.ts";
import { waitForOperand } from "./wait-operand.ts";

/** `levelset operand suspend` and `resume`: stop and restart reconciliation of an Operand. */
export function addOperandSuspendCommands(operand: Command, shell: Shell): void {
  add(operand, shell, {
    name: "suspend",
    description: "suspend an Operand: write only its status",
    act: async (session, name) => (await suspend(session, name, true)).done,
  });
  const command = operand
    .command("resume")
    .argument("<name>", "name of the Operand")
    .description("resume a suspended Operand");
  addWaitFlag(addClusterFlags(command), "the Operand is Ready")
    .addHelpText("after", WAIT_EXIT_CODES)
    .action(async (name: string, flags: ClusterFlags & WaitFlag) => {
      checkWaitFlags(flags);
      await withCluster(shell, flags, async (session) => {
        shell.stderr(`${describeCluster(session.cluster)}\n`);
        const { done, after } = await suspend(session, name, false);
        shell.stdout(`${done}\n`);
        if (flags.wait === true) await waitForOperand(after, session, flags, shell);
      });
    });
}

/** `levelset operand confirm NAME`: approves pending pruning. */
export function addOperandConfirmCommand(operand: Command, shell: Shell): void {
  add(operand, shell, {
    name: "confirm",
    description: "approve pending pruning (spec.prune.mode is Confirm)",
    act: confirm,
  });
}

interface PatchCommand {
  readonly name: string;
  readonly description: string;
  /** Patches the Operand and returns the message to print. */
  readonly act: (session: ClusterSession, name: string) => Promise<string>;
}

function add(operand: Command, shell: Shell, { name: verb, description, act }: PatchCommand): void {
  const command = operand.command(verb).argument("<name>", "name of the Operand").description(description);
  addClusterFlags(command).action(async (name: string, flags: ClusterFlags) =>
    withCluster(shell, flags, async (session) => {
      shell.stderr(`${describeCluster(session.cluster)}\n`);
      shell.stdout(`${await act(session, name)}\n`);
    }),
  );
}

/** The message to print, and the Operand after the patch. */
interface Suspension {
  readonly done: string;
  readonly after: LiveOperand;
}

async function suspend(session: ClusterSession, name: string, isSuspended: boolean): Promise<Suspension> {
  const before = await getOperand(session, name);
  if (before.spec.suspend === isSuspended) {
    return { done: `operand/${name} is already ${isSuspended ? "suspended" : "active"}`, after: before };
  }
  const { client, signal } = session;
  const after = await client.mergePatch(Operand, { name }, { spec: { suspend: isSuspended } }, { signal });
  return { done: `operand/${name} ${isSuspended ? "suspended" : "resumed"}`, after };
}

async function confirm(session: ClusterSession, name: string): Promise<string> {
  const { status, metadata } = await getOperand(session, name);
  const pending = (status?.pending ?? []).filter(({ reason }) => reason === "Confirm");
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
