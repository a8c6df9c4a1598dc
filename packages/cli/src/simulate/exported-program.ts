import { InputError } from "@levelset/core";
import type { CampaignOptions, SimulatedProgram } from "@levelset/simulation";
import { isSimulation } from "@levelset/simulation/internal";

/** A program that evaluates its modules for each process, and the options of its declaration. */
export interface ExportedProgram {
  readonly program: SimulatedProgram;
  readonly options: CampaignOptions;
}

/**
 * Reads the default export of a file: operators, a function that returns them, or a `simulation()`. `evaluate` returns
 * the default export of a new evaluation.
 */
export function readExportedProgram(file: string, evaluate: () => unknown): ExportedProgram {
  const first = evaluate();
  const options = isSimulation(first) ? first.options : {};
  const create = (): unknown => {
    const exported = evaluate();
    const program: unknown = isSimulation(exported) ? exported.program : exported;
    return typeof program === "function" ? program() : program;
  };
  checkOperators(file, create());
  return { program: create as Extract<SimulatedProgram, () => unknown>, options }; // checked above
}

function checkOperators(file: string, value: unknown): void {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isRight =
    list.length > 0 && (list.every(isOperator) || (list.length === 1 && has(list[0], "start") && !isRunnable(list[0])));
  if (isRight) return;
  throw new InputError(`${file} has no default export with an operator that can be simulated`, {
    hint: "end it with: export default operator(Kind, [steps]), or with a function that returns it",
  });
}

function isOperator(value: unknown): boolean {
  return has(value, "createController") || has(value, "operators");
}

/** A runnable that is no operator has a name. A `Program` has only `start` and `external`. */
function isRunnable(value: unknown): boolean {
  return has(value, "name");
}

function has(value: unknown, property: string): boolean {
  return typeof value === "object" && value !== null && property in value;
}
