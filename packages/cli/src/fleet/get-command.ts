import { isAbort } from "@levelset/core";
import type { KindDescription, WireResource } from "@levelset/fleet/client";
import type { Command } from "commander";
import { Frame } from "../frame.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import { addFleetFlags } from "../fleet-flags.ts";
import type { FleetFlags } from "../fleet-flags.ts";
import { withFleet } from "./fleet-session.ts";
import type { FleetSession } from "./fleet-session.ts";
import { gather } from "../gather.ts";
import { allOf, selectorSearch } from "./label-words.ts";
import { dataText, outputOption } from "./output.ts";
import type { Output } from "./output.ts";
import { ParentNames } from "./parent-names.ts";
import { row, titles } from "./resource-table.ts";
import { findKind, findParent, findResource, parseResourceWords } from "./resource-word.ts";

interface GetFlags extends FleetFlags {
  readonly selector?: readonly string[];
  readonly search?: string;
  readonly order: string;
  readonly in?: string;
  readonly output: Output;
  readonly watch?: boolean;
}

/** How often a table on a terminal is drawn anew, for the times in it. */
const DRAW_MS = 250;

/** `levelset get clusters`: resources of a fleet. */
export function addGetCommand(levelset: Command, shell: Shell): void {
  const command = levelset
    .command("get")
    .argument("<resource...>", "KIND, KIND/NAME or KIND NAME…: clusters, cluster/eu-1, nodepool blue")
    .description("show resources of a fleet, and what each adapter has to do with it (not objects of Kubernetes)");
  addFleetFlags(command)
    .option("-l, --selector <selector>", "only those with these labels: KEY=VALUE,KEY!=VALUE", gather)
    .option("--search <expression>", "only those that this expression of the fleet's search language finds")
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
      const asked = { kind, names, parent, session };
      await (flags.watch === true ? follow(asked, flags, shell) : show(asked, flags, shell));
    });
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
}

interface Asked {
  readonly kind: KindDescription;
  readonly names: readonly string[];
  readonly parent: WireResource | undefined;
  readonly session: FleetSession;
}

function searchOf(names: readonly string[], { selector = [], search }: GetFlags): string | undefined {
  const named = names.map((name) => `name = '${name.replaceAll("'", "''")}'`).join(" or ");
  return allOf([named, selectorSearch(selector), search]);
}

async function show({ kind, names, parent, session }: Asked, flags: GetFlags, shell: Shell): Promise<void> {
  const { output, order } = flags;
  const resources: WireResource[] = [];
  if (names.length > 0 && flags.selector === undefined && flags.search === undefined) {
    for (const name of names) resources.push((await findResource(session, kind, name, parent)).resource);
  } else {
    const search = searchOf(names, flags);
    const list = session.client.collection(kind, parent).list({ search, order, signal: session.signal });
    for await (const resource of list) resources.push(resource);
  }
  if (output !== "table") return shell.stdout(dataText(resources, { output, isOne: names.length === 1 }));
  if (resources.length === 0) return shell.stderr(`there are no ${kind.plural}\n`);
  const parents = new ParentNames(session);
  await parents.learn(resources);
  shell.stdout(tableText(kind, resources, parents, shell));
}

function tableText(
  kind: KindDescription,
  resources: readonly WireResource[],
  parents: ParentNames,
  shell: Shell,
): string {
  const { terminal, clock } = shell;
  const options = { kind, now: clock.now(), parentName: (resource: WireResource) => parents.of(resource) };
  const rows = [titles(kind), ...resources.map((resource) => row(resource, options))];
  return table(rows, { colors: terminal?.colors ?? false, columns: terminal?.columns })
    .map((line) => `${line}\n`)
    .join("");
}

async function follow(asked: Asked, flags: GetFlags, shell: Shell): Promise<void> {
  const isDrawn = shell.terminal !== undefined && flags.output === "table";
  await (isDrawn ? followDrawn(asked, flags, shell) : followLines(asked, flags, shell));
}

/** One line for each change; for programs the whole resource, and that it is gone. */
async function followLines({ kind, names, parent, session }: Asked, flags: GetFlags, shell: Shell): Promise<void> {
  const { output } = flags;
  const parents = new ParentNames(session);
  const search = searchOf(names, flags);
  for await (const event of session.client.collection(kind, parent).watch({ search, signal: session.signal })) {
    if (event.kind !== "present" && event.kind !== "gone") continue;
    const { resource } = event;
    if (output === "json") shell.stdout(`${JSON.stringify(event)}\n`);
    else if (event.kind === "gone") shell.stdout(`${resource.name}  gone\n`);
    else if (output !== "table") shell.stdout(dataText([resource], { output, isOne: true }));
    else {
      await parents.learn([resource]);
      shell.stdout(tableText(kind, [resource], parents, shell).split("\n").slice(1).join("\n"));
    }
  }
}

/** A table that is drawn over and over. */
async function followDrawn({ kind, names, parent, session }: Asked, flags: GetFlags, shell: Shell): Promise<void> {
  const { client, signal } = session;
  const parents = new ParentNames(session);
  const shown = new Map<string, WireResource>();
  const read = async (): Promise<void> => {
    const search = searchOf(names, flags);
    for await (const event of client.collection(kind, parent).watch({ search, signal })) {
      if (event.kind === "restarted") shown.clear();
      if (event.kind === "gone") shown.delete(event.resource.id);
      if (event.kind !== "present") continue;
      await parents.learn([event.resource]);
      shown.set(event.resource.id, event.resource);
    }
  };
  const draw = async (until: AbortSignal): Promise<void> => {
    const frame = new Frame(shell.stdout);
    for (let last = ""; !until.aborted; await shell.clock.sleep(DRAW_MS, until)) {
      const byName = [...shown.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
      const text = tableText(kind, byName, parents, shell);
      if (text !== last) frame.draw(text);
      last = text;
    }
  };
  const stop = new AbortController();
  const drawing = draw(stop.signal).catch((error: unknown) => {
    if (!isAbort(error)) throw error;
  });
  try {
    await read();
  } finally {
    stop.abort();
    await drawing;
  }
}
