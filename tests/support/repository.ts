import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/u, "");

/** The launcher of the `levelset` command. */
export const LAUNCHER: string = `${ROOT}/packages/cli/bin/levelset.cjs`;
