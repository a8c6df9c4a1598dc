import { InputError } from "@levelset/core";
import { Operand, PRUNE_CONFIRMED } from "@levelset/operator";
import type { Command } from "commander";
import { addClusterFlags, describeCluster, withCluster } from "../cluster-session.ts";
import type { ClusterFlags, ClusterSession } from "../cluster-session.ts";
import type { Shell } from "../shell.ts";
import { getOperand } from "./operand-access.ts";
import { refText } from "./ref-text.ts";

/** `levelset operand suspend` and `resume`: stops writing anything, and goes on. */
export function addSuspendCommands(operand: Command, shell: Shell): void {
  add(operand, shell, {
    name: "suspend",
    description: "stop writing anything but the Operand's own status",
    act: (session, name) => suspend(session, name, true),
  });
  add(operand, shell, {
    name: "resume",
    description: "go on after suspend",
    act: (session, name) => suspend(session, name, false),
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

async function suspend(session: ClusterSession, name: string, isSuspended: boolean): Promise<string> {
  const { spec } = await getOperand(session, name);
  const state = isSuspended ? "suspended" : "resumed";
  if (spec.suspend === isSuspended) return `operand/${name} is ${isSuspended ? "suspended" : "not suspended"} already`;
  const { client, signal } = session;
  await client.mergePatch(Operand, { name }, { spec: { suspend: isSuspended } }, { signal });
  return `operand/${name} ${state}`;
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
