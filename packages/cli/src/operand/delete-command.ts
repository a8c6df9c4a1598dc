import { findCondition, isAbort } from "@levelset/core";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
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
  readonly cascade: keyof typeof PROPAGATION;
  readonly wait: boolean;
}

const PROPAGATION = { background: "Background", foreground: "Foreground", orphan: "Orphan" } as const;
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
        .choices(Object.keys(PROPAGATION))
        .default("background"),
    )
    .option("--no-wait", "do not wait until the Operand is gone")
    .addHelpText("after", "\nExit codes: 0 gone, 3 given up waiting for it, 2 a wrong argument, 1 anything else.")
    .action(async (name: string, flags: DeleteFlags) => remove(name, flags, shell));
}

async function remove(name: string, flags: DeleteFlags, shell: Shell): Promise<void> {
  try {
    await withCluster(shell, flags, async (session) => {
      const { client, signal } = session;
      shell.stderr(`${describeCluster(session.asked)}\n`);
      const { metadata, spec } = await getOperand(session, name);
      await client.delete(Operand, { name }, { uid: metadata.uid, propagation: PROPAGATION[flags.cascade], signal });
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

/** The object that keeps an Operand from going, in words; undefined when there is none. */
async function blockedBy({ status }: LiveOperand, { client, signal }: ClusterSession): Promise<string | undefined> {
  const { items } = await client.list(ClusterActiveOperand, { signal });
  const blocked = items
    .filter(({ metadata: { name } }) =>
      [status?.latestReadyActiveOperand, status?.latestCreatedActiveOperand].includes(name),
    )
    .flatMap((inventory) => findCondition(inventory.status?.conditions, "Pruned") ?? [])
    .find((condition) => condition.status === "False" && condition.reason === "PruneBlocked");
  return blocked === undefined ? undefined : `blocked: ${blocked.message}`;
}
