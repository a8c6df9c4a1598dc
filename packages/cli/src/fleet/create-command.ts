import { InputError } from "@levelset/core";
import { FleetProblem } from "@levelset/fleet/client";
import type { KindDescription, WireResource } from "@levelset/fleet/client";
import type { Command } from "commander";
import type { Shell } from "../shell.ts";
import { addDeclarationFlags, allDeclaredBy, checkKind, declaredBy } from "./declaration-flags.ts";
import type { DeclarationFlags, Declared } from "./declaration-flags.ts";
import { addFleetFlags } from "../fleet-flags.ts";
import type { FleetFlags } from "../fleet-flags.ts";
import { withFleet } from "./fleet-session.ts";
import type { FleetSession } from "./fleet-session.ts";
import { gather } from "../gather.ts";
import { dataText, outputOption } from "./output.ts";
import type { Output } from "./output.ts";
import { addWaitFlag, checkWaitFlags, WAIT_EXIT_CODES } from "../wait/index.ts";
import type { WaitFlag } from "../wait/index.ts";
import { findKind, findParent, parseResourceWords, resourceWord } from "./resource-word.ts";
import { waitAfterWrite } from "./wait-after-write.ts";
import type { Written } from "./wait-after-write.ts";

interface CreateFlags extends DeclarationFlags, FleetFlags, WaitFlag {
  readonly in?: string;
  readonly ref?: readonly string[];
  readonly output: Output;
}

/** `levelset create cluster eu-1`: a new resource in a fleet. */
export function addCreateCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("create")
    .argument("[resource...]", "KIND NAME or KIND/NAME: cluster eu-1; nothing for all that a file declares")
    .description("declare new resources in a fleet (not objects of Kubernetes)");
  addWaitFlag(addFleetFlags(addDeclarationFlags(command)), "the new resources are ready")
    .option("--in <parent>", "the parent, by its name: nodepool blue --in eu-1")
    .option("--ref <type=id>", "a reference to another resource; may be given again", gather)
    .addOption(outputOption(["table", "json", "yaml", "name"], "table"))
    .addHelpText("after", WAIT_EXIT_CODES)
    .action(async (words: readonly string[], flags: CreateFlags) => create(words, flags, shell));
}

async function create(words: readonly string[], flags: CreateFlags, shell: Shell): Promise<void> {
  checkWaitFlags(flags);
  if (words.length === 0) return createAll(flags, shell);
  const { kind: word, names } = parseResourceWords(words);
  const declared = await declaredBy(flags, { spec: {} }, shell);
  const [name = declared.name, ...others] = names;
  if (name === undefined || others.length > 0) {
    throw new InputError("one resource is created at a time", {
      hint: "write KIND NAME, such as cluster eu-1; levelset create -f FILE creates all of a file",
    });
  }
  await withFleet(shell, flags, async (session) => {
    const kind = findKind(session.kinds, word);
    checkKind(declared, kind, flags);
    const resource = await createOne({ ...declared, kind, name }, flags, session);
    tell(resource, flags, shell);
    await waitAfterWrite([{ kind, resource }], "ready", { flags, session, shell });
  });
}

/** Creates all that a file declares. What is refused keeps nothing else back, but then none of them is waited for. */
async function createAll(flags: CreateFlags, shell: Shell): Promise<void> {
  const { filename } = flags;
  if (filename === undefined) {
    throw new InputError("nothing is named", { hint: "write KIND NAME, such as cluster eu-1, or -f FILE" });
  }
  const declared = await allDeclaredBy({ ...flags, filename }, shell);
  await withFleet(shell, flags, async (session) => {
    const wanted = declared.map((one) => ({ ...one, kind: findKind(session.kinds, one.kind) }));
    const refused: string[] = [];
    const created: Written[] = [];
    for (const one of wanted) {
      try {
        const resource = await createOne(one, flags, session);
        tell(resource, flags, shell);
        created.push({ kind: one.kind, resource });
      } catch (error) {
        if (!(error instanceof InputError) && !(error instanceof FleetProblem)) throw error;
        refused.push(`${one.kind.kind.toLowerCase()}/${one.name}: ${error.message}`);
      }
    }
    if (refused.length === 0) return waitAfterWrite(created, "ready", { flags, session, shell });
    for (const line of refused) shell.stderr(`  ✗ ${line}\n`);
    throw new InputError(`${refused.length} of ${wanted.length} were not created`);
  });
}

interface Wanted extends Omit<Declared, "kind" | "name"> {
  readonly kind: KindDescription;
  readonly name: string;
}

async function createOne(wanted: Wanted, flags: CreateFlags, session: FleetSession): Promise<WireResource> {
  const { kind, name, spec, labels, references } = wanted;
  const below = await findParent(session, kind, flags.in);
  if (kind.parentKind !== undefined && below === undefined) {
    throw new InputError(`a ${kind.kind} is created below a ${kind.parentKind}`, {
      hint: `name it with --in: levelset create ${kind.kind.toLowerCase()} ${name} --in ${kind.parentKind.toUpperCase()}`,
    });
  }
  const referring = { ...references, ...parseReferences(flags.ref ?? []) };
  const body = {
    name,
    spec,
    ...(labels === undefined ? {} : { labels }),
    ...(Object.keys(referring).length === 0 ? {} : { references: referring }),
  };
  return (await session.client.collection(kind, below).create(body, { signal: session.signal })).resource;
}

function tell(resource: WireResource, { output }: CreateFlags, shell: Shell): void {
  if (output !== "table") return shell.stdout(dataText([resource], { output, isOne: true }));
  shell.stdout(`${resourceWord(resource)} created: generation ${resource.generation}, id ${resource.id}\n`);
}

function parseReferences(words: readonly string[]): Readonly<Record<string, readonly { readonly id: string }[]>> {
  const pairs = words.map((word) => {
    const [, type = "", id = ""] = /^([^=]+)=(.+)$/u.exec(word) ?? [];
    if (type === "") throw new InputError(`${JSON.stringify(word)} is not a reference`, { hint: "write TYPE=ID" });
    return { type, id };
  });
  const byType = Map.groupBy(pairs, ({ type }) => type);
  return Object.fromEntries([...byType].map(([type, targets]) => [type, targets.map(({ id }) => ({ id }))]));
}
