import type { SimpleTest } from "@bufbuild/cel-spec/cel/expr/conformance/test/simple_pb.js";
import type { ExprValue } from "@bufbuild/cel-spec/cel/expr/eval_pb.js";
import { getTestRegistry } from "@bufbuild/cel-spec/testdata/registry.js";
import { celEnvironment, celLibraries } from "../../../packages/core/src/cel/index.ts";
import type { CelBindings, CelProgram, CelResult } from "../../../packages/core/src/cel/index.ts";
import { CelError, formatType } from "../../../packages/core/src/cel/value/index.ts";
import type { CelValue } from "../../../packages/core/src/cel/value/index.ts";
import type { Case } from "./case.ts";
import { toCelFunctions, toCelType, toCelVariables } from "./declarations.ts";
import { enumConversions } from "./enum-functions.ts";
import { SUITE_MACROS } from "./macros.ts";
import { ProtobufTypes } from "./provider.ts";
import { isSameValue, formatValue, suiteValue } from "./value.ts";

const REGISTRY = getTestRegistry();
const INT_ENUMS = new ProtobufTypes(REGISTRY, "int");
const STRONG_ENUMS = new ProtobufTypes(REGISTRY, "strong");

const LIBRARIES = [...celLibraries.extensions, SUITE_MACROS];

/** Returns why a case fails; undefined if it passes. */
export function runCase({ test, section }: Case): string | undefined {
  const isStrong = section.startsWith("enums/strong_");
  const types = isStrong ? STRONG_ENUMS : INT_ENUMS;
  const environment = celEnvironment({
    variables: toCelVariables(test.typeEnv, types),
    libraries: [...LIBRARIES, toCelFunctions(test.typeEnv, types), ...(isStrong ? [enumConversions(REGISTRY)] : [])],
    types,
    container: test.container,
  });
  const compiled = environment.compile(test.expr, { mode: test.disableCheck ? "unchecked" : "checked" });
  if (compiled.kind === "issues") {
    return `does not compile: ${compiled.issues.map(({ message }) => message).join("; ")}`;
  }
  return checkProgram(test, compiled.program, types);
}

function checkProgram(test: SimpleTest, program: CelProgram, types: ProtobufTypes): string | undefined {
  const matcher = test.resultMatcher;
  if (matcher.case === "typedResult") {
    const expected = formatType(toCelType(matcher.value.deducedType, types));
    const found = formatType(program.type);
    if (expected !== found) return `deduces ${found}, not ${expected}`;
    if (test.checkOnly) return undefined;
  }
  const bindings = bindingsOf(test.bindings, types);
  if (bindings instanceof CelError) return `a binding cannot be read: ${bindings.message}`;
  return checkRunResult(test, program.evaluate(bindings), types);
}

function bindingsOf(given: Readonly<Record<string, ExprValue>>, types: ProtobufTypes): CelBindings | CelError {
  const bindings: [string, CelValue][] = [];
  for (const [name, { kind }] of Object.entries(given)) {
    const value = kind.case === "value" ? suiteValue(kind.value, REGISTRY, types.reader) : new CelError("no value");
    if (value instanceof CelError) return value;
    bindings.push([name, value]);
  }
  return Object.fromEntries(bindings);
}

function checkRunResult(test: SimpleTest, result: CelResult, types: ProtobufTypes): string | undefined {
  const matcher = test.resultMatcher;
  switch (matcher.case) {
    case "evalError":
    case "anyEvalErrors":
      return result.kind === "error" ? undefined : `gives ${formatValue(result.value)} instead of an error`;
    case "unknown":
    case "anyUnknowns":
      return "unknown values are not supported";
    default: {
      if (result.kind === "error") return `gives the error: ${result.error.message}`;
      const desired = matcher.case === "typedResult" ? matcher.value.result : matcher.value;
      const expected = matcher.case === undefined ? true : suiteValue(desired, REGISTRY, types.reader);
      if (expected instanceof CelError) return `the expected value cannot be read: ${expected.message}`;
      if (isSameValue(result.value, expected)) return undefined;
      return `gives ${formatValue(result.value)}, not ${formatValue(expected)}`;
    }
  }
}
