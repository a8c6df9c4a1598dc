import { InputError } from "@levelset/core";
import type { Command } from "commander";
import type { Shell } from "../shell.ts";
import { addDeclarationFlags, checkKind, declaredBy } from "./declaration-flags.ts";
import type { DeclarationFlags } from "./declaration-flags.ts";
import { addFleetFlags } from "../fleet-flags.ts";
import type { FleetFlags } from "../fleet-flags.ts";
import { withFleet } from "./fleet-session.ts";
import { gather } from "../gather.ts";
import { dataText, outputOption } from "./output.ts";
import type { Output } from "./output.ts";
import { findKind, findParent, parseResourceWords, resourceWord } from "./resource-word.ts";

interface CreateFlags extends DeclarationFlags, FleetFlags {
  readonly in?: string;
  readonly ref?: readonly string[];
  readonly output: Output;
}

/** `levelset create cluster eu-1`: a new resource in a fleet. */
export function addCreateCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("create")
    .argument("<resource...>", "KIND NAME or KIND/NAME: cluster eu-1")
    .description("declare a new resource in a fleet (not an object of Kubernetes)");
  addFleetFlags(addDeclarationFlags(command))
    .option("--in <parent>", "the parent, by its name: nodepool blue --in eu-1")
    .option("--ref <type=id>", "a reference to another resource; may be given again", gather)
    .addOption(outputOption(["table", "json", "yaml", "name"], "table"))
    .action(async (words: readonly string[], flags: CreateFlags) => create(words, flags, shell));
}

async function create(words: readonly string[], flags: CreateFlags, shell: Shell): Promise<void> {
  const { kind: word, names } = parseResourceWords(words);
  const declared = await declaredBy(flags, { spec: {} }, shell);
  const [name = declared.name, ...others] = names;
  if (name === undefined || others.length > 0) {
    throw new InputError("one resource is created at a time", { hint: "write KIND NAME, such as cluster eu-1" });
  }
  await withFleet(shell, flags, async (session) => {
    const kind = findKind(session.kinds, word);
    checkKind(declared, kind, flags);
    const parent = await findParent(session, kind, flags.in);
    if (kind.parentKind !== undefined && parent === undefined) {
      throw new InputError(`a ${kind.kind} is created below a ${kind.parentKind}`, {
        hint: `name it with --in: levelset create ${word} ${name} --in ${kind.parentKind.toUpperCase()}`,
      });
    }
    const { spec, labels, references } = declared;
    const referring = { ...references, ...parseReferences(flags.ref ?? []) };
    const body = {
      name,
      spec,
      ...(labels === undefined ? {} : { labels }),
      ...(Object.keys(referring).length === 0 ? {} : { references: referring }),
    };
    const { resource } = await session.client.collection(kind, parent).create(body, { signal: session.signal });
    const { output } = flags;
    if (output !== "table") return shell.stdout(dataText([resource], { output, isOne: true }));
    shell.stdout(`${resourceWord(resource)} created: generation ${resource.generation}, id ${resource.id}\n`);
  });
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
