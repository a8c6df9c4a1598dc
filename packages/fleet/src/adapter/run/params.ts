import { toError } from "@levelset/core/internal";
import type { JsonValue } from "@levelset/core";
import { ExpressionError } from "../expression/index.ts";
import type { Param } from "../task/index.ts";
import { TemplateError } from "../template/index.ts";
import type { RunContext } from "./run-context.ts";
import { convert } from "./convert.ts";
import { PhaseError } from "./phase-error.ts";

/** Maximum size in bytes of a file used as a param. */
const FILE_MAX = 1_024 * 1_024;

/** Resolves the params in order. Throws a PhaseError. */
export async function resolveParams(params: readonly Param[], run: RunContext): Promise<void> {
  for (const param of params) {
    const found = await valueOf(param, run);
    const value = found === undefined || found === "" ? undefined : converted(param, found);
    const { name, defaultValue, isRequired } = param;
    if (value === undefined && isRequired && defaultValue === undefined) {
      const problem = found === undefined || found === "" ? "no value" : `the value is not of type ${param.type ?? ""}`;
      throw new PhaseError("params", name, `required param ${name}: ${problem}`);
    }
    const used = value ?? defaultValue;
    if (used !== undefined) run.variables.set(name, used, param.type === "int");
    run.trace.params.push({
      name,
      status: value !== undefined ? "success" : used === undefined ? "unset" : "default",
    });
  }
}

/** Strings are converted, whatever the source. Responses and expressions are typed already. */
function converted({ type, source }: Param, value: JsonValue): JsonValue | undefined {
  const isText = source.kind === "path" || source.kind === "env" || source.kind === "file";
  return type === undefined || !isText ? value : convert(value, type);
}

async function valueOf({ name, source, isRequired }: Param, run: RunContext): Promise<JsonValue | undefined> {
  try {
    switch (source.kind) {
      case "path":
        return run.variables.find(source.path) ?? undefined;
      case "env":
        return run.world.env[source.variable];
      case "expression": {
        const result = source.expression.evaluate(run.variables.json);
        return result.kind === "value" ? (result.value ?? undefined) : undefined;
      }
      case "api_call":
        return (await run.call("params", name, source.call)).body ?? undefined;
      default:
        return await fileText(run, source.path, source.isTrimmed);
    }
  } catch (error) {
    if (error instanceof PhaseError) throw error;
    if (error instanceof ExpressionError || error instanceof TemplateError || error instanceof FileProblem) {
      // A missing file leaves an optional param without a value; any other read error fails.
      if (error instanceof FileProblem && error.isAbsent && !isRequired) return undefined;
      throw new PhaseError("params", name, `param ${name}: ${error.message}`);
    }
    throw error;
  }
}

class FileProblem extends Error {
  override readonly name = "FileProblem";
  readonly isAbsent: boolean;

  constructor(message: string, isAbsent: boolean) {
    super(message);
    this.isAbsent = isAbsent;
  }
}

async function fileText(run: RunContext, path: string, isTrimmed: boolean): Promise<string> {
  const text = await run.world.readFile(path).catch((error: unknown) => {
    throw new FileProblem(`${path}: ${toError(error).message}`, true);
  });
  if (text.length > FILE_MAX) throw new FileProblem(`${path} is larger than ${FILE_MAX} bytes`, false);
  const found = isTrimmed ? text.trim() : text;
  // The file may contain a credential.
  run.secrets.add(found);
  return found;
}
