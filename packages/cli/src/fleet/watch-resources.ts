import { isAbortError } from "@levelset/core";
import { isResourceReady } from "@levelset/fleet/client";
import type { KindDescription, WireResource } from "@levelset/fleet/client";
import { formatLine, TerminalFrame } from "../terminal/index.ts";
import type { Shell } from "../terminal/index.ts";
import type { FleetSession } from "./fleet-session.ts";
import { formatResources } from "./output-format.ts";
import type { OutputFormat } from "./output-format.ts";
import { ParentNames } from "./parent-names.ts";
import { countText, tableLines } from "./resource-table.ts";

/** Resources to watch, and the output format. */
export interface WatchResourcesOptions {
  readonly kind: KindDescription;
  readonly parent: WireResource | undefined;
  readonly session: FleetSession;
  /** Search expression. */
  readonly search: string | undefined;
  /** Whether the expression selects by more than names: a resource may then leave the result without being deleted. */
  readonly isFiltered: boolean;
  readonly output: OutputFormat;
}

/** Redraw interval of the table on a terminal. */
const DRAW_MS = 250;

/** Prints resource changes until the command is stopped: a live table on a terminal, else lines. */
export async function printResourceChanges(options: WatchResourcesOptions, shell: Shell): Promise<void> {
  const { output } = options;
  if (output !== "table") await watchData(options, output, shell);
  else await (shell.terminal === undefined ? watchLines(options, shell) : watchTable(options, shell));
}

/** Prints the complete resource for each change, and deletions. */
async function watchData(
  { kind, parent, session, search, isFiltered }: WatchResourcesOptions,
  output: Exclude<OutputFormat, "table">,
  shell: Shell,
): Promise<void> {
  for await (const event of session.client.collection(kind, parent).watch({ search, signal: session.signal })) {
    if (event.kind !== "present" && event.kind !== "gone") continue;
    const { resource } = event;
    if (output === "json") shell.stdout(`${JSON.stringify(event)}\n`);
    else if (event.kind === "gone") shell.stdout(`${deletedText(resource, isFiltered)}\n`);
    else shell.stdout(formatResources([resource], { output, isOne: true }));
  }
}

/** Prints the table, then a row per change. */
async function watchLines(options: WatchResourcesOptions, shell: Shell): Promise<void> {
  const { kind, parent, session, search, isFiltered } = options;
  const parents = new ParentNames(session);
  const widths: number[] = [];
  const print = async (resources: readonly WireResource[], from: number): Promise<void> => {
    await parents.load(resources);
    const lines = tableLines(kind, resources, parents, shell, widths).slice(from);
    if (lines.length > 0) shell.stdout(`${lines.join("\n")}\n`);
  };
  // Initial resources are printed together, so that their columns align.
  let initial: WireResource[] | undefined = [];
  for await (const event of session.client.collection(kind, parent).watch({ search, signal: session.signal })) {
    if (event.kind === "present" && initial !== undefined) initial.push(event.resource);
    else if (event.kind === "present") await print([event.resource], 1);
    else if (event.kind === "gone") shell.stdout(`${deletedText(event.resource, isFiltered)}\n`);
    else if (event.kind === "synced" && initial !== undefined) {
      await print(byName(initial), 0);
      initial = undefined;
    }
  }
}

function deletedText({ name }: WireResource, isFiltered: boolean): string {
  return isFiltered ? `${name}  deleted, or no longer selected` : `${name}  deleted`;
}

/** Redraws a table in place. */
async function watchTable({ kind, parent, session, search }: WatchResourcesOptions, shell: Shell): Promise<void> {
  const { client, signal } = session;
  const parents = new ParentNames(session);
  const shown = new Map<string, WireResource>();
  const read = async (): Promise<void> => {
    for await (const event of client.collection(kind, parent).watch({ search, signal })) {
      if (event.kind === "restarted") shown.clear();
      if (event.kind === "gone") shown.delete(event.resource.id);
      if (event.kind !== "present") continue;
      await parents.load([event.resource]);
      shown.set(event.resource.id, event.resource);
    }
  };
  const draw = async (until: AbortSignal): Promise<void> => {
    const frame = new TerminalFrame(shell.stdout);
    for (let last = ""; !until.aborted; await shell.clock.sleep(DRAW_MS, until)) {
      const text = `${frameLines(kind, byName([...shown.values()]), parents, shell).join("\n")}\n`;
      if (text !== last) frame.draw(text);
      last = text;
    }
  };
  const stop = new AbortController();
  const drawing = draw(stop.signal).catch((error: unknown) => {
    if (!isAbortError(error)) throw error;
  });
  try {
    await read();
  } finally {
    stop.abort();
    await drawing;
  }
}

/** Returns the rows that fit on the terminal, resources that are not Ready first, and the total. */
function frameLines(
  kind: KindDescription,
  resources: readonly WireResource[],
  parents: ParentNames,
  shell: Shell,
): readonly string[] {
  const { terminal } = shell;
  const { rows = Number.POSITIVE_INFINITY, colors = false, columns } = terminal ?? {};
  // Header, count and cursor line.
  const room = Math.max(1, rows - 3);
  if (resources.length <= room) return tableLines(kind, resources, parents, shell);
  const notReady = resources.filter((resource) => !isResourceReady(resource));
  const chosen = new Set([...notReady, ...resources.filter((resource) => isResourceReady(resource))].slice(0, room));
  const lines = tableLines(kind, byName([...chosen]), parents, shell);
  const rest = `… and ${resources.length - room} more; ${countText(kind, resources)}`;
  return [...lines, formatLine([{ text: rest, style: "plain" }], { colors, columns })];
}

function byName(resources: readonly WireResource[]): readonly WireResource[] {
  return resources.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
