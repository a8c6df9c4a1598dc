import { findCondition, isAbort, realRandom, silentLogger } from "@levelset/core";
import type { JsonObject, ObjectOf } from "@levelset/core";
import { ClusterActiveOperand, Informer, Operand, SKIP_DELETION_WAIT } from "@levelset/operator";
import { Option } from "commander";
import type { Command } from "commander";
import { addClusterFlags, describeCluster, withCluster } from "../cluster-session.ts";
import type { ClusterFlags, ClusterSession } from "../cluster-session.ts";
import { EXIT } from "../failure.ts";
import { printable } from "../paint.ts";
import { repeatOnChange } from "../repeat-on-change.ts";
import type { Shell } from "../shell.ts";
import { getOperand, operandInformer } from "./operand-access.ts";
import type { LiveOperand } from "./operand-access.ts";

/** An inventory as the cluster has it. */
type LiveInventory = ObjectOf<typeof ClusterActiveOperand>;

interface DeleteFlags extends ClusterFlags {
  readonly cascade: (typeof CASCADES)[number];
  readonly wait: boolean;
  readonly skipDeletionWait?: boolean;
}

const CASCADES = ["background", "foreground", "orphan"] as const;
/** After this time a reader may wonder why the Operand is still there. */
const PATIENCE_MS = 5_000;

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

/** Waits until an Operand is gone, and prints what holds it whenever that changes. */
async function untilGone(name: string, uid: string, session: ClusterSession, shell: Shell): Promise<void> {
  const { clock, stderr } = shell;
  const operands = operandInformer(name, session, shell);
  const inventories = inventoryInformer(session, shell);
  let reported = "";
  const report = (why: string): void => {
    if (why !== reported && why !== "") stderr(`${printable(why)}\n`);
    reported = why;
  };
  const timer = clock.after(PATIENCE_MS, () => {
    if (reported === "") report("still there: is levelset operand run at work?");
  });
  const sources = [{ informer: operands }, { informer: inventories, isOptional: true }];
  try {
    await repeatOnChange(sources, { signal: session.signal, stderr }, () => {
      const left = operands.get({ name });
      if (left?.metadata.uid !== uid) return Promise.resolve(true);
      const blocked = blockedBy(left, inventories.list());
      if (blocked !== undefined) report(blocked);
      return Promise.resolve(false);
    });
  } finally {
    timer.cancel();
  }
}

function inventoryInformer({ client }: ClusterSession, { clock }: Shell): Informer<typeof ClusterActiveOperand> {
  return new Informer({ client, kind: ClusterActiveOperand, clock, random: realRandom, logger: silentLogger });
}

/** What the reasons say that an Operand which is being deleted may have. */
const HOLDS: Readonly<Record<string, string>> = {
  PruneBlocked: "blocked: ",
  WaitingForDeletion: "",
  DeletionTimedOut: "timed out: ",
};

/** The object that keeps an Operand from being deleted, in words; undefined if there is none. */
function blockedBy({ status }: LiveOperand, items: readonly LiveInventory[]): string | undefined {
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
