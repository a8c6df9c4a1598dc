import { checkDataFile } from "@levelset/apiserver";
import type { DataFileReport, QuarantinedRow } from "@levelset/apiserver";
import { InputError } from "@levelset/core";
import { Option } from "commander";
import type { Command } from "commander";
import { dataPath } from "../data-file.ts";
import { EXIT } from "../failure.ts";
import { jsonText } from "../json-text.ts";
import { printable } from "../paint.ts";
import type { Span } from "../paint.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";

interface CheckFlags {
  readonly data?: string;
  readonly output: "table" | "json";
}

const EXIT_CODES = `
A damaged row is set aside at the next start and kept in the file; all other objects are served.
Exit codes: 0 every row is intact, 1 some are damaged, 2 a wrong argument or an unusable file.`;

/** `levelset apiserver check`: reads a data file from end to end, and changes nothing. */
export function addCheckCommand(apiserver: Command, shell: Shell): void {
  apiserver
    .command("check")
    .description("check every row of a data file while no server has it open; changes nothing")
    .option("--data <path>", "the file or directory that levelset apiserver --data uses")
    .addOption(new Option("-o, --output <format>", "how to answer").choices(["table", "json"]).default("table"))
    .addHelpText("after", EXIT_CODES)
    .action(async (_own: unknown, command: Command) => {
      // The parent has an option of the same name, which takes the value.
      const flags = command.optsWithGlobals<CheckFlags>();
      if (flags.data === undefined) throw new InputError("--data is missing", { hint: "name the file to check" });
      const report = await checkDataFile(dataPath(flags.data, shell.cwd));
      shell.stdout(flags.output === "json" ? jsonText(reportJson(report)) : reportText(report));
      const isIntact = report.refused === undefined && report.damaged.length + report.quarantined.length === 0;
      shell.exitCode(isIntact ? EXIT.ok : EXIT.failure);
    });
}

function reportText(report: DataFileReport): string {
  const { path, revision, intactRows, quarantined, damaged, refused } = report;
  const rows = [
    ...quarantined.map((row) => cells(row, "yes")),
    ...damaged.map((row) => cells(row, "at the next start")),
  ];
  const head = ["REVISION", "RESOURCE", "NAMESPACE", "NAME", "STATE", "QUARANTINED", "REASON"].map(plain);
  const intact = `${path}: ${intactRows} rows are intact, the latest write is revision ${revision}`;
  return [
    intact,
    ...(rows.length === 0 ? ["No row is damaged."] : ["", ...table([head, ...rows], { colors: false })]),
    ...(refused === undefined ? [] : ["", `levelset apiserver refuses this file: ${refused}`]),
    "",
  ].join("\n");
}

function cells({ revision, key, state, reason }: QuarantinedRow, isQuarantined: string): readonly Span[] {
  const { resource = "<unknown>", namespace = "", name = "<unknown>" } = key ?? {};
  return [String(revision), resource, namespace, name, state, isQuarantined, reason].map(printable).map(plain);
}

function plain(text: string): Span {
  return { text, style: "plain" };
}

function reportJson({ quarantined, damaged, ...report }: DataFileReport): unknown {
  const flat = ({ key, ...row }: QuarantinedRow): unknown => ({ ...row, ...key });
  return { ...report, quarantined: quarantined.map(flat), damaged: damaged.map(flat) };
}
