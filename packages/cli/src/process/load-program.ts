import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { DeclarationError, InputError } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { Runnable } from "@levelset/core";
import type { ManagedOperator, Manager, ManagerOptions } from "@levelset/operator";

/** Loads the default export of a file: an operator or a list of operators. */
export async function loadRunnables(file: string, cwd: string): Promise<readonly Runnable[]> {
  const list = await loadDefaultExports(file, cwd);
  const runnables = list.filter(isRunnable);
  if (runnables.length === 0 || runnables.length !== list.length) {
    throw new InputError(`${file} has no default export with an operator`, {
      hint: "end it with: export default operator(Kind, [steps])",
    });
  }
  return runnables;
}

/** Loads the default export of a file as a list. */
export async function loadDefaultExports(file: string, cwd: string): Promise<readonly unknown[]> {
  const exported = await importDefault(await resolveModuleFile(file, cwd), file);
  return Array.isArray(exported) ? exported : [exported];
}

/** Returns the absolute path of an existing module file. */
export async function resolveModuleFile(file: string, cwd: string): Promise<string> {
  const path = resolve(cwd, file);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return path;
  const problem = found?.isDirectory() === true ? "is a directory" : "does not exist";
  throw new InputError(`${file} ${problem}`, { hint: "pass a file with an operator as default export" });
}

async function importDefault(path: string, file: string): Promise<unknown> {
  try {
    const module: unknown = await import(pathToFileURL(path).href);
    return typeof module === "object" && module !== null && "default" in module ? module.default : undefined;
  } catch (error) {
    if (error instanceof DeclarationError) throw error;
    const thrown = toError(error);
    const line = lineIn(thrown, path);
    const location = line === undefined ? file : `${file}:${line}`;
    throw new InputError(`${location} cannot be loaded: ${thrown.message.split("\n")[0]}`, { cause: error });
  }
}

/** Returns the line of an error: Node prints it before the stack of syntax errors, else inside the stack. */
function lineIn({ stack = "" }: Error, path: string): string | undefined {
  const at = stack.indexOf(path);
  return at === -1 ? undefined : /^:(\d+)/u.exec(stack.slice(at + path.length))?.[1];
}

function isRunnable(value: unknown): value is Runnable {
  return typeof value === "object" && value !== null && "start" in value && typeof value.start === "function";
}

/** The operators and other runnables of a file. */
export interface Program {
  readonly operators: readonly ManagedOperator[];
  readonly others: readonly Runnable[];
  /** Manager options of the file, from `manager()`. */
  readonly options: ManagerOptions;
}

/** Loads the default export of a file and separates operators from other runnables. */
export async function loadProgram(file: string, cwd: string): Promise<Program> {
  const runnables = await loadRunnables(file, cwd);
  const managers = runnables.filter(isManager);
  if (managers.length > 1) {
    throw new InputError(`${file} exports ${managers.length} managers; only one is allowed per process`, {
      hint: "combine their operators in one manager()",
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

function isManaged(runnable: Runnable): runnable is Runnable & ManagedOperator {
  return "createController" in runnable && typeof runnable.createController === "function";
}

function isManager(runnable: Runnable): runnable is Manager {
  return "operators" in runnable && Array.isArray(runnable.operators);
}
