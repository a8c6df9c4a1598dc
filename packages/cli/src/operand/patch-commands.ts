import { InputError } from "@levelset/core";
import { Operand, PRUNE_CONFIRMED } from "@levelset/operator";
import type { Command } from "commander";
import { addClusterFlags, describeCluster, withCluster } from "../cluster-session.ts";
import type { ClusterFlags, ClusterSession } from "../cluster-session.ts";
import type { Shell } from "../shell.ts";
import { addWaitFlag, checkWaitFlags, WAIT_EXIT_CODES } from "../wait/index.ts";
import type { WaitFlag } from "../wait/index.ts";
import { getOperand } from "./operand-access.ts";
import type { LiveOperand } from "./operand-access.ts";
import { refText } from "./ref-text.ts";
import { waitForOperand } from "./wait-operand.ts";

/** `levelset operand suspend` and `resume`: stops writing anything, and goes on. */
export function addSuspendCommands(operand: Command, shell: Shell): void {
  add(operand, shell, {
    name: "suspend",
    description: "stop writing anything but the Operand's own status",
    act: async (session, name) => (await suspend(session, name, true)).done,
  });
  const command = operand
    .command("resume")
    .argument("<name>", "how the Operand is called")
    .description("go on after suspend");
  addWaitFlag(addClusterFlags(command), "the Operand is ready")
    .addHelpText("after", WAIT_EXIT_CODES)
    .action(async (name: string, flags: ClusterFlags & WaitFlag) => {
      checkWaitFlags(flags);
      await withCluster(shell, flags, async (session) => {
        shell.stderr(`${describeCluster(session.asked)}\n`);
        const { done, after } = await suspend(session, name, false);
        shell.stdout(`${done}\n`);
        if (flags.wait === true) await waitForOperand(after, session, flags, shell);
      });
    });
}

/** `levelset operand confirm NAME`: lets go what waits for a word before it is pruned. */
export function addConfirmCommand(operand: Command, shell: Shell): void {
  add(operand, shell, {
    name: "confirm",
    description: "let objects be pruned that wait for that word (spec.prune.mode is Confirm)",
    act: confirm,
  });
}

interface PatchCommand {
  readonly name: string;
  readonly description: string;
  /** Does it, and says what is done. */
  readonly act: (session: ClusterSession, name: string) => Promise<string>;
}

function add(operand: Command, shell: Shell, { name: word, description, act }: PatchCommand): void {
  const command = operand.command(word).argument("<name>", "how the Operand is called").description(description);
  addClusterFlags(command).action(async (name: string, flags: ClusterFlags) =>
    withCluster(shell, flags, async (session) => {
      shell.stderr(`${describeCluster(session.asked)}\n`);
      shell.stdout(`${await act(session, name)}\n`);
    }),
  );
}

/** What was done, and the Operand afterwards. */
interface Suspension {
  readonly done: string;
  readonly after: LiveOperand;
}

async function suspend(session: ClusterSession, name: string, isSuspended: boolean): Promise<Suspension> {
  const before = await getOperand(session, name);
  if (before.spec.suspend === isSuspended) {
    return { done: `operand/${name} is ${isSuspended ? "suspended" : "not suspended"} already`, after: before };
  }
  const { client, signal } = session;
  const after = await client.mergePatch(Operand, { name }, { spec: { suspend: isSuspended } }, { signal });
  return { done: `operand/${name} ${isSuspended ? "suspended" : "resumed"}`, after };
}

async function confirm(session: ClusterSession, name: string): Promise<string> {
  const { status, metadata } = await getOperand(session, name);
  const waiting = (status?.pending ?? []).filter(({ reason }) => reason === "Confirm");
  const baseline = status?.latestReadyActiveOperand;
  if (waiting.length === 0 || baseline === undefined) {
    throw new InputError(`nothing of the Operand ${JSON.stringify(name)} waits for a word before it is pruned`, {
      hint: "levelset operand status tells what waits",
    });
  }
  const { client, signal } = session;
  // Of this very version: what is marked afterwards asks for a word of its own.
  const patch = {
    metadata: { resourceVersion: metadata.resourceVersion, annotations: { [PRUNE_CONFIRMED]: baseline } },
  };
  await client.mergePatch(Operand, { name }, patch, { signal });
  return [`operand/${name} confirmed`, ...waiting.map((ref) => `  - ${refText(ref)}`)].join("\n");
}
