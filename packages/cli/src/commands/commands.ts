import type { Command } from "commander";
import type { Shell } from "../shell.ts";

/** Adds a command, with its options and help, to the command line. */
export type AddCommand = (levelset: Command, shell: Shell) => void;

/** The commands in the order of the help. Each is loaded when it is called for: none waits for what another one needs. */
export const COMMANDS: ReadonlyMap<string, () => Promise<AddCommand>> = new Map([
  ["init", async () => (await import("./init.ts")).addInitCommand],
  ["dev", async () => (await import("./dev.ts")).addDevCommand],
  ["run", async () => (await import("./run.ts")).addRunCommand],
  ["why", async () => (await import("./why.ts")).addWhyCommand],
  ["wait", async () => (await import("./wait.ts")).addWaitCommand],
  ["trace", async () => (await import("./trace.ts")).addTraceCommand],
  ["console", async () => (await import("./console.ts")).addConsoleCommand],
  ["operand", async () => (await import("./operand.ts")).addOperandCommand],
  ["fleet", async () => (await import("./fleet.ts")).addFleetCommand],
  ["get", async () => (await import("../fleet/index.ts")).addGetCommand],
  ["create", async () => (await import("../fleet/index.ts")).addCreateCommand],
  ["edit", async () => (await import("../fleet/index.ts")).addEditCommand],
  ["delete", async () => (await import("../fleet/index.ts")).addDeleteCommand],
  ["crds", async () => (await import("./crds.ts")).addCrdsCommand],
  ["manifests", async () => (await import("./manifests.ts")).addManifestsCommand],
  ["apiserver", async () => (await import("./apiserver.ts")).addApiserverCommand],
]);
