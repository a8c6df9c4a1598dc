import type { Command } from "commander";
import type { Shell } from "../shell.ts";

/** Adds a command, with its options and help, to the command line. */
export type AddCommand = (levelset: Command, shell: Shell) => void;

/** The commands in the order of the help. Each is loaded when it is called for: none waits for what another one needs. */
export const COMMANDS: ReadonlyMap<string, () => Promise<AddCommand>> = new Map([
  ["dev", async () => (await import("./dev.ts")).addDevCommand],
  ["run", async () => (await import("./run.ts")).addRunCommand],
  ["crds", async () => (await import("./crds.ts")).addCrdsCommand],
  ["manifests", async () => (await import("./manifests.ts")).addManifestsCommand],
  ["apiserver", async () => (await import("./apiserver.ts")).addApiserverCommand],
]);
