import { TemplateError } from "./template-error.ts";
import { LAZY_FUNCTIONS, TEMPLATE_FUNCTIONS } from "./template-functions.ts";
import type { TemplateWorld } from "./template-functions.ts";
import type { Branch, TemplateCommand, TemplateOperand, Pipeline, TemplateNode } from "./template-node.ts";
import { printValue } from "./print.ts";
import { isList, isMap, isTrue, typeName } from "./template-value.ts";
import type { TemplateMap, TemplateValue } from "./template-value.ts";

/** Maximum output size of a template: untrusted data must not exhaust memory. */
export const OUTPUT_MAX: number = 4 * 1_024 * 1_024;

interface Variable {
  readonly name: string;
  value: TemplateValue;
}

/** How a list of nodes ended: normally, or by leaving the loop. */
type Flow = "done" | "break" | "continue";

/** Executes a template once. Throws a TemplateError. */
export class TemplateExecution {
  readonly #world: TemplateWorld;
  readonly #print: (text: string) => string;
  readonly #variables: Variable[];
  #output: string[] = [];
  #length = 0;

  constructor(data: TemplateMap, world: TemplateWorld, print: (text: string) => string) {
    this.#world = world;
    this.#print = print;
    this.#variables = [{ name: "$", value: data }];
  }

  run(nodes: readonly TemplateNode[]): string {
    this.#nodes(nodes, this.#variables[0]?.value ?? null);
    return this.#output.join("");
  }

