import type { Command } from "commander";
import type { Shell } from "../shell.ts";

/** Adds a command, with its options and help, to the command line. */
export type AddCommand = (levelset: Command, shell: Shell) => void;

/** The commands in the order of the help. Each is loaded on demand, so that it starts without the imports of others. */
export const COMMANDS: ReadonlyMap<string, () => Promise<AddCommand>> = new Map([
  ["init", async () => (await import("./init.ts")).addInitCommand],
  ["dev", async () => (await import("./dev.ts")).addDevCommand],
  ["run", async () => (await import("./run.ts")).addRunCommand],
  ["manifests", async () => (await import("./manifests.ts")).addManifestsCommand],
  ["crd", async () => (await import("./crd.ts")).addCrdCommand],
  ["why", async () => (await import("./why.ts")).addWhyCommand],
  ["trace", async () => (await import("./trace.ts")).addTraceCommand],
  ["wait", async () => (await import("./wait.ts")).addWaitCommand],
  ["console", async () => (await import("./console.ts")).addConsoleCommand],
  ["apiserver", async () => (await import("./apiserver.ts")).addApiserverCommand],
  ["operand", async () => (await import("./operand.ts")).addOperandCommand],
  ["get", async () => (await import("../fleet/index.ts")).addGetCommand],
  ["create", async () => (await import("../fleet/index.ts")).addCreateCommand],
  ["edit", async () => (await import("../fleet/index.ts")).addEditCommand],
  ["delete", async () => (await import("../fleet/index.ts")).addDeleteCommand],
  ["fleet", async () => (await import("./fleet.ts")).addFleetCommand],
]);
