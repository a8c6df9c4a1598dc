import { InputError } from "@levelset/core";
import { isProblem } from "@levelset/fleet/client";
import type { FleetCollection, KindDescription, WireResource } from "@levelset/fleet/client";
import type { Command } from "commander";
import type { Shell } from "../shell.ts";
import { addWaitFlag, checkWaitFlags } from "../wait/index.ts";
import type { WaitFlag } from "../wait/index.ts";
import { addFleetFlags } from "../fleet-flags.ts";
import type { FleetFlags } from "../fleet-flags.ts";
import { withFleet } from "./fleet-session.ts";
import type { FleetSession } from "./fleet-session.ts";
import { findKind, findParent, findResource, parseResourceWords, resourceWord } from "./resource-word.ts";
import { waitAfterWrite } from "./wait-after-write.ts";
import type { Written } from "./wait-after-write.ts";
import { unfinalized } from "./why-facts.ts";

interface DeleteFlags extends FleetFlags, WaitFlag {
  readonly in?: string;
  readonly force?: boolean;
  readonly reason?: string;
}

/** `levelset delete cluster eu-1`: asks for the deletion of a resource. */
export function addDeleteCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("delete")
    .argument("<resource...>", "KIND NAME… or KIND/NAME…: cluster eu-1")
    .description(
      "ask for the deletion of a fleet's resource; its adapters clean up first (not an object of Kubernetes)",
    );
  addWaitFlag(addFleetFlags(command), "the resources are deleted")
    .option("--in <parent>", "the parent, by its name")
    .option(
      "--force",
      "remove its record and those below it without waiting for the adapters; what they made may stay behind",
    )
    .option("--reason <text>", "with --force: why; it is kept in the audit")
    .addHelpText(
      "after",
      "\nExit codes: 0 deleted or requested, 3 not deleted in time, 2 a wrong argument, 1 anything else.",
    )
    .action(async (words: readonly string[], flags: DeleteFlags) => remove(words, flags, shell));
}

async function remove(words: readonly string[], flags: DeleteFlags, shell: Shell): Promise<void> {
  checkWaitFlags(flags);
  const { kind: word, names } = parseResourceWords(words);
  if (names.length === 0)
    throw new InputError("no resource is named", { hint: "write KIND NAME, such as cluster eu-1" });
  if (flags.force === true && flags.reason === undefined) {
    throw new InputError("--force needs a --reason", { hint: "it is kept in the audit beside your name" });
  }
  if (flags.force !== true && flags.reason !== undefined) throw new InputError("--reason goes with --force");
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

/** Requests a deletion, and says whether it goes on: whether the resource still exists. */
async function removeOne(removal: Removal, flags: DeleteFlags, shell: Shell): Promise<boolean> {
  const { collection, session, resource } = removal;
  const { signal } = session;
  const word = resourceWord(resource);
  await unlessGone(collection.delete(resource.id, { signal }));
  if (flags.force === true && flags.reason !== undefined) {
    await unlessGone(collection.forceDelete(resource.id, flags.reason, { signal }));
    shell.stdout(`${word} removed; what its adapters made may still be there\n`);
    return false;
  }
  const waits = await waitsFor(removal);
  shell.stdout(waits === undefined ? `${word} is deleted\n` : `${word} is being deleted: waits for ${waits}\n`);
  return waits !== undefined;
}

/** The outcome of a call about a resource; undefined if it is gone, which is what was asked for. */
async function unlessGone<Out>(call: Promise<Out>): Promise<Out | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isProblem(error, "notFound")) return undefined;
    throw error;
  }
}

/** What a deletion waits for; undefined when it is gone. */
async function waitsFor({ kind, resource, collection, session }: Removal): Promise<string | undefined> {
  const { signal } = session;
  const now = await unlessGone(collection.get(resource.id, { signal }));
  if (now === undefined) return undefined;
  const adapters = await unlessGone(unfinalized({ kind, resource: now.resource, collection, signal }));
  if (adapters === undefined) return undefined;
  return adapters.length > 0 ? adapters.join(", ") : "what is below it";
}
