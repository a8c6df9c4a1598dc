import { isAbortError } from "@levelset/core";
import type { WireResource } from "@levelset/fleet/client";
import type { Command } from "commander";
import type { Shell } from "../terminal/index.ts";
import { addFleetFlags } from "../fleet-location/index.ts";
import type { FleetFlags } from "../fleet-location/index.ts";
import {
  andSearch,
  countText,
  findKind,
  findParent,
  findResource,
  formatResources,
  ParentNames,
  parseResourceArgs,
  printResourceChanges,
  selectorSearch,
  tableLines,
  withFleet,
} from "../fleet/index.ts";
import type { OutputFormat, WatchResourcesOptions } from "../fleet/index.ts";
import { collectOption, examples, outputOption } from "../options/index.ts";

interface GetFlags extends FleetFlags {
  readonly selector?: readonly string[];
  readonly search?: string;
  readonly notReady?: boolean;
  readonly order: string;
  readonly in?: string;
  readonly output: OutputFormat;
  readonly watch?: boolean;
}

/** Search expression for resources that are not Ready. */
const NOT_READY = "status.conditions.Ready = 'False'";
/** Tables with more rows get a summary line. */
const SUMMARY_ROWS_MIN = 20;

/** `levelset get clusters`: prints fleet resources. */
export function addGetCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("get")
    .argument("<resource...>", "KIND, KIND/NAME or KIND NAME…, e.g. clusters or cluster/eu-1")
    .description("show fleet resources (for Kubernetes objects use kubectl)");
  addFleetFlags(command)
    .option("-l, --selector <selector>", "label selector, e.g. KEY=VALUE,KEY!=VALUE", collectOption)
    .option("--search <expression>", "expression in the fleet's search language")
    .option("--not-ready", "show only resources that are not Ready")
    .option("--order <columns>", "sort columns, e.g. name, created_time desc", "name")
    .option("--in <parent>", "name of the parent; show only its children")
    .addOption(outputOption("table", "json", "yaml", "name"))
    .option("-w, --watch", "watch for changes: a live table on a terminal, else a line per change")
    .addHelpText(
      "after",
      examples(
        "levelset get clusters",
        "levelset get cluster/eu-1 -o yaml",
        "levelset get clusters -l region=eu --search \"name like 'eu-%'\" -w",
      ),
    )
    .action(async (args: readonly string[], flags: GetFlags) => get(args, flags, shell));
}

async function get(args: readonly string[], flags: GetFlags, shell: Shell): Promise<void> {
  const { kind: word, names } = parseResourceArgs(args);
  try {
    await withFleet(shell, flags, async (session) => {
      const kind = findKind(session.kinds, word);
      const parent = await findParent(session, kind, flags.in);
      const { order, output } = flags;
      const search = searchOf(names, flags);
      const isFiltered = [flags.selector, flags.search, flags.notReady].some((flag) => flag !== undefined);
      const request = { kind, names, parent, session, search, isFiltered, order, output };
      await (flags.watch === true ? printResourceChanges(request, shell) : show(request, shell));
    });
  } catch (error) {
    if (!isAbortError(error)) throw error;
  }
}

interface GetRequest extends WatchResourcesOptions {
  readonly names: readonly string[];
  readonly order: string;
}

function searchOf(names: readonly string[], { selector = [], search, notReady }: GetFlags): string | undefined {
  const named = names.map((name) => `name = '${name.replaceAll("'", "''")}'`).join(" or ");
  return andSearch([named, selectorSearch(selector), search, notReady === true ? NOT_READY : undefined]);
}

async function show(request: GetRequest, shell: Shell): Promise<void> {
  const { kind, names, parent, session, search, isFiltered, order, output } = request;
  const resources: WireResource[] = [];
  if (names.length > 0 && !isFiltered) {
    for (const name of names) resources.push((await findResource(session, kind, name, parent)).resource);
  } else {
    const list = session.client.collection(kind, parent).list({ search, order, signal: session.signal });
    for await (const resource of list) resources.push(resource);
  }
  if (output !== "table") return shell.stdout(formatResources(resources, { output, isOne: names.length === 1 }));
  if (resources.length === 0) {
    return shell.stderr(isFiltered ? `no matching ${kind.plural}\n` : `no ${kind.plural}\n`);
  }
  const parents = new ParentNames(session);
  await parents.load(resources);
  const lines = tableLines(kind, resources, parents, shell);
  shell.stdout(`${lines.join("\n")}\n`);
  if (resources.length > SUMMARY_ROWS_MIN) shell.stderr(`${countText(kind, resources)}\n`);
}
