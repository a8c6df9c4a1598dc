import { isAbort } from "@levelset/core";
import type { KindDescription, WireResource } from "@levelset/fleet/client";
import { Frame } from "../frame.ts";
import type { Shell } from "../shell.ts";
import { line } from "../table.ts";
import type { FleetSession } from "./fleet-session.ts";
import { dataText } from "./output.ts";
import type { Output } from "./output.ts";
import { ParentNames } from "./parent-names.ts";
import { countText, isSettled, tableLines } from "./resource-table.ts";

/** Resources to follow, and how they are told of. */
export interface FollowedResources {
  readonly kind: KindDescription;
  readonly parent: WireResource | undefined;
  readonly session: FleetSession;
  /** Only those that this finds. */
  readonly search: string | undefined;
  /** Whether that depends on more than names: then one that is found no longer need not be gone. */
  readonly isNarrowed: boolean;
  readonly output: Output;
}

/** How often a table on a terminal is drawn anew, for the times in it. */
const DRAW_MS = 250;

/** Tells of resources as they change until somebody stops it: a table on a terminal, lines elsewhere. */
export async function followResources(asked: FollowedResources, shell: Shell): Promise<void> {
  const { output } = asked;
  if (output !== "table") await followData(asked, output, shell);
  else await (shell.terminal === undefined ? followLines(asked, shell) : followDrawn(asked, shell));
}

/** The whole resource for each change, and that it is gone. */
async function followData(
  { kind, parent, session, search, isNarrowed }: FollowedResources,
  output: Exclude<Output, "table">,
  shell: Shell,
): Promise<void> {
  for await (const event of session.client.collection(kind, parent).watch({ search, signal: session.signal })) {
    if (event.kind !== "present" && event.kind !== "gone") continue;
    const { resource } = event;
    if (output === "json") shell.stdout(`${JSON.stringify(event)}\n`);
    else if (event.kind === "gone") shell.stdout(`${goneText(resource, isNarrowed)}\n`);
    else shell.stdout(dataText([resource], { output, isOne: true }));
  }
}

/** The table as it is, then a row for each change. */
async function followLines(asked: FollowedResources, shell: Shell): Promise<void> {
  const { kind, parent, session, search, isNarrowed } = asked;
  const parents = new ParentNames(session);
  const widths: number[] = [];
  const print = async (resources: readonly WireResource[], from: number): Promise<void> => {
    await parents.learn(resources);
    const lines = tableLines(kind, resources, parents, shell, widths).slice(from);
    if (lines.length > 0) shell.stdout(`${lines.join("\n")}\n`);
  };
  // What is there is told at once, so that its columns are below each other.
  let first: WireResource[] | undefined = [];
  for await (const event of session.client.collection(kind, parent).watch({ search, signal: session.signal })) {
    if (event.kind === "present" && first !== undefined) first.push(event.resource);
    else if (event.kind === "present") await print([event.resource], 1);
    else if (event.kind === "gone") shell.stdout(`${goneText(event.resource, isNarrowed)}\n`);
    else if (event.kind === "synced" && first !== undefined) {
      await print(byName(first), 0);
      first = undefined;
    }
  }
}

function goneText({ name }: WireResource, isNarrowed: boolean): string {
  return isNarrowed ? `${name}  gone, or not among these any more` : `${name}  gone`;
}

/** A table that is drawn over and over. */
async function followDrawn({ kind, parent, session, search }: FollowedResources, shell: Shell): Promise<void> {
  const { client, signal } = session;
  const parents = new ParentNames(session);
  const shown = new Map<string, WireResource>();
  const read = async (): Promise<void> => {
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
      const text = `${frameLines(kind, byName([...shown.values()]), parents, shell).join("\n")}\n`;
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

/** As many rows as fit on the terminal, first those that need a look, and how many there are in all. */
function frameLines(
  kind: KindDescription,
  resources: readonly WireResource[],
  parents: ParentNames,
  shell: Shell,
): readonly string[] {
  const { terminal } = shell;
  const { rows = Number.POSITIVE_INFINITY, colors = false, columns } = terminal ?? {};
  // The titles, the count, and the line of the cursor.
  const room = Math.max(1, rows - 3);
  if (resources.length <= room) return tableLines(kind, resources, parents, shell);
  const urgent = resources.filter((resource) => !isSettled(resource));
  const chosen = new Set([...urgent, ...resources.filter(isSettled)].slice(0, room));
  const lines = tableLines(kind, byName([...chosen]), parents, shell);
  const rest = `… and ${resources.length - room} more; ${countText(kind, resources)}`;
  return [...lines, line([{ text: rest, style: "plain" }], { colors, columns })];
}

function byName(resources: readonly WireResource[]): readonly WireResource[] {
  return resources.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
