import type { JsonValue } from "@levelset/core";
import type { Expression, ExpressionCompiler } from "../expression/index.ts";
import { Template, TemplateError } from "../template/index.ts";
import { fieldPath } from "./field-path.ts";
import type { TaskNode } from "./task-node.ts";
import type { ComputedValue, FieldPath, TemplateTree } from "./task.ts";

/** What an expression has to be replaced by when it cannot be compiled: reading goes on to find more problems. */
const NOTHING = "null";

/**
 * Compiles templates, expressions and paths, each against the names that exist where it stands. A name that nothing defines is a
 * problem of the configuration, not of the first pulse.
 */
export class Language {
  readonly #compiler: ExpressionCompiler;
  /** Names that exist from the beginning, and mean the same everywhere. */
  readonly #reserved: ReadonlySet<string>;
  readonly #names: Set<string>;

  constructor(compiler: ExpressionCompiler, reserved: ReadonlySet<string>, names: Iterable<string> = reserved) {
    this.#compiler = compiler;
    this.#reserved = reserved;
    this.#names = new Set(names);
  }

  /** From now on there is something of the name that a node has. */
  define(node: TaskNode, name: string): void {
    if (name === "") return;
    if (this.#reserved.has(name)) node.problem("name", `${name} is taken by what every task knows`);
    this.#names.add(name);
  }

  /** The same, where one more name exists. */
  with(name: string): Language {
    return new Language(this.#compiler, this.#reserved, [...this.#names, name]);
  }

  knows(name: string): boolean {
    return this.#names.has(name);
  }

  template(node: TaskNode, key: string, text: string): Template {
    try {
      const template = new Template(text);
      for (const root of template.roots) {
        if (!this.#names.has(root)) node.problem(key, `the template uses .${root}, which nothing defines`);
      }
      return template;
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      node.problem(key, error.message);
      return new Template("");
    }
  }

  /** `isOpen`: names that only run time knows are allowed. */
  expression(node: TaskNode, key: string, isOpen: boolean = false): Expression {
    const text = node.required(key);
    return this.#compile(node, key, text === "" ? NOTHING : text, isOpen);
  }

  /** The expression below `when`, if there is one. */
  when(node: TaskNode, key: string = "when"): Expression | undefined {
    if (!node.has(key)) return undefined;
    const when = node.node(key);
    const expression = this.expression(when, "expression");
    when.end();
    return expression;
  }

  #compile(node: TaskNode, key: string, text: string, isOpen: boolean): Expression {
    const compiled = this.#compiler.compile(text, this.#names, isOpen);
    if (typeof compiled !== "string") return compiled;
    node.problem(key, compiled);
    return this.#compile(node, key, NOTHING, false);
  }

  path(node: TaskNode, key: string): FieldPath {
    const text = node.required(key);
    const path = fieldPath(text === "" ? "a" : text);
    if (typeof path !== "string") return path;
    node.problem(key, path);
    return { text, find: () => undefined };
  }

  /** A tree whose texts are templates. With `computes`, a mapping of `field` or `expression` is a value that is looked up. */
  tree(node: TaskNode, key: string, value: JsonValue, computes: boolean): TemplateTree {
    if (typeof value === "string") return { kind: "text", template: this.template(node, key, value) };
    if (Array.isArray(value)) {
      const items = value.map((item: JsonValue, index) => this.tree(node, `${key}[${index}]`, item, computes));
      return { kind: "list", items };
    }
    if (typeof value !== "object" || value === null) return { kind: "value", value };
    if (computes && isComputed(value)) return { kind: "computed", source: this.#computed(node.inner(key, value)) };
    const entries = Object.entries(value).map(([name, item]) => {
      return [this.template(node, key, name), this.tree(node, `${key}.${name}`, item, computes)] as const;
    });
    return { kind: "map", entries };
  }

  #computed(node: TaskNode): ComputedValue {
    node.oneOf(["field", "expression"]);
    const defaultValue = node.value("default");
    const from = node.has("field")
      ? ({ kind: "field", path: this.path(node, "field") } as const)
      : ({ kind: "expression", expression: this.expression(node, "expression") } as const);
    node.end();
    return { from, defaultValue };
  }
}

/** A mapping that has nothing but these keys, and a text where to look. */
function isComputed(value: object): boolean {
  const keys = Object.keys(value);
  const isText = (key: string): boolean =>
    typeof Object.entries(value).find(([name]) => name === key)?.[1] === "string";
  return (
    keys.every((key) => key === "field" || key === "expression" || key === "default") &&
    (isText("field") || isText("expression"))
  );
}
