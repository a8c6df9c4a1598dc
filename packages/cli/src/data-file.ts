import { mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SqliteStore } from "@levelset/apiserver";
import { InputError, toError } from "@levelset/core";
import type { Logger } from "@levelset/core";

/** The name of the file where only a directory is given. */
const FILE_NAME = "levelset.db";

/** The file that `--data` names. */
export function dataPath(data: string, cwd: string): string {
  const place = resolve(cwd, data);
  const isDirectory = /[/\\]$/u.test(data) || (statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false);
  return isDirectory ? join(place, FILE_NAME) : place;
}

/** Opens the durable store behind `--data`: a file, or a directory that holds it. What is missing comes to be. */
export async function openData(
  data: string,
  { cwd, logger }: { readonly cwd: string; readonly logger: Logger },
): Promise<SqliteStore> {
  const path = dataPath(data, cwd);
  try {
    // Objects may be secrets.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new InputError(`cannot make the directory of ${path}: ${toError(error).message}`, {
      hint: "choose another --data",
    });
  }
  return SqliteStore.open({ path, logger });
}
