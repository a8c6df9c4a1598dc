import { findCondition, isAbort } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { ClusterActiveOperand, Operand, SKIP_DELETION_WAIT } from "@levelset/operator";
import { Option } from "commander";
import type { Command } from "commander";
import { addClusterFlags, describeCluster, withCluster } from "../cluster-session.ts";
import type { ClusterFlags, ClusterSession } from "../cluster-session.ts";
import { EXIT } from "../failure.ts";
import { printable } from "../paint.ts";
import type { Shell } from "../shell.ts";
import { findOperand, getOperand } from "./operand-access.ts";
import type { LiveOperand } from "./operand-access.ts";

interface DeleteFlags extends ClusterFlags {
  readonly cascade: (typeof CASCADES)[number];
  readonly wait: boolean;
  readonly skipDeletionWait?: boolean;
}

const CASCADES = ["background", "foreground", "orphan"] as const;
const LOOK_AGAIN_MS = 500;
/** After so many looks somebody may wonder. */
const PATIENCE_LOOKS = 10;

/** `levelset operand delete NAME`: removes a set, or only what keeps it. */
export function addDeleteCommand(operand: Command, shell: Shell): void {
  const command = operand
    .command("delete")
    .argument("<name>", "how the Operand is called")
    .description("delete an Operand and the objects of its set, or with --cascade orphan only the Operand");
  addClusterFlags(command)
    .addOption(
      new Option("--cascade <how>", "what becomes of the objects: deleted, deleted and waited for, or left alone")
        .choices(CASCADES)
        .default("background"),
    )
    .option("--no-wait", "do not wait until the Operand is gone")
    .option("--skip-deletion-wait", "delete stage after stage without waiting until the objects of one are gone")
    .addHelpText("after", "\nExit codes: 0 gone, 3 given up waiting for it, 2 a wrong argument, 1 anything else.")
    .action(async (name: string, flags: DeleteFlags) => remove(name, flags, shell));
}

async function remove(name: string, flags: DeleteFlags, shell: Shell): Promise<void> {
  try {
    await withCluster(shell, flags, async (session) => {
      const { client, signal } = session;
      shell.stderr(`${describeCluster(session.asked)}\n`);
      const { metadata, spec } = await getOperand(session, name);
      const patch = patchOf(flags);
      if (patch !== undefined) await client.mergePatch(Operand, { name }, patch, { signal });
      // Never in the foreground: the garbage collector would delete all objects at once, in no order.
      const propagation = flags.cascade === "orphan" ? "Orphan" : "Background";
      await client.delete(Operand, { name }, { uid: metadata.uid, propagation, signal });
      if (!flags.wait) return shell.stdout(`operand/${name} is being deleted\n`);
      shell.exitCode(EXIT.notReady);
      await untilGone(name, metadata.uid, session, shell);
      shell.exitCode(EXIT.ok);
      shell.stdout(`operand/${name} deleted\n`);
      const left = flags.cascade === "orphan" || spec.deletionPolicy === "Orphan" ? [] : leftInPlace(spec);
      if (left.length > 0) shell.stdout(`namespaces and CRDs are never deleted: ${left.join(", ")}\n`);
    });
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
}

/** What the flags change in an Operand before it is deleted; undefined for nothing. */
function patchOf({ cascade, skipDeletionWait = false }: DeleteFlags): JsonObject | undefined {
  if (cascade !== "foreground" && !skipDeletionWait) return undefined;
  return {
    ...(cascade === "foreground" ? { spec: { deletionPolicy: "WaitForTermination" } } : {}),
    ...(skipDeletionWait ? { metadata: { annotations: { [SKIP_DELETION_WAIT]: "true" } } } : {}),
  };
}

/** The namespaces and CRDs of a set: they stay, with all that others have in them. */
function leftInPlace({ steadyState, postInstall }: LiveOperand["spec"]): readonly string[] {
  const objects = [...steadyState, ...postInstall];
  const words = objects
    .filter(({ kind }) => kind === "Namespace" || kind === "CustomResourceDefinition")
    .flatMap(({ kind, metadata: { name } }) => (typeof name === "string" ? `${kind} ${printable(name)}` : []));
  return [...new Set(words)];
}

/** Waits for the end of an Operand, and tells whenever something else holds it. */
async function untilGone(name: string, uid: string, session: ClusterSession, shell: Shell): Promise<void> {
  let told = "";
  for (let looks = 0; ; looks++) {
    const left = await findOperand(session, name);
    if (left?.metadata.uid !== uid) return;
    const blocked = await blockedBy(left, session);
    const why = blocked ?? (looks < PATIENCE_LOOKS ? "" : "still there: is levelset operand run at work?");
    if (why !== told && why !== "") shell.stderr(`${printable(why)}\n`);
    told = why;
    await shell.clock.sleep(LOOK_AGAIN_MS, session.signal);
  }
}

/** What the reasons say that an Operand which is being deleted may have. */
const HOLDS: Readonly<Record<string, string>> = {
  PruneBlocked: "blocked: ",
  WaitingForDeletion: "",
  DeletionTimedOut: "timed out: ",
};

/** The object that keeps an Operand from going, in words; undefined when there is none. */
async function blockedBy({ status }: LiveOperand, { client, signal }: ClusterSession): Promise<string | undefined> {
  const { items } = await client.list(ClusterActiveOperand, { signal });
  const inventories = items.filter(({ metadata: { name } }) =>
    [status?.latestReadyActiveOperand, status?.latestCreatedActiveOperand].includes(name),
  );
  const conditions = [
    ...inventories.map((inventory) => findCondition(inventory.status?.conditions, "Pruned")),
    findCondition(status?.conditions, "OperandInstalled"),
  ];
  for (const condition of conditions) {
    const sign = condition?.status === "False" ? HOLDS[condition.reason] : undefined;
    if (condition !== undefined && sign !== undefined) return `${sign}${condition.message}`;
  }
  return undefined;
}
