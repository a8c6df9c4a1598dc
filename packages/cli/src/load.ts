import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { DeclarationError, InputError, toError } from "@levelset/core";
import type { Runnable } from "@levelset/core";
import type { Managed, Manager, ManagerOptions } from "@levelset/operator";

/** Loads what a file exports by default: an operator, or a list of them. */
export async function loadRunnables(file: string, cwd: string): Promise<readonly Runnable[]> {
  const list = await loadDefaults(file, cwd);
  const runnables = list.filter(isRunnable);
  if (runnables.length === 0 || runnables.length !== list.length) {
    throw new InputError(`${file} does not export an operator by default`, {
      hint: "end it with: export default operator(Kind, [steps])",
    });
  }
  return runnables;
}

/** Loads what a file exports by default: one thing, or a list of them. */
export async function loadDefaults(file: string, cwd: string): Promise<readonly unknown[]> {
  const exported = await importDefault(await loadable(file, cwd), file);
  return Array.isArray(exported) ? exported : [exported];
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
    const thrown = toError(error);
    const place = placeIn(thrown, path);
    const at = place === undefined ? file : `${file}:${place}`;
    throw new InputError(`${at} cannot be loaded: ${thrown.message.split("\n")[0]}`, { cause: error });
  }
}

/** The line of a file at which something went wrong: Node puts it before the stack of what cannot be parsed, and into it otherwise. */
function placeIn({ stack = "" }: Error, path: string): string | undefined {
  const at = stack.indexOf(path);
  return at === -1 ? undefined : /^:(\d+)/u.exec(stack.slice(at + path.length))?.[1];
}

function isRunnable(value: unknown): value is Runnable {
  return typeof value === "object" && value !== null && "start" in value && typeof value.start === "function";
}

/** What a file asks to be run: operators, which share a process well, and whatever else can be started. */
export interface Program {
  readonly operators: readonly Managed[];
  readonly others: readonly Runnable[];
  /** How the operators are to be run, as far as the file itself says it with `manager()`. */
  readonly options: ManagerOptions;
}

/** Loads what a file exports by default and sorts it by how it is run. */
export async function loadProgram(file: string, cwd: string): Promise<Program> {
  const runnables = await loadRunnables(file, cwd);
  const managers = runnables.filter(isManager);
  if (managers.length > 1) {
    throw new InputError(`${file} exports ${managers.length} managers, but one process has one`, {
      hint: "put their operators into one manager()",
    });
  }
  return {
    operators: runnables.flatMap((runnable) => {
      if (isManager(runnable)) return runnable.operators;
      return isManaged(runnable) ? [runnable] : [];
    }),
    others: runnables.filter((runnable) => !isManager(runnable) && !isManaged(runnable)),
    options: managers[0]?.options ?? {},
  };
}

function isManaged(runnable: Runnable): runnable is Runnable & Managed {
  return "control" in runnable && typeof runnable.control === "function";
}

function isManager(runnable: Runnable): runnable is Manager {
  return "operators" in runnable && Array.isArray(runnable.operators);
}
