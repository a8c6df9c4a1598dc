/**
 * Go's text/template, as far as configurations of adapters use it: fields, variables, pipelines, functions, if, with, range.
 * A key that is not there is an error (`missingkey=error`). Named templates are not supported, and refused when they are read.
 */
import { Execution } from "./execute.ts";
import { LAZY_FUNCTIONS, TEMPLATE_FUNCTIONS } from "./functions.ts";
import type { TemplateWorld } from "./functions.ts";
import type { Operand, Pipeline, TemplateNode } from "./node.ts";
import { parseTemplate } from "./parser.ts";
import type { TemplateMap } from "./value.ts";

const FUNCTION_NAMES: ReadonlySet<string> = new Set([...TEMPLATE_FUNCTIONS.keys(), ...LAZY_FUNCTIONS]);

/** A template that was read. */
export class Template {
  readonly text: string;
  readonly #nodes: readonly TemplateNode[];

  /** Throws a TemplateError. */
  constructor(text: string) {
    this.text = text;
    this.#nodes = parseTemplate(text, FUNCTION_NAMES);
  }

  /** The text it makes of data, with every value written as `write` says. Throws a TemplateError. */
  render(data: TemplateMap, world: TemplateWorld, write: (text: string) => string = asItIs): string {
    return new Execution(data, world, write).run(this.#nodes);
  }

  /** The top-level keys of the data that it reads, by all that can be told before it runs. */
  get roots(): ReadonlySet<string> {
    return new Set(this.#nodes.flatMap((node) => rootsOf(node, true)));
  }
}

function asItIs(text: string): string {
  return text;
}

/** `isRoot` says whether the dot is the data itself: within `range` and `with` it is something else. */
function rootsOf(node: TemplateNode, isRoot: boolean): readonly string[] {
  if (node.kind === "print") return pipelineRoots(node.pipeline, isRoot);
  if (node.kind !== "if" && node.kind !== "with" && node.kind !== "range") return [];
  const { pipeline, body, otherwise } = node.branch;
  return [
    ...pipelineRoots(pipeline, isRoot),
    ...body.flatMap((inner) => rootsOf(inner, isRoot && node.kind === "if")),
    ...otherwise.flatMap((inner) => rootsOf(inner, isRoot)),
  ];
}

function pipelineRoots({ commands }: Pipeline, isRoot: boolean): readonly string[] {
  return commands.flatMap(({ operands }) => operands.flatMap((operand) => operandRoots(operand, isRoot)));
}

function operandRoots(operand: Operand, isRoot: boolean): readonly string[] {
  if (operand.kind === "group") return pipelineRoots(operand.pipeline, isRoot);
  const isOfData = (operand.kind === "dot" && isRoot) || (operand.kind === "variable" && operand.name === "$");
  return isOfData ? operand.path.slice(0, 1) : [];
}
