import { deepEqual, InputError } from "@levelset/core";
import { isProblem } from "@levelset/fleet/client";
import type { FleetCollection, Tagged, WirePatch, WireResource } from "@levelset/fleet/client";
import type { Command } from "commander";
import { addFleetFlags } from "../fleet-flags.ts";
import type { FleetFlags } from "../fleet-flags.ts";
import type { Shell } from "../shell.ts";
import { addWaitFlag, checkWaitFlags, WAIT_EXIT_CODES } from "../wait/index.ts";
import type { WaitFlag } from "../wait/index.ts";
import { addDeclarationFlags, checkKind, declaredBy, isDeclared } from "./declaration-flags.ts";
import type { DeclarationFlags, Declared } from "./declaration-flags.ts";
import { Draft } from "./draft.ts";
import { withFleet } from "./fleet-session.ts";
import { findKind, findParent, findResource, parseResourceWords, resourceWord } from "./resource-word.ts";
import { waitAfterWrite } from "./wait-after-write.ts";

interface EditFlags extends DeclarationFlags, FleetFlags, WaitFlag {
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
  addWaitFlag(addFleetFlags(addDeclarationFlags(command)), "the changed resource is ready")
    .option("--in <parent>", "the parent, by its name")
    .addHelpText("after", WAIT_EXIT_CODES)
    .action(async (words: readonly string[], flags: EditFlags) => edit(words, flags, shell));
}

async function edit(words: readonly string[], flags: EditFlags, shell: Shell): Promise<void> {
  checkWaitFlags(flags);
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
    const become = (wanted: Declared): Promise<WireResource> =>
      change(collection, read, { patch: difference(before, wanted), signal: session.signal }, shell);
    const fromFlags = async (): Promise<WireResource> => {
      const declared = await declaredBy(flags, before, shell);
      checkKind(declared, kind, flags);
      return become(declared);
    };
    const resource = isDeclared(flags) ? await fromFlags() : await fromEditor(read.resource, before, become, shell);
    await waitAfterWrite([{ kind, resource }], "ready", { flags, session, shell });
  });
}

/** Opens a declaration in an editor and sends what is saved. The file is removed before the command waits. */
async function fromEditor(
  resource: WireResource,
  before: Declared,
  become: (wanted: Declared) => Promise<WireResource>,
  shell: Shell,
): Promise<WireResource> {
  await using draft = await Draft.open(resource, before);
  await draft.edit(shell);
  return await draft.keptOnFailure(async () => become(await draft.read()));
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
): Promise<WireResource> {
  const word = resourceWord(resource);
  if (Object.keys(patch).length === 0) {
    shell.stdout(`${word} unchanged\n`);
    return resource;
  }
  try {
    const { resource: changed } = await collection.patch(resource.id, patch, { ifMatch: tag, signal });
    shell.stdout(`${word} changed: generation ${resource.generation} → ${changed.generation}\n`);
    return changed;
  } catch (error) {
    if (!isProblem(error, "stale")) throw error;
    const { resource: now } = await collection.get(resource.id, { signal });
    throw new InputError(
      `${word} was changed by ${now.updated_by} meanwhile: it is at generation ${now.generation}, you began with ${resource.generation}`,
      { hint: "look at what is there now, and edit again", cause: error },
    );
  }
}
