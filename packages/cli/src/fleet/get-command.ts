import { isAbort } from "@levelset/core";
import type { WireResource } from "@levelset/fleet/client";
import type { Command } from "commander";
import type { Shell } from "../shell.ts";
import { addFleetFlags } from "../fleet-flags.ts";
import type { FleetFlags } from "../fleet-flags.ts";
import { withFleet } from "./fleet-session.ts";
import { followResources } from "./follow-resources.ts";
import type { FollowedResources } from "./follow-resources.ts";
import { gather } from "../gather.ts";
import { allOf, selectorSearch } from "./label-words.ts";
import { dataText, outputOption } from "./output.ts";
import type { Output } from "./output.ts";
import { ParentNames } from "./parent-names.ts";
import { countText, tableLines } from "./resource-table.ts";
import { findKind, findParent, findResource, parseResourceWords } from "./resource-word.ts";

interface GetFlags extends FleetFlags {
  readonly selector?: readonly string[];
  readonly search?: string;
  readonly notReady?: boolean;
  readonly order: string;
  readonly in?: string;
  readonly output: Output;
  readonly watch?: boolean;
}

/** What has not reached its latest declaration, in the fleet's search language. */
const NOT_READY = "status.conditions.Ready = 'False'";
/** A table with more rows than this is summed up. */
const COUNTED_FROM = 20;

/** `levelset get clusters`: resources of a fleet. */
export function addGetCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("get")
    .argument("<resource...>", "KIND, KIND/NAME or KIND NAME…: clusters, cluster/eu-1, nodepool blue")
    .description("show resources of a fleet, and what each adapter has to do with it (not objects of Kubernetes)");
  addFleetFlags(command)
    .option("-l, --selector <selector>", "only those with these labels: KEY=VALUE,KEY!=VALUE", gather)
    .option("--search <expression>", "only those that this expression of the fleet's search language finds")
    .option("--not-ready", "only those that have not reached their latest declaration")
    .option("--order <columns>", "by which columns: name, created_time desc", "name")
    .option("--in <parent>", "only the children of this parent, by its name")
    .addOption(outputOption(["table", "json", "yaml", "name"], "table"))
    .option("-w, --watch", "go on: a table on a terminal, a line for each change elsewhere")
    .action(async (words: readonly string[], flags: GetFlags) => get(words, flags, shell));
}

async function get(words: readonly string[], flags: GetFlags, shell: Shell): Promise<void> {
  const { kind: word, names } = parseResourceWords(words);
  try {
    await withFleet(shell, flags, async (session) => {
      const kind = findKind(session.kinds, word);
      const parent = await findParent(session, kind, flags.in);
      const { order, output } = flags;
      const search = searchOf(names, flags);
      const isNarrowed = [flags.selector, flags.search, flags.notReady].some((flag) => flag !== undefined);
      const asked = { kind, names, parent, session, search, isNarrowed, order, output };
      await (flags.watch === true ? followResources(asked, shell) : show(asked, shell));
    });
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
}

interface Asked extends FollowedResources {
  readonly names: readonly string[];
  readonly order: string;
}

function searchOf(names: readonly string[], { selector = [], search, notReady }: GetFlags): string | undefined {
  const named = names.map((name) => `name = '${name.replaceAll("'", "''")}'`).join(" or ");
  return allOf([named, selectorSearch(selector), search, notReady === true ? NOT_READY : undefined]);
}

async function show(asked: Asked, shell: Shell): Promise<void> {
  const { kind, names, parent, session, search, isNarrowed, order, output } = asked;
  const resources: WireResource[] = [];
  if (names.length > 0 && !isNarrowed) {
    for (const name of names) resources.push((await findResource(session, kind, name, parent)).resource);
  } else {
    const list = session.client.collection(kind, parent).list({ search, order, signal: session.signal });
    for await (const resource of list) resources.push(resource);
  }
  if (output !== "table") return shell.stdout(dataText(resources, { output, isOne: names.length === 1 }));
  if (resources.length === 0) {
    return shell.stderr(isNarrowed ? `there are no such ${kind.plural}\n` : `there are no ${kind.plural}\n`);
  }
  const parents = new ParentNames(session);
  await parents.learn(resources);
  const lines = tableLines(kind, resources, parents, shell);
  shell.stdout(`${lines.join("\n")}\n`);
  if (resources.length > COUNTED_FROM) shell.stderr(`${countText(kind, resources)}\n`);
}
