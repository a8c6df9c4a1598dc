import { deepEqual, InputError } from "@levelset/core";
import { isProblem } from "@levelset/fleet/client";
import type { FleetCollection, Tagged, WirePatch, WireResource } from "@levelset/fleet/client";
import type { Command } from "commander";
import { addFleetFlags } from "../fleet-flags.ts";
import type { FleetFlags } from "../fleet-flags.ts";
import type { Shell } from "../shell.ts";
import { addDeclarationFlags, checkKind, declaredBy, isDeclared } from "./declaration-flags.ts";
import type { DeclarationFlags, Declared } from "./declaration-flags.ts";
import { Draft } from "./draft.ts";
import { withFleet } from "./fleet-session.ts";
import { findKind, findParent, findResource, parseResourceWords, resourceWord } from "./resource-word.ts";

interface EditFlags extends DeclarationFlags, FleetFlags {
  readonly in?: string;
}

/** `levelset edit cluster eu-1`: changes the declaration of a resource, in an editor or by flags. */
export function addEditCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("edit")
    .argument("<resource...>", "KIND NAME or KIND/NAME: cluster eu-1")
    .description(
      "change the declaration of a fleet's resource in your editor, or by flags (not an object of Kubernetes)",
    );
  addFleetFlags(addDeclarationFlags(command))
    .option("--in <parent>", "the parent, by its name")
    .action(async (words: readonly string[], flags: EditFlags) => edit(words, flags, shell));
}

async function edit(words: readonly string[], flags: EditFlags, shell: Shell): Promise<void> {
  const { kind: word, names } = parseResourceWords(words);
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) {
    throw new InputError("one resource is changed at a time", { hint: "write KIND NAME, such as cluster eu-1" });
  }
  await withFleet(shell, flags, async (session) => {
    const kind = findKind(session.kinds, word);
    const parent = await findParent(session, kind, flags.in);
    const read = await findResource(session, kind, name, parent);
    const collection = session.client.collection(kind, parent);
    const before = declarationOf(read.resource);
    const become = (wanted: Declared): Promise<void> =>
      change(collection, read, { patch: difference(before, wanted), signal: session.signal }, shell);
    if (isDeclared(flags)) {
      const declared = await declaredBy(flags, before, shell);
      checkKind(declared, kind, flags);
      return become(declared);
    }
    await using draft = await Draft.open(read.resource, before);
    await draft.edit(shell);
    await draft.keptOnFailure(async () => become(await draft.read()));
  });
}

/** The members that can be changed. */
function declarationOf({ spec, labels, references }: WireResource): Declared {
  return { spec, labels: labels ?? {}, ...(references === undefined ? {} : { references }) };
}

/** What differs, as a patch. */
function difference(before: Declared, wanted: Declared): WirePatch {
  return {
    ...(deepEqual(before.spec, wanted.spec) ? {} : { spec: wanted.spec }),
    ...(deepEqual(before.labels ?? {}, wanted.labels ?? {}) ? {} : { labels: wanted.labels ?? {} }),
    ...(deepEqual(before.references ?? {}, wanted.references ?? {}) ? {} : { references: wanted.references ?? {} }),
  };
}

async function change(
  collection: FleetCollection,
  { resource, tag }: Tagged,
  { patch, signal }: { readonly patch: WirePatch; readonly signal: AbortSignal },
  shell: Shell,
): Promise<void> {
  const word = resourceWord(resource);
  if (Object.keys(patch).length === 0) return shell.stdout(`${word} unchanged\n`);
  try {
    const { resource: changed } = await collection.patch(resource.id, patch, { ifMatch: tag, signal });
    shell.stdout(`${word} changed: generation ${resource.generation} → ${changed.generation}\n`);
  } catch (error) {
    if (!isProblem(error, "stale")) throw error;
    const { resource: now } = await collection.get(resource.id, { signal });
    throw new InputError(
      `${word} was changed by ${now.updated_by} meanwhile: it is at generation ${now.generation}, you began with ${resource.generation}`,
      { hint: "look at what is there now, and edit again", cause: error },
    );
  }
}
