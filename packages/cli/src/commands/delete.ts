import { InputError } from "@levelset/core";
import { isFleetApiError } from "@levelset/fleet/client";
import type { FleetCollection, KindDescription, WireResource } from "@levelset/fleet/client";
import type { Command } from "commander";
import type { Shell } from "../terminal/index.ts";
import { addWaitFlag, checkWaitFlags } from "../wait/index.ts";
import type { WaitFlag } from "../wait/index.ts";
import { addFleetFlags } from "../fleet-location/index.ts";
import type { FleetFlags } from "../fleet-location/index.ts";
import {
  findKind,
  findParent,
  findResource,
  formatResourceArg,
  parseResourceArgs,
  unfinalizedAdapters,
  waitAfterWrite,
  withFleet,
} from "../fleet/index.ts";
import type { FleetSession, Written } from "../fleet/index.ts";
import { examples } from "../options/index.ts";

interface DeleteFlags extends FleetFlags, WaitFlag {
  readonly in?: string;
  readonly force?: boolean;
  readonly reason?: string;
}

/** `levelset delete cluster eu-1`: requests the deletion of a resource. */
export function addDeleteCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("delete")
    .argument("<resource...>", "KIND NAME… or KIND/NAME…, e.g. cluster eu-1")
    .description("delete fleet resources (for Kubernetes objects use kubectl)");
  addWaitFlag(addFleetFlags(command), "the resources are deleted")
    .option("--in <parent>", "name of the parent")
    .option("--force", "delete records without adapter cleanup, children included")
    .option("--reason <text>", "reason for --force, stored in the audit log")
    .addHelpText(
      "after",
      "\nAdapters clean up before a resource is deleted. --force skips this: their objects may remain.\nExit codes: 0 deleted or requested, 3 not deleted in time, 2 wrong argument, 1 any other error.",
    )
    .addHelpText(
      "after",
      examples(
        "levelset delete cluster eu-1 --wait",
        "levelset delete cluster eu-1 --force --reason 'the cluster was lost with its account'",
      ),
    )
    .action(async (args: readonly string[], flags: DeleteFlags) => remove(args, flags, shell));
}

async function remove(args: readonly string[], flags: DeleteFlags, shell: Shell): Promise<void> {
  checkWaitFlags(flags);
  const { kind: word, names } = parseResourceArgs(args);
  if (names.length === 0) throw new InputError("no resource is named", { hint: "write KIND NAME, e.g. cluster eu-1" });
  if (flags.force === true && flags.reason === undefined) {
    throw new InputError("--force needs a --reason", { hint: "the reason is stored in the audit log with your name" });
  }
  if (flags.force !== true && flags.reason !== undefined)
    throw new InputError("--reason has no effect without --force");
  await withFleet(shell, flags, async (session) => {
    const kind = findKind(session.kinds, word);
    const parent = await findParent(session, kind, flags.in);
    const collection = session.client.collection(kind, parent);
    const deleting: Written[] = [];
    for (const name of names) {
      const { resource } = await findResource(session, kind, name, parent);
      const isDeleting = await removeOne({ kind, resource, collection, session }, flags, shell);
      if (isDeleting) deleting.push({ kind, resource });
    }
    // The deletion of all of them has been requested by now.
    await waitAfterWrite(deleting, "deleted", { flags, session, shell });
  });
}

interface Removal {
  readonly kind: KindDescription;
  readonly resource: WireResource;
  readonly collection: FleetCollection;
  readonly session: FleetSession;
}

/** Requests a deletion and returns whether the resource still exists. */
async function removeOne(removal: Removal, flags: DeleteFlags, shell: Shell): Promise<boolean> {
  const { collection, session, resource } = removal;
  const { signal } = session;
  const name = formatResourceArg(resource);
  await unlessDeleted(collection.delete(resource.id, { signal }));
  if (flags.force === true && flags.reason !== undefined) {
    await unlessDeleted(collection.forceDelete(resource.id, flags.reason, { signal }));
    shell.stdout(`${name} deleted without cleanup; objects of its adapters may remain\n`);
    return false;
  }
  const blockers = await blockersOf(removal);
  shell.stdout(blockers === undefined ? `${name} is deleted\n` : `${name} is being deleted: waiting for ${blockers}\n`);
  return blockers !== undefined;
}

/** Returns the result of a call, or undefined if the resource no longer exists. */
async function unlessDeleted<Out>(call: Promise<Out>): Promise<Out | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isFleetApiError(error, "notFound")) return undefined;
    throw error;
  }
}

/** Describes what a deletion waits for; undefined if the resource is deleted. */
async function blockersOf({ kind, resource, collection, session }: Removal): Promise<string | undefined> {
  const { signal } = session;
  const now = await unlessDeleted(collection.get(resource.id, { signal }));
  if (now === undefined) return undefined;
  const adapters = await unlessDeleted(unfinalizedAdapters({ kind, resource: now.resource, collection, signal }));
  if (adapters === undefined) return undefined;
  return adapters.length > 0 ? adapters.join(", ") : "child resources";
}
