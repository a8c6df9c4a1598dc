import { isAbortError, isJsonObject } from "@levelset/core";
import { parseApiVersion } from "@levelset/core/internal";
import type { JsonObject, ObjectOf } from "@levelset/core";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import { isNeverOwned, removalHold, SKIP_DELETION_WAIT } from "@levelset/operator/internal";
import type { RemovalReason } from "@levelset/operator/internal";
import { Option } from "commander";
import type { Command } from "commander";
import { addClusterFlags, describeCluster, repeatOnChange, withCluster } from "../../cluster/index.ts";
import type { ClusterFlags, ClusterSession } from "../../cluster/index.ts";
import { EXIT_CODES } from "../../process/index.ts";
import { escapeControlChars } from "../../terminal/index.ts";
import type { Shell } from "../../terminal/index.ts";
import { getOperand, operandInformer } from "../../operand/index.ts";
import type { LiveOperand } from "../../operand/index.ts";
import { examples } from "../../options/index.ts";

/** An inventory object as read from the cluster. */
type LiveInventory = ObjectOf<typeof ClusterActiveOperand>;

interface DeleteFlags extends ClusterFlags {
  readonly cascade: (typeof CASCADES)[number];
  readonly wait: boolean;
  readonly skipDeletionWait?: boolean;
}

const CASCADES = ["background", "foreground", "orphan"] as const;
/** Delay until a hint about a missing controller is printed. */
const HINT_AFTER_MS = 5_000;

/** `levelset operand delete NAME`: deletes an Operand with or without its objects. */
export function addOperandDeleteCommand(operand: Command, shell: Shell): void {
  const command = operand
    .command("delete")
    .argument("<name>", "name of the Operand")
    .description("delete an Operand and its objects (--cascade orphan keeps them)");
  addClusterFlags(command)
    .addOption(new Option("--cascade <how>", "deletion of objects").choices(CASCADES).default("background"))
    .option("--no-wait", "do not wait until the Operand is deleted")
    .option("--skip-deletion-wait", "delete all stages without waiting for the objects of each")
    .addHelpText(
      "after",
      "\nExit codes: 0 deleted, 3 stopped before it was deleted, 2 wrong argument, 1 any other error.",
    )
    .addHelpText("after", examples("levelset operand delete shop", "levelset operand delete shop --cascade orphan"))
    .action(async (name: string, flags: DeleteFlags) => remove(name, flags, shell));
}

async function remove(name: string, flags: DeleteFlags, shell: Shell): Promise<void> {
  try {
    await withCluster(shell, flags, async (session) => {
      const { client, signal } = session;
      shell.stderr(`${describeCluster(session.cluster)}\n`);
      const { metadata, spec } = await getOperand(session, name);
      const patch = patchOf(flags);
      if (patch !== undefined) await client.mergePatch(Operand, { name }, patch, { signal });
      // Never foreground: the garbage collector would delete all objects at once, ignoring the order of stages (docs:
      // Garbage Collection).
      const propagation = flags.cascade === "orphan" ? "Orphan" : "Background";
      await client.delete(Operand, { name }, { uid: metadata.uid, propagationPolicy: propagation, signal });
      if (!flags.wait) return shell.stdout(`operand/${name} is being deleted\n`);
      shell.exitCode(EXIT_CODES.notReady);
      await untilDeleted(name, metadata.uid, session, shell);
      shell.exitCode(EXIT_CODES.ok);
      shell.stdout(`operand/${name} deleted\n`);
      const left = flags.cascade === "orphan" || spec.deletionPolicy === "Orphan" ? [] : retainedObjects(spec);
      if (left.length > 0) shell.stdout(`not deleted (namespaces and CRDs are always retained): ${left.join(", ")}\n`);
    });
  } catch (error) {
    if (!isAbortError(error)) throw error;
  }
}

/** Returns the patch that the flags require before deletion, or undefined. */
function patchOf({ cascade, skipDeletionWait = false }: DeleteFlags): JsonObject | undefined {
  if (cascade !== "foreground" && !skipDeletionWait) return undefined;
  return {
    ...(cascade === "foreground" ? { spec: { deletionPolicy: "WaitForTermination" } } : {}),
    ...(skipDeletionWait ? { metadata: { annotations: { [SKIP_DELETION_WAIT]: "true" } } } : {}),
  };
}

/** Returns the namespaces and CRDs of an Operand, which are retained with their contents. */
function retainedObjects({ steadyState, postInstall }: LiveOperand["spec"]): readonly string[] {
  const objects = [...steadyState, ...postInstall];
  const names = objects
    .filter(({ apiVersion, kind }) => isNeverOwned({ group: parseApiVersion(apiVersion).group, kind }))
    .flatMap(({ kind, metadata }) => {
      // The server accepts manifests without metadata, although such a set is not installed.
      const { name } = isJsonObject(metadata) ? metadata : {};
      return typeof name === "string" ? `${kind} ${escapeControlChars(name)}` : [];
    });
  return [...new Set(names)];
}

/** Waits until an Operand is deleted and prints each change of what blocks the deletion. */
async function untilDeleted(name: string, uid: string, session: ClusterSession, shell: Shell): Promise<void> {
  const { clock, stderr } = shell;
  const operands = operandInformer(name, session);
  const inventories = session.cache.watch(ClusterActiveOperand);
  let reported = "";
  const report = (text: string): void => {
    if (text !== reported && text !== "") stderr(`${escapeControlChars(text)}\n`);
    reported = text;
  };
  const timer = clock.after(HINT_AFTER_MS, () => {
    if (reported === "") report("not deleted yet; check that levelset operand run is running");
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

/** Prefixes for the condition reasons of an Operand in deletion. */
const PREFIXES: Readonly<Record<RemovalReason, string>> = {
  PruneBlocked: "blocked: ",
  WaitingForDeletion: "",
  DeletionTimedOut: "timed out: ",
  WaitingForHook: "waiting for a hook: ",
  HookFailed: "blocked: ",
  HookTimedOut: "timed out: ",
};

/** Describes the object that blocks the deletion, or returns undefined. */
function blockedBy({ status }: LiveOperand, items: readonly LiveInventory[]): string | undefined {
  const inventories = items.filter(({ metadata: { name } }) =>
    [status?.latestReadyActiveOperand, status?.latestCreatedActiveOperand].includes(name),
  );
  const holds = [
    ...inventories.map((inventory) => removalHold(inventory.status?.conditions, "Pruned")),
    removalHold(status?.conditions, "OperandInstalled"),
  ];
  const hold = holds.find((each) => each !== undefined);
  return hold && `${PREFIXES[hold.reason]}${hold.message}`;
}
