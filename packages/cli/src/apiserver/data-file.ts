import { mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SqliteStore } from "@levelset/apiserver";
import { InputError } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { Logger } from "@levelset/core";

/** Default file name in a directory. */
const FILE_NAME = "levelset.db";

/** Resolves the file of `--data`. */
export function dataPath(data: string, cwd: string): string {
  const path = resolve(cwd, data);
  const isDirectory = /[/\\]$/u.test(data) || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
  return isDirectory ? join(path, FILE_NAME) : path;
}

/** Opens the durable store of `--data`: a file or its directory. Creates both if they are missing. */
export async function openDataFile(
  data: string,
  { cwd, logger }: { readonly cwd: string; readonly logger: Logger },
): Promise<SqliteStore> {
  const path = dataPath(data, cwd);
  try {
    // Objects may contain secrets.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new InputError(`cannot create the directory of ${path}: ${toError(error).message}`, {
      hint: "pass another --data",
    });
  }
  return SqliteStore.open({ path, logger });
}
