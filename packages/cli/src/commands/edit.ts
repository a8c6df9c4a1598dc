import { deepEqual } from "@levelset/core/internal";
import { InputError } from "@levelset/core";
import { isFleetApiError } from "@levelset/fleet/client";
import type { FleetCollection, TaggedResource, WirePatch, WireResource } from "@levelset/fleet/client";
import type { Command } from "commander";
import { addFleetFlags } from "../fleet-location/index.ts";
import type { FleetFlags } from "../fleet-location/index.ts";
import type { Shell } from "../terminal/index.ts";
import { addWaitFlag, checkWaitFlags, WAIT_EXIT_CODES } from "../wait/index.ts";
import type { WaitFlag } from "../wait/index.ts";
import {
  addDeclarationFlags,
  applyDeclarationFlags,
  checkKind,
  EditorFile,
  findKind,
  findParent,
  findResource,
  formatResourceArg,
  hasDeclarationFlags,
  parseResourceArgs,
  waitAfterWrite,
  withFleet,
} from "../fleet/index.ts";
import type { DeclarationFlags, ResourceDeclaration } from "../fleet/index.ts";
import { examples } from "../options/index.ts";

interface EditFlags extends DeclarationFlags, FleetFlags, WaitFlag {
  readonly in?: string;
}

/** `levelset edit cluster eu-1`: changes the declaration of a resource in an editor or by flags. */
export function addEditCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("edit")
    .argument("<resource...>", "KIND NAME or KIND/NAME, e.g. cluster eu-1")
    .description("edit a fleet resource (for Kubernetes objects use kubectl)");
  addWaitFlag(addFleetFlags(addDeclarationFlags(command)), "the changed resource is Ready")
    .option("--in <parent>", "name of the parent")
    .addHelpText("after", WAIT_EXIT_CODES)
    .addHelpText(
      "after",
      examples("levelset edit cluster eu-1", "levelset edit cluster eu-1 --set region=us -l tier=gold --wait"),
    )
    .action(async (args: readonly string[], flags: EditFlags) => edit(args, flags, shell));
}

async function edit(args: readonly string[], flags: EditFlags, shell: Shell): Promise<void> {
  checkWaitFlags(flags);
  const { kind: word, names } = parseResourceArgs(args);
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) {
    throw new InputError("only one resource can be edited at a time", { hint: "write KIND NAME, e.g. cluster eu-1" });
  }
  await withFleet(shell, flags, async (session) => {
    const kind = findKind(session.kinds, word);
    const parent = await findParent(session, kind, flags.in);
    const read = await findResource(session, kind, name, parent);
    const collection = session.client.collection(kind, parent);
    const before = declarationOf(read.resource);
    const apply = (desired: ResourceDeclaration): Promise<WireResource> =>
      change(collection, read, { patch: difference(before, desired), signal: session.signal }, shell);
    const fromFlags = async (): Promise<WireResource> => {
      const declared = await applyDeclarationFlags(flags, before, shell);
      checkKind(declared, kind, flags);
      return apply(declared);
    };
    const resource = hasDeclarationFlags(flags)
      ? await fromFlags()
      : await fromEditor(read.resource, before, apply, shell);
    await waitAfterWrite([{ kind, resource }], "ready", { flags, session, shell });
  });
}

/** Opens a declaration in an editor and sends the saved text. The file is removed before the command waits. */
async function fromEditor(
  resource: WireResource,
  before: ResourceDeclaration,
  apply: (desired: ResourceDeclaration) => Promise<WireResource>,
  shell: Shell,
): Promise<WireResource> {
  await using draft = await EditorFile.open(resource, before);
  await draft.edit(shell);
  return await draft.keepOnFailure(async () => apply(await draft.read()));
}

/** Returns the editable fields. */
function declarationOf({ spec, labels, references }: WireResource): ResourceDeclaration {
  return { spec, labels: labels ?? {}, ...(references === undefined ? {} : { references }) };
}

/** Returns the differences as a patch. */
function difference(before: ResourceDeclaration, desired: ResourceDeclaration): WirePatch {
  return {
    ...(deepEqual(before.spec, desired.spec) ? {} : { spec: desired.spec }),
    ...(deepEqual(before.labels ?? {}, desired.labels ?? {}) ? {} : { labels: desired.labels ?? {} }),
    ...(deepEqual(before.references ?? {}, desired.references ?? {}) ? {} : { references: desired.references ?? {} }),
  };
}

async function change(
  collection: FleetCollection,
  { resource, etag }: TaggedResource,
  { patch, signal }: { readonly patch: WirePatch; readonly signal: AbortSignal },
  shell: Shell,
): Promise<WireResource> {
  const name = formatResourceArg(resource);
  if (Object.keys(patch).length === 0) {
    shell.stdout(`${name} unchanged\n`);
    return resource;
  }
  try {
    const { resource: changed } = await collection.patch(resource.id, patch, { ifMatch: etag, signal });
    shell.stdout(`${name} changed: generation ${resource.generation} → ${changed.generation}\n`);
    return changed;
  } catch (error) {
    if (!isFleetApiError(error, "stale")) throw error;
    const { resource: now } = await collection.get(resource.id, { signal });
    throw new InputError(
      `${name} was changed by ${now.updated_by}: generation is now ${now.generation}, you edited generation ${resource.generation}`,
      { hint: "run levelset edit again to start from the current state", cause: error },
    );
  }
}
