/**
 * The subset of Go's text/template that adapter configurations use: fields, variables, pipelines, functions, if, with,
 * range. A missing key is an error (`missingkey=error`). Named templates are rejected when parsed.
 */
import { TemplateExecution } from "./execute.ts";
import { LAZY_FUNCTIONS, TEMPLATE_FUNCTIONS } from "./template-functions.ts";
import type { TemplateWorld } from "./template-functions.ts";
import type { TemplateOperand, Pipeline, TemplateNode } from "./template-node.ts";
import { parseTemplate } from "./template-parser.ts";
import type { TemplateMap } from "./template-value.ts";

const FUNCTION_NAMES: ReadonlySet<string> = new Set([...TEMPLATE_FUNCTIONS.keys(), ...LAZY_FUNCTIONS]);

/** A parsed template. */
export class Template {
  readonly text: string;
  readonly #nodes: readonly TemplateNode[];

  /** Throws a TemplateError. */
  constructor(text: string) {
    this.text = text;
    this.#nodes = parseTemplate(text, FUNCTION_NAMES);
  }

  /** Renders the template with data; `write` transforms every value. Throws a TemplateError. */
  render(data: TemplateMap, world: TemplateWorld, write: (text: string) => string = asItIs): string {
    return new TemplateExecution(data, world, write).run(this.#nodes);
  }

  /** Top-level keys of the data that the template reads, as far as known before it runs. */
  get roots(): ReadonlySet<string> {
    return new Set(this.#nodes.flatMap((node) => rootsOf(node, true)));
  }
}

function asItIs(text: string): string {
  return text;
}

/** `isRoot`: whether the dot is the data itself. It is not inside `range` and `with`. */
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

function operandRoots(operand: TemplateOperand, isRoot: boolean): readonly string[] {
  if (operand.kind === "group") return pipelineRoots(operand.pipeline, isRoot);
  const isOfData = (operand.kind === "dot" && isRoot) || (operand.kind === "variable" && operand.name === "$");
  return isOfData ? operand.path.slice(0, 1) : [];
}
