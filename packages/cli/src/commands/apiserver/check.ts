import { checkDataFile } from "@levelset/apiserver";
import type { DataFileReport, QuarantinedRow } from "@levelset/apiserver";
import { InputError } from "@levelset/core";
import type { Command } from "commander";
import { dataPath } from "../../apiserver/index.ts";
import { EXIT_CODES } from "../../process/index.ts";
import { escapeControlChars, formatTable, jsonText } from "../../terminal/index.ts";
import type { Shell, StyledText } from "../../terminal/index.ts";
import { examples, outputOption } from "../../options/index.ts";

interface CheckFlags {
  readonly data?: string;
  readonly output: "table" | "json";
}

const EXIT_CODES_HELP = `
The next server start quarantines damaged rows and serves all other objects.
Exit codes: 0 every row is intact, 1 damaged rows found, 2 wrong argument or unusable file.`;

/** `levelset apiserver check`: verifies every row of a data file without changing it. */
export function addApiserverCheckCommand(apiserver: Command, shell: Shell): void {
  apiserver
    .command("check")
    .description("check every row of a data file of a stopped server (read-only)")
    .option("--data <path>", "data file or directory (as for levelset apiserver)")
    .addOption(outputOption("table", "json"))
    .addHelpText("after", EXIT_CODES_HELP)
    .addHelpText(
      "after",
      examples("levelset apiserver check --data cluster.db", "levelset apiserver check --data cluster.db -o json"),
    )
    .action(async (_own: unknown, command: Command) => {
      // The parent has an option of the same name, which takes the value.
      const flags = command.optsWithGlobals<CheckFlags>();
      if (flags.data === undefined)
        throw new InputError("--data is missing", { hint: "pass the file to check with --data" });
      const report = await checkDataFile(dataPath(flags.data, shell.cwd));
      shell.stdout(flags.output === "json" ? jsonText(reportJson(report)) : reportText(report));
      const isIntact = report.refused === undefined && report.damaged.length + report.quarantined.length === 0;
      shell.exitCode(isIntact ? EXIT_CODES.ok : EXIT_CODES.failure);
    });
}

function reportText(report: DataFileReport): string {
  const { path, revision, intactRows, quarantined, damaged, refused } = report;
  const rows = [
    ...quarantined.map((row) => cells(row, "yes")),
    ...damaged.map((row) => cells(row, "at the next start")),
  ];
  const head = ["REVISION", "RESOURCE", "NAMESPACE", "NAME", "STATE", "QUARANTINED", "REASON"].map(plain);
  const intact = `${path}: ${intactRows} intact rows, latest revision ${revision}`;
  return [
    intact,
    ...(rows.length === 0 ? ["No damaged rows."] : ["", ...formatTable([head, ...rows], { colors: false })]),
    ...(refused === undefined ? [] : ["", `levelset apiserver cannot open this file: ${refused}`]),
    "",
  ].join("\n");
}

function cells({ revision, key, state, reason }: QuarantinedRow, isQuarantined: string): readonly StyledText[] {
  const { resource = "<unknown>", namespace = "", name = "<unknown>" } = key ?? {};
  return [String(revision), resource, namespace, name, state, isQuarantined, reason].map(escapeControlChars).map(plain);
}

function plain(text: string): StyledText {
  return { text, style: "plain" };
}

function reportJson({ quarantined, damaged, ...report }: DataFileReport): unknown {
  const flat = ({ key, ...row }: QuarantinedRow): unknown => ({ ...row, ...key });
  return { ...report, quarantined: quarantined.map(flat), damaged: damaged.map(flat) };
}
