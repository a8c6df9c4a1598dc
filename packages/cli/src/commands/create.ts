import { InputError } from "@levelset/core";
import { FleetApiError } from "@levelset/fleet/client";
import type { KindDescription, WireResource } from "@levelset/fleet/client";
import type { Command } from "commander";
import type { Shell } from "../terminal/index.ts";
import {
  addDeclarationFlags,
  applyDeclarationFlags,
  checkKind,
  findKind,
  findParent,
  formatResourceArg,
  formatResources,
  parseResourceArgs,
  readDeclarations,
  waitAfterWrite,
  withFleet,
} from "../fleet/index.ts";
import type { DeclarationFlags, FleetSession, OutputFormat, ResourceDeclaration, Written } from "../fleet/index.ts";
import { addFleetFlags } from "../fleet-location/index.ts";
import type { FleetFlags } from "../fleet-location/index.ts";
import { collectOption, examples, outputOption } from "../options/index.ts";
import { addWaitFlag, checkWaitFlags, WAIT_EXIT_CODES } from "../wait/index.ts";
import type { WaitFlag } from "../wait/index.ts";

interface CreateFlags extends DeclarationFlags, FleetFlags, WaitFlag {
  readonly in?: string;
  readonly ref?: readonly string[];
  readonly output: OutputFormat;
}

/** `levelset create cluster eu-1`: creates a fleet resource. */
export function addCreateCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("create")
    .argument("[resource...]", "KIND NAME or KIND/NAME, e.g. cluster eu-1; omit it with -f FILE")
    .description("create fleet resources (for Kubernetes objects use kubectl)");
  addWaitFlag(addFleetFlags(addDeclarationFlags(command)), "the new resources are Ready")
    .option("--in <parent>", "name of the parent, e.g. nodepool blue --in eu-1")
    .option("--ref <type=id>", "reference to another resource; repeatable", collectOption)
    .addOption(outputOption("table", "json", "yaml", "name"))
    .addHelpText("after", WAIT_EXIT_CODES)
    .addHelpText(
      "after",
      examples(
        "levelset create cluster eu-1 --set region=eu --set nodes.count=3",
        "levelset create nodepool blue --in eu-1 -f blue.yaml",
        "levelset create -f fleet.yaml --wait --timeout 30m",
      ),
    )
    .action(async (args: readonly string[], flags: CreateFlags) => create(args, flags, shell));
}

async function create(args: readonly string[], flags: CreateFlags, shell: Shell): Promise<void> {
  checkWaitFlags(flags);
  if (args.length === 0) return createAll(flags, shell);
  const { kind: word, names } = parseResourceArgs(args);
  const declared = await applyDeclarationFlags(flags, { spec: {} }, shell);
  const [name = declared.name, ...others] = names;
  if (name === undefined || others.length > 0) {
    throw new InputError("only one resource can be created at a time", {
      hint: "write KIND NAME, e.g. cluster eu-1; levelset create -f FILE creates all resources of a file",
    });
  }
  await withFleet(shell, flags, async (session) => {
    const kind = findKind(session.kinds, word);
    checkKind(declared, kind, flags);
    const resource = await createOne({ ...declared, kind, name }, flags, session);
    printCreated(resource, flags, shell);
    await waitAfterWrite([{ kind, resource }], "ready", { flags, session, shell });
  });
}

/** Creates all resources of a file. A refused resource does not stop the others, but disables `--wait`. */
async function createAll(flags: CreateFlags, shell: Shell): Promise<void> {
  const { filename } = flags;
  if (filename === undefined) {
    throw new InputError("no resource is named", { hint: "write KIND NAME, e.g. cluster eu-1, or -f FILE" });
  }
  const declared = await readDeclarations({ ...flags, filename }, shell);
  await withFleet(shell, flags, async (session) => {
    const resolved = declared.map((one) => ({ ...one, kind: findKind(session.kinds, one.kind) }));
    const refused: string[] = [];
    const created: Written[] = [];
    for (const one of resolved) {
      try {
        const resource = await createOne(one, flags, session);
        printCreated(resource, flags, shell);
        created.push({ kind: one.kind, resource });
      } catch (error) {
        if (!(error instanceof InputError) && !(error instanceof FleetApiError)) throw error;
        refused.push(`${one.kind.kind.toLowerCase()}/${one.name}: ${error.message}`);
      }
    }
    if (refused.length === 0) return waitAfterWrite(created, "ready", { flags, session, shell });
    for (const line of refused) shell.stderr(`  ✗ ${line}\n`);
    throw new InputError(`${refused.length} of ${resolved.length} resources were not created`);
  });
}

interface ResolvedDeclaration extends Omit<ResourceDeclaration, "kind" | "name"> {
  readonly kind: KindDescription;
  readonly name: string;
}

async function createOne(
  declaration: ResolvedDeclaration,
  flags: CreateFlags,
  session: FleetSession,
): Promise<WireResource> {
  const { kind, name, spec, labels, references } = declaration;
  const parent = await findParent(session, kind, flags.in);
  if (kind.parentKind !== undefined && parent === undefined) {
    throw new InputError(`a ${kind.kind} needs a parent of the kind ${kind.parentKind}`, {
      hint: `pass it with --in: levelset create ${kind.kind.toLowerCase()} ${name} --in ${kind.parentKind.toUpperCase()}`,
    });
  }
  const allReferences = { ...references, ...parseReferences(flags.ref ?? []) };
  const body = {
    name,
    spec,
    ...(labels === undefined ? {} : { labels }),
    ...(Object.keys(allReferences).length === 0 ? {} : { references: allReferences }),
  };
  return (await session.client.collection(kind, parent).create(body, { signal: session.signal })).resource;
}

function printCreated(resource: WireResource, { output }: CreateFlags, shell: Shell): void {
  if (output !== "table") return shell.stdout(formatResources([resource], { output, isOne: true }));
  shell.stdout(`${formatResourceArg(resource)} created: generation ${resource.generation}, id ${resource.id}\n`);
}

function parseReferences(args: readonly string[]): Readonly<Record<string, readonly { readonly id: string }[]>> {
  const pairs = args.map((word) => {
    const [, type = "", id = ""] = /^([^=]+)=(.+)$/u.exec(word) ?? [];
    if (type === "") throw new InputError(`${JSON.stringify(word)} is not a reference`, { hint: "write TYPE=ID" });
    return { type, id };
  });
  const byType = Map.groupBy(pairs, ({ type }) => type);
  return Object.fromEntries([...byType].map(([type, targets]) => [type, targets.map(({ id }) => ({ id }))]));
}
