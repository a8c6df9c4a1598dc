import type { AnyCustomKind } from "@levelset/core";
import type { StructuralSchema } from "@levelset/core/schema";
import type { ManagedOperator, Step } from "@levelset/operator";
import { drawnFaultNames } from "../fault/index.ts";
import { startOperators } from "../subject/index.ts";
import type { Subject } from "../subject/index.ts";
import type { Coverable } from "./coverage.ts";

const PHASES = ["do", "cleanup", "post"] as const;
const DEPTH_MAX = 8;

/** Returns the phases of all steps and the fields of all specs of a program, and the faults that it can meet. */
export function coverableOf(subject: Subject): Coverable {
  const program = subject.open();
  const operators = startOperators(program);
  return {
    phases: operators.flatMap((operator) =>
      stepsOf(operator).flatMap((step) =>
        PHASES.filter((phase) => step[phase] !== undefined).map((phase) => `${operator.name} ${step.name} ${phase}`),
      ),
    ),
    fields: subject.roots.flatMap((kind) =>
      leafPaths(kind.schema.properties?.["spec"] ?? {}, "spec", 0).map((path) => `${kind.kind} ${path}`),
    ),
    faults: drawnFaultNames({ hasExternal: program.external !== undefined }),
  };
}

/** Returns the steps of an operator, if it is made of steps. */
function stepsOf(operator: ManagedOperator): readonly Step<AnyCustomKind>[] {
  const { plan } = operator as { readonly plan?: { readonly steps: readonly Step<AnyCustomKind>[] } }; // see `Operator`
  return plan?.steps ?? [];
}

function leafPaths(schema: StructuralSchema, path: string, depth: number): readonly string[] {
  if (depth > DEPTH_MAX) return [path];
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length > 0) {
    return properties.flatMap(([name, child]) => leafPaths(child, `${path}.${name}`, depth + 1));
  }
  if (schema.items?.properties !== undefined) return leafPaths(schema.items, `${path}[]`, depth + 1);
  return [path];
}
