import { expect, test } from "vitest";
import { signaturesOf } from "./signature.ts";

const codeOf = (text: string, name: string): string | undefined => signaturesOf("a.ts", text).get(name)?.code;

test("a function is shown without its body and without line comments", () => {
  const text =
    "/** Doubles. */\nexport function double(\n  // The number.\n  a: number,\n): number {\n  return 2 * a;\n}";
  expect(codeOf(text, "double")).toBe("function double(\n  a: number,\n): number");
});

test("of an overloaded function, the overloads are shown and the implementation is not", () => {
  const text = `export function id(a: string): string;\nexport function id(a: number): number;
export function id(a: unknown): unknown { return a; }`;
  expect(codeOf(text, "id")).toBe("function id(a: string): string;\nfunction id(a: number): number;");
});

test("a class is shown with its public members only, without bodies and values", () => {
  const text = `export class Box<T> extends Base {
  #hidden = 1;
  private secret = 2;
  readonly size: number = 3;
  constructor(value: T) { super(); }
  get value(): T { return this.#hidden; }
  async open(key: string): Promise<T> { return key; }
  #lock(): void {}
}`;
  expect(codeOf(text, "Box")).toBe(
    "class Box<T> extends Base {\n  readonly size: number;\n  constructor(value: T);\n  get value(): T;\n  async open(key: string): Promise<T>;\n}",
  );
});

test("a constant is shown with its type, its literal value, or the function that creates it", () => {
  const text = "export const limit: number = compute();\nexport const MAX = 7;\nexport const Pod = builtIn({ a: 1 });";
  expect(["limit", "MAX", "Pod"].map((name) => codeOf(text, name))).toEqual([
    "const limit: number",
    "const MAX = 7",
    "const Pod = builtIn(…)",
  ]);
});

test("the summary is the first sentence of the doc comment", () => {
  const text = "/**\n * Reads `a.b` of\n * a file. Throws otherwise.\n */\nexport type A = string;";
  expect(signaturesOf("a.ts", text).get("A")?.summary).toBe("Reads `a.b` of a file.");
});

test("a summary ends at the end of its sentence, not at a colon or within code", () => {
  const text = "/** Prints like `echo -n. ` of {@link B}: one line. Never two. */\nexport type A = string;";
  expect(signaturesOf("a.ts", text).get("A")?.summary).toBe("Prints like `echo -n. ` of `B`: one line.");
});

test("a summary ends before an empty line of the comment", () => {
  const text = "/**\n * Creates a box:\n *\n *     box({ a: 1 });\n *\n * Others fail. */\nexport type A = string;";
  expect(signaturesOf("a.ts", text).get("A")?.summary).toBe("Creates a box.");
});

test("members keep the first sentence of their doc comments, and lose other comments", () => {
  const members =
    "/** Size of {@link Box}. At most 7. */\n  readonly size: number;\n\n  // Internal.\n  open: boolean;";
  const shown = "/** Size of `Box`. */\n  readonly size: number;\n  open: boolean;";
  expect(codeOf(`export interface Box {\n  ${members}\n}`, "Box")).toBe(`interface Box {\n  ${shown}\n}`);
  expect(codeOf(`export type Box = {\n  ${members}\n};`, "Box")).toBe(`type Box = {\n  ${shown}\n};`);
  expect(codeOf(`export class Box {\n  ${members}\n}`, "Box")).toBe(`class Box {\n  ${shown}\n}`);
});

test("abstract members of a class are shown", () => {
  const text = `export abstract class Box {
  abstract readonly size: number;
  abstract get(key: string): unknown;
  protected abstract open(): void;
}`;
  expect(codeOf(text, "Box")).toBe(
    "abstract class Box {\n  abstract readonly size: number;\n  abstract get(key: string): unknown;\n}",
  );
});

test("of an overloaded method, the overloads are shown and the implementation is not", () => {
  const text = `export class Box {
  get(
    key: string,
  ): string;
  get(key: number): number;
  async get(key: unknown): unknown { return key; }
}`;
  expect(codeOf(text, "Box")).toBe(
    "class Box {\n  get(\n    key: string,\n  ): string;\n  get(key: number): number;\n}",
  );
});

test("constants and fields without a type annotation show their type assertion or their literal value", () => {
  const text = `export const WORDS = ["a", "b"] as const;
export const Crd = declared as Kind as Kind<Crd>;
export const rule = { a: 1 } satisfies Rule;
export class Box {
  readonly kind = "box";
  readonly modes = ["r", "w"] as const;
}`;
  expect(["WORDS", "Crd", "rule", "Box"].map((name) => codeOf(text, name))).toEqual([
    'const WORDS = ["a", "b"] as const',
    "const Crd: Kind<Crd>",
    "const rule: Rule",
    'class Box {\n  readonly kind = "box";\n  readonly modes = ["r", "w"] as const;\n}',
  ]);
});

test("a constant and a type of the same name are both shown", () => {
  const text = "/** A pod. */\nexport const Pod = kind({});\n/** Its type. */\nexport type Pod = typeof Pod;";
  expect(signaturesOf("a.ts", text).get("Pod")).toEqual({
    group: "constants",
    summary: "A pod.",
    code: "const Pod = kind(…)\ntype Pod = typeof Pod;",
  });
});
