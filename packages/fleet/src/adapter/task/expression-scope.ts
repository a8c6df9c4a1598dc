import type { JsonValue } from "@levelset/core";
import type { Expression, ExpressionCompiler } from "../expression/index.ts";
import { Template, TemplateError } from "../template/index.ts";
import { parseFieldPath } from "./field-path.ts";
import type { TaskNode } from "./task-node.ts";
import type { ComputedValue, TaskFieldPath, TemplateTree } from "./task.ts";

/** Placeholder for an expression that does not compile, so that reading continues and finds more problems. */
const PLACEHOLDER = "null";

/**
 * Compiles templates, expressions and paths, each against the names that exist at its location. An undefined name is a
 * problem of the configuration, not of the first pulse.
 */
export class ExpressionScope {
  readonly #compiler: ExpressionCompiler;
  /** Built-in names that cannot be redefined. */
  readonly #reserved: ReadonlySet<string>;
  readonly #names: Set<string>;

  constructor(compiler: ExpressionCompiler, reserved: ReadonlySet<string>, names: Iterable<string> = reserved) {
    this.#compiler = compiler;
    this.#reserved = reserved;
    this.#names = new Set(names);
  }

  /** Defines the name of a node for everything after it. */
  define(node: TaskNode, name: string): void {
    if (name === "") return;
    if (this.#reserved.has(name)) node.problem("name", `${name} is a reserved name`);
    this.#names.add(name);
  }

  /** Returns a scope with one more name. */
  extend(name: string): ExpressionScope {
    return new ExpressionScope(this.#compiler, this.#reserved, [...this.#names, name]);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  template(node: TaskNode, key: string, text: string): Template {
    try {
      const template = new Template(text);
      for (const root of template.roots) {
        if (!this.#names.has(root)) node.problem(key, `the template uses the undefined variable .${root}`);
      }
      return template;
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      node.problem(key, error.message);
      return new Template("");
    }
  }

  /** With `isOpen`, names known only at run time are allowed. */
  expression(node: TaskNode, key: string, isOpen: boolean = false): Expression {
    const text = node.required(key);
    return this.#compile(node, key, text === "" ? PLACEHOLDER : text, isOpen);
  }

  /** Compiles the expression below `when`, if there is one. */
  when(node: TaskNode, key: string = "when"): Expression | undefined {
    if (!node.has(key)) return undefined;
    const when = node.node(key);
    const expression = this.expression(when, "expression");
    when.rejectUnknown();
    return expression;
  }

  #compile(node: TaskNode, key: string, text: string, isOpen: boolean): Expression {
    const compiled = this.#compiler.compile(text, this.#names, isOpen);
    if (typeof compiled !== "string") return compiled;
    node.problem(key, compiled);
    return this.#compile(node, key, PLACEHOLDER, false);
  }

  path(node: TaskNode, key: string): TaskFieldPath {
    const text = node.required(key);
    const path = parseFieldPath(text === "" ? "a" : text);
    if (typeof path !== "string") return path;
    node.problem(key, path);
    return { text, find: () => undefined };
  }

  /**
   * Compiles a tree whose strings are templates. With `computes`, a mapping of `field` or `expression` is a computed
   * value.
   */
  tree(node: TaskNode, key: string, value: JsonValue, computes: boolean): TemplateTree {
    if (typeof value === "string") return { kind: "text", template: this.template(node, key, value) };
    if (Array.isArray(value)) {
      const items = value.map((item: JsonValue, index) => this.tree(node, `${key}[${index}]`, item, computes));
      return { kind: "list", items };
    }
    if (typeof value !== "object" || value === null) return { kind: "value", value };
    if (computes && isComputed(value)) return { kind: "computed", source: this.#computed(node.child(key, value)) };
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
    node.rejectUnknown();
    return { from, defaultValue };
  }
}

/** Returns whether a mapping has only these keys and a string for `field` or `expression`. */
function isComputed(value: object): boolean {
  const keys = Object.keys(value);
  const isText = (key: string): boolean =>
    typeof Object.entries(value).find(([name]) => name === key)?.[1] === "string";
  return (
    keys.every((key) => key === "field" || key === "expression" || key === "default") &&
    (isText("field") || isText("expression"))
  );
}
