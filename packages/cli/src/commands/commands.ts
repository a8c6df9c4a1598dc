import type { Command } from "commander";
import type { Shell } from "../terminal/index.ts";

/** Adds a command, with its options and help, to its parent. */
export type AddCommand = (parent: Command, shell: Shell) => void;

/** Commands under one heading of the help of `levelset`. */
export interface CommandGroup {
  readonly heading: string;
  /** Path of each command and its loader. A parent precedes its subcommands. */
  readonly commands: readonly (readonly [path: string, load: () => Promise<AddCommand>])[];
}

/**
 * All commands in the order of the help. The file of a command has its path: `operand create` is `operand/create.ts`. A
 * new command needs its file and a line here; help and reference are derived from it. Each command is loaded on demand,
 * so that it starts without the imports of others.
 */
export const COMMANDS: readonly CommandGroup[] = [
  {
    heading: "Develop operators:",
    commands: [
      ["init", async () => (await import("./init.ts")).addInitCommand],
      ["dev", async () => (await import("./dev.ts")).addDevCommand],
      ["run", async () => (await import("./run.ts")).addRunCommand],
      ["manifests", async () => (await import("./manifests.ts")).addManifestsCommand],
      ["simulate", async () => (await import("./simulate.ts")).addSimulateCommand],
    ],
  },
  {
    heading: "CustomResourceDefinitions:",
    commands: [
      ["crd", noun("crd", "work with the CRDs of an operator")],
      ["crd print", async () => (await import("./crd/print.ts")).addCrdPrintCommand],
    ],
  },
  {
    heading: "Inspect objects, Operands and fleet resources:",
    commands: [
      ["why", async () => (await import("./why.ts")).addWhyCommand],
      ["trace", async () => (await import("./trace.ts")).addTraceCommand],
      ["wait", async () => (await import("./wait.ts")).addWaitCommand],
      ["plan", async () => (await import("./plan.ts")).addPlanCommand],
      ["console", async () => (await import("./console.ts")).addConsoleCommand],
    ],
  },
  {
    heading: "Embedded API server:",
    commands: [
      ["apiserver", async () => (await import("./apiserver/apiserver.ts")).addApiserverCommand],
      ["apiserver check", async () => (await import("./apiserver/check.ts")).addApiserverCheckCommand],
    ],
  },
  {
    heading: "Operands (manifest sets):",
    commands: [
      ["operand", noun("operand", "manage Operands (manifest sets): create, plan, roll back, delete")],
      ["operand create", async () => (await import("./operand/create.ts")).addOperandCreateCommand],
      ["operand plan", async () => (await import("./operand/plan.ts")).addOperandPlanCommand],
      ["operand status", async () => (await import("./operand/status.ts")).addOperandStatusCommand],
      ["operand history", async () => (await import("./operand/history.ts")).addOperandHistoryCommand],
      ["operand rollback", async () => (await import("./operand/rollback.ts")).addOperandRollbackCommand],
      ["operand suspend", async () => (await import("./operand/suspend.ts")).addOperandSuspendCommand],
      ["operand resume", async () => (await import("./operand/resume.ts")).addOperandResumeCommand],
      ["operand confirm", async () => (await import("./operand/confirm.ts")).addOperandConfirmCommand],
      ["operand delete", async () => (await import("./operand/delete.ts")).addOperandDeleteCommand],
      ["operand run", async () => (await import("./operand/run.ts")).addOperandRunCommand],
    ],
  },
  {
    heading: "Fleet resources:",
    commands: [
      ["get", async () => (await import("./get.ts")).addGetCommand],
      ["create", async () => (await import("./create.ts")).addCreateCommand],
      ["edit", async () => (await import("./edit.ts")).addEditCommand],
      ["delete", async () => (await import("./delete.ts")).addDeleteCommand],
    ],
  },
  {
    heading: "Fleets:",
    commands: [
      ["fleet", noun("fleet", "run a fleet of clusters: API, Sentinel, adapters, or all in one process")],
      ["fleet dev", async () => (await import("./fleet/dev.ts")).addFleetDevCommand],
      ["fleet api", async () => (await import("./fleet/api.ts")).addFleetApiCommand],
      ["fleet sentinel", async () => (await import("./fleet/sentinel.ts")).addFleetSentinelCommand],
      ["fleet adapter", async () => (await import("./fleet/adapter.ts")).addFleetAdapterCommand],
      ["fleet adapters", async () => (await import("./fleet/adapters.ts")).addFleetAdaptersCommand],
      ["fleet migrate", async () => (await import("./fleet/migrate.ts")).addFleetMigrateCommand],
      ["fleet config", async () => (await import("./fleet/config.ts")).addFleetConfigCommand],
      ["fleet report", async () => (await import("./fleet/report.ts")).addFleetReportCommand],
      ["fleet history", async () => (await import("./fleet/history.ts")).addFleetHistoryCommand],
    ],
  },
];

/** Returns the loader of a command that only groups subcommands. */
function noun(name: string, description: string): () => Promise<AddCommand> {
  return () => Promise.resolve((parent) => void parent.command(name).description(description));
}
