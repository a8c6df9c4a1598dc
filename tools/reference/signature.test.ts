import { expect, test } from "vitest";
import { signaturesOf } from "./signature.ts";

const codeOf = (text: string, name: string): string | undefined => signaturesOf("a.ts", text).get(name)?.code;

test("a function is shown without its body and without comments", () => {
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
