import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { WireJournalEntry } from "@levelset/fleet/client";
import type { Command } from "commander";
import { describeDuration, escapeControlChars, formatTable, jsonText } from "../../terminal/index.ts";
import { addFleetFlags } from "../../fleet-location/index.ts";
import type { FleetFlags } from "../../fleet-location/index.ts";
import type { Shell, StyledText } from "../../terminal/index.ts";
import { findKind, findParent, findResource, parseResourceArgs, withFleet } from "../../fleet/index.ts";
import { examples, outputOption } from "../../options/index.ts";

interface HistoryFlags extends FleetFlags {
  readonly in?: string;
  readonly adapter?: string;
  readonly output: "table" | "json";
}

/** `levelset fleet history cluster/eu-1`: lists adapter reports, newest first. */
export function addFleetHistoryCommand(fleet: Command, shell: Shell): void {
  const command = fleet
    .command("history")
    .argument("<resource...>", "KIND/NAME or KIND NAME, e.g. cluster/eu-1")
    .description("list the adapter reports of a resource, newest first");
  addFleetFlags(command)
    .option("--in <parent>", "name of the parent")
    .option("--adapter <name>", "name of the adapter; list only its reports")
    .addOption(outputOption("table", "json"))
    .addHelpText(
      "after",
      examples("levelset fleet history cluster/eu-1", "levelset fleet history nodepool/blue --in eu-1 -o json"),
    )
    .action(async (args: readonly string[], flags: HistoryFlags) => printHistory(args, flags, shell));
}

async function printHistory(args: readonly string[], flags: HistoryFlags, shell: Shell): Promise<void> {
  const { kind: word, names } = parseResourceArgs(args);
  await withFleet(shell, flags, async (session) => {
    const kind = findKind(session.kinds, word);
    const parent = await findParent(session, kind, flags.in);
    const { resource } = await findResource(session, kind, names[0] ?? "", parent);
    const only = flags.adapter === undefined ? {} : { adapter: flags.adapter };
    const history = session.client.collection(kind, parent).history(resource.id, { ...only, signal: session.signal });
    const entries: WireJournalEntry[] = [];
    for await (const entry of history) entries.push(entry);
    if (flags.output === "json") return shell.stdout(jsonText(entries));
    if (entries.length === 0) return shell.stderr("no reports yet\n");
    const { terminal, clock } = shell;
    const rows = [TITLES, ...entries.map((entry) => row(entry, clock.now()))];
    const lines = formatTable(rows, { colors: terminal?.colors ?? false, columns: terminal?.columns });
    shell.stdout(`${lines.join("\n")}\n`);
  });
}

const TITLES: readonly StyledText[] = ["REPORTED", "ADAPTER", "GENERATION", "AVAILABLE", "WHY"].map((text) => ({
  text,
  style: "faint",
}));
const STYLES = { True: "good", False: "bad", Unknown: "busy" } as const;

/** Formats a report as a table row. */
function row({ time, adapter = "", details = {} }: WireJournalEntry, now: number): readonly StyledText[] {
  const report = objectIn(details["report"]);
  const { conditions, observed_generation: generation } = report;
  const all = Array.isArray(conditions) ? conditions.map(objectIn) : [];
  const available = all.find(({ type }) => type === "Available") ?? {};
  const isFinalized = all.some(({ type, status }) => type === "Finalized" && status === "True");
  const status = textIn(available["status"]);
  const why = [textIn(available["reason"]), textIn(available["message"])].filter((text) => text !== "").join(": ");
  return [
    { text: `${describeDuration(now - Date.parse(time))} ago`, style: "plain" },
    { text: escapeControlChars(adapter), style: "strong" },
    { text: generation === undefined ? "" : JSON.stringify(generation), style: "plain" },
    { text: isFinalized ? "Finalized" : status, style: STYLES[status as keyof typeof STYLES] ?? "plain" },
    { text: escapeControlChars(why), style: "plain" },
  ];
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textIn(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
