import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { WireJournalEntry } from "@levelset/fleet/client";
import type { Command } from "commander";
import { Option } from "commander";
import { describeDuration } from "../duration.ts";
import { addFleetFlags } from "../fleet-flags.ts";
import type { FleetFlags } from "../fleet-flags.ts";
import { jsonText } from "../json-text.ts";
import { printable } from "../paint.ts";
import type { Span } from "../paint.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import { withFleet } from "./fleet-session.ts";
import { findKind, findParent, findResource, parseResourceWords } from "./resource-word.ts";

interface HistoryFlags extends FleetFlags {
  readonly in?: string;
  readonly adapter?: string;
  readonly output: "table" | "json";
}

/** `levelset fleet history cluster/eu-1`: what its adapters have reported, the newest first. */
export function addHistoryCommand(fleet: Command, shell: Shell): void {
  const command = fleet
    .command("history")
    .argument("<resource...>", "KIND/NAME or KIND NAME: cluster/eu-1")
    .description("list what adapters have reported on a resource, the newest first");
  addFleetFlags(command)
    .option("--in <parent>", "the parent, by its name")
    .option("--adapter <name>", "only what this one has reported")
    .addOption(new Option("-o, --output <format>", "how to answer").choices(["table", "json"]).default("table"))
    .action(async (words: readonly string[], flags: HistoryFlags) => tell(words, flags, shell));
}

async function tell(words: readonly string[], flags: HistoryFlags, shell: Shell): Promise<void> {
  const { kind: word, names } = parseResourceWords(words);
  await withFleet(shell, flags, async (session) => {
    const kind = findKind(session.kinds, word);
    const parent = await findParent(session, kind, flags.in);
    const { resource } = await findResource(session, kind, names[0] ?? "", parent);
    const only = flags.adapter === undefined ? {} : { adapter: flags.adapter };
    const asked = session.client.collection(kind, parent).history(resource.id, { ...only, signal: session.signal });
    const entries: WireJournalEntry[] = [];
    for await (const entry of asked) entries.push(entry);
    if (flags.output === "json") return shell.stdout(jsonText(entries));
    if (entries.length === 0) return shell.stderr("nothing has been reported yet\n");
    const { terminal, clock } = shell;
    const rows = [TITLES, ...entries.map((entry) => row(entry, clock.now()))];
    const lines = table(rows, { colors: terminal?.colors ?? false, columns: terminal?.columns });
    shell.stdout(`${lines.join("\n")}\n`);
  });
}

const TITLES: readonly Span[] = ["REPORTED", "ADAPTER", "GENERATION", "AVAILABLE", "WHY"].map((text) => ({
  text,
  style: "faint",
}));
const STYLES = { True: "good", False: "bad", Unknown: "busy" } as const;

/** What a report said of the resource as a whole. */
function row({ time, adapter = "", details = {} }: WireJournalEntry, now: number): readonly Span[] {
  const report = objectIn(details["report"]);
  const { conditions, observed_generation: generation } = report;
  const all = Array.isArray(conditions) ? conditions.map(objectIn) : [];
  const available = all.find(({ type }) => type === "Available") ?? {};
  const isFinalized = all.some(({ type, status }) => type === "Finalized" && status === "True");
  const status = textIn(available["status"]);
  const why = [textIn(available["reason"]), textIn(available["message"])].filter((text) => text !== "").join(": ");
  return [
    { text: `${describeDuration(now - Date.parse(time))} ago`, style: "plain" },
    { text: printable(adapter), style: "strong" },
    { text: generation === undefined ? "" : JSON.stringify(generation), style: "plain" },
    { text: isFinalized ? "Finalized" : status, style: STYLES[status as keyof typeof STYLES] ?? "plain" },
    { text: printable(why), style: "plain" },
  ];
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textIn(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
