import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { DeclarationError, InputError, toError } from "@levelset/core";
import type { Runnable } from "@levelset/core";

/** Loads what a file exports by default: an operator, or a list of them. */
export async function loadRunnables(file: string, cwd: string): Promise<readonly Runnable[]> {
  const path = await loadable(file, cwd);
  const exported = await importDefault(path, file);
  const list: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  const runnables = list.filter(isRunnable);
  if (runnables.length === 0 || runnables.length !== list.length) {
    throw new InputError(`${file} does not export an operator by default`, {
      hint: "end it with: export default operator(Kind, [steps])",
    });
  }
  return runnables;
}

/** The whole path of a file that is there to be loaded. */
export async function loadable(file: string, cwd: string): Promise<string> {
  const path = resolve(cwd, file);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return path;
  throw new InputError(`there is no file ${file}`, { hint: "name the file that exports an operator by default" });
}

async function importDefault(path: string, file: string): Promise<unknown> {
  try {
    const module: unknown = await import(pathToFileURL(path).href);
    return typeof module === "object" && module !== null && "default" in module ? module.default : undefined;
  } catch (error) {
    if (error instanceof DeclarationError) throw error;
    throw new InputError(`${file} cannot be loaded: ${toError(error).message.split("\n")[0]}`, { cause: error });
  }
}

function isRunnable(value: unknown): value is Runnable {
  return typeof value === "object" && value !== null && "start" in value && typeof value.start === "function";
}