  #nodes(nodes: readonly TemplateNode[], dot: TemplateValue): Flow {
    for (const node of nodes) {
      const flow = this.#node(node, dot);
      if (flow !== "done") return flow;
    }
    return "done";
  }

  #node(node: TemplateNode, dot: TemplateValue): Flow {
    switch (node.kind) {
      case "text":
        this.#write(node.text, 0);
        return "done";
      case "print": {
        const value = this.#pipeline(node.pipeline, dot);
        if (node.pipeline.variables.length > 0) return "done";
        const text = printValue(value);
        // A placeholder may be short; the value itself counts towards the limit.
        this.#write(this.#print(text), node.pipeline.line, text.length);
        return "done";
      }
      case "if":
      case "with":
        return this.#scoped(() => {
          const value = this.#pipeline(node.branch.pipeline, dot);
          if (!isTrue(value)) return this.#nodes(node.branch.otherwise, dot);
          return this.#nodes(node.branch.body, node.kind === "with" ? value : dot);
        });
      case "range":
        return this.#scoped(() => this.#range(node.branch, dot));
      default:
        return node.kind;
    }
  }

  /** Scopes variables to the block that declared them. */
  #scoped(work: () => Flow): Flow {
    const count = this.#variables.length;
    const flow = work();
    this.#variables.length = count;
    return flow;
  }

  #range({ pipeline, body, otherwise }: Branch, dot: TemplateValue): Flow {
    const entries = entriesOf(this.#commands(pipeline, dot), pipeline.line);
    if (entries.length === 0) return this.#nodes(otherwise, dot);
    for (const [key, value] of entries) {
      const flow = this.#scoped(() => {
        const [first, second] = pipeline.variables;
        const assigned =
          second === undefined
            ? [[first, value]]
            : [
                [first, key],
                [second, value],
              ];
        for (const [name, one] of assigned as [string | undefined, TemplateValue][]) {
          if (name !== undefined) this.#keep(name, one, pipeline.isAssignment);
        }
        return this.#nodes(body, value);
      });
      if (flow === "break") break;
    }
    return "done";
  }

  #pipeline(pipeline: Pipeline, dot: TemplateValue): TemplateValue {
    const value = this.#commands(pipeline, dot);
    for (const name of pipeline.variables) this.#keep(name, value, pipeline.isAssignment);
    return value;
  }

  #commands({ commands, line }: Pipeline, dot: TemplateValue): TemplateValue {
    let before: readonly TemplateValue[] = [];
    for (const command of commands) before = [this.#command(command, dot, before, line)];
    return before[0] ?? null;
  }

  #command(
    { operands }: TemplateCommand,
    dot: TemplateValue,
    before: readonly TemplateValue[],
    line: number,
  ): TemplateValue {
    const [first, ...others] = operands;
    if (first === undefined) return null;
    if (first.kind === "function") {
      return lookUp(this.#call(first.name, others, dot, before, line), first.path, line);
    }
    if (others.length + before.length > 0) throw new TemplateError("only a function takes arguments", line);
    return this.#operand(first, dot, line);
  }

  #operand(operand: TemplateOperand, dot: TemplateValue, line: number): TemplateValue {
    switch (operand.kind) {
      case "literal":
        return operand.value;
      case "dot":
        return lookUp(dot, operand.path, line);
      case "variable":
        return lookUp(this.#variable(operand.name, line).value, operand.path, line);
      case "group":
        return lookUp(this.#scopedValue(operand.pipeline, dot), operand.path, line);
      default:
        return lookUp(this.#call(operand.name, [], dot, [], line), operand.path, line);
    }
  }

  #scopedValue(pipeline: Pipeline, dot: TemplateValue): TemplateValue {
    const count = this.#variables.length;
    const value = this.#pipeline(pipeline, dot);
    this.#variables.length = count;
    return value;
  }

  #call(
    name: string,
    operands: readonly TemplateOperand[],
    dot: TemplateValue,
    before: readonly TemplateValue[],
    line: number,
  ): TemplateValue {
    if (LAZY_FUNCTIONS.has(name)) return this.#lazy(name, operands, dot, before, line);
    const called = TEMPLATE_FUNCTIONS.get(name);
    if (called === undefined) throw new TemplateError(`function ${JSON.stringify(name)} is not defined`, line);
    const values = [...operands.map((operand) => this.#operand(operand, dot, line)), ...before];
    try {
      return called(values, this.#world);
    } catch (error) {
      if (error instanceof TypeError) throw new TemplateError(`error calling ${name}: ${error.message}`, line);
      throw error;
    }
  }

  /** `and` stops at the first empty value, `or` at the first non-empty one. */
  #lazy(
    name: string,
    operands: readonly TemplateOperand[],
    dot: TemplateValue,
    before: readonly TemplateValue[],
    line: number,
  ): TemplateValue {
    let value: TemplateValue | undefined;
    for (const operand of operands) {
      value = this.#operand(operand, dot, line);
      if (isTrue(value) === (name === "or")) return value;
    }
    value = before[0] ?? value;
    if (value === undefined) throw new TemplateError(`error calling ${name}: it needs an argument`, line);
    return value;
  }

  #keep(name: string, value: TemplateValue, isAssignment: boolean): void {
    const known = isAssignment ? this.#variables.findLast((variable) => variable.name === name) : undefined;
    if (known === undefined) this.#variables.push({ name, value });
    else known.value = value;
  }

  #variable(name: string, line: number): Variable {
    const found = this.#variables.findLast((variable) => variable.name === name);
    if (found === undefined) throw new TemplateError(`variable ${name} is not defined`, line);
    return found;
  }

  #write(text: string, line: number, length: number = text.length): void {
    this.#length += length;
    if (this.#length > OUTPUT_MAX) throw new TemplateError(`the output has more than ${OUTPUT_MAX} characters`, line);
    this.#output.push(text);
  }
}

function lookUp(value: TemplateValue, path: readonly string[], line: number): TemplateValue {
  let found = value;
  for (const key of path) {
    if (found === null) throw new TemplateError(`nil has no field ${key}`, line);
    if (!isMap(found)) throw new TemplateError(`can't evaluate field ${key} in type ${typeName(found)}`, line);
    if (!Object.hasOwn(found, key)) throw new TemplateError(`map has no entry for key ${JSON.stringify(key)}`, line);
    found = found[key] ?? null;
  }
  return found;
}

/** Returns what to iterate over: a list, a map by sorted keys, or an integer's range. Nil is like an empty list. */
function entriesOf(value: TemplateValue, line: number): readonly (readonly [TemplateValue, TemplateValue])[] {
  if (value === null) return [];
  if (isList(value)) return value.map((one, index) => [BigInt(index), one]);
  if (isMap(value)) {
    return Object.keys(value)
      .toSorted()
      .map((key) => [key, value[key] ?? null]);
  }
  if (typeof value === "bigint" && value <= 100_000n) {
    return Array.from({ length: Math.max(0, Number(value)) }, (_, index) => [BigInt(index), BigInt(index)]);
  }
  throw new TemplateError(`range can't iterate over ${typeName(value)}`, line);
}
