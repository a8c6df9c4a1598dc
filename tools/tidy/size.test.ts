import { describe, expect, test } from "vitest";
import { reported } from "./fixture.ts";
import { scanFunctions } from "./function.ts";
import { checkSize, FILE_LINES_MAX, FUNCTION_LINES_MAX } from "./size.ts";
import { tokenize } from "./token.ts";

function filler(lines: number): string {
  return "f();\n".repeat(lines);
}

describe("files", () => {
  test("may have at most 400 lines", () => {
    expect(reported(checkSize, { "a.ts": filler(FILE_LINES_MAX), "b.md": filler(999) })).toEqual([]);
    expect(reported(checkSize, { "a.ts": filler(FILE_LINES_MAX + 1) })).toEqual([
      "a.ts:401 has 401 lines, more than 400",
    ]);
  });
});

describe("functions", () => {
  const heads = [
    ["function a(b: { c: string }): { d: string } {", "}", "a"],
    ["export async function* a<B extends { c: string }>(b: B): AsyncGenerator<B, void> {", "}", "a"],
    ["export const a = async (b: string): Promise<void> => {", "};", "a"],
    ["const a = (b: string) => c(b, () => {", "});", "a"],
    ["class A { a(b: string): Map<string, { c: string }> {", "} }", "a"],
    ["class A { static async #a() {", "} }", "#a"],
    ["class A { get a(): string {", "} }", "a"],
    ["class A { constructor(b: string) {", "} }", "constructor"],
    ["class A { async [Symbol.asyncDispose](): Promise<void> {", "} }", "[…]"],
    ["const b = { a(c) {", "} };", "a"],
    ["const b = { a: (c) => {", "} };", "a"],
  ] as const;

  test.for(heads)("%s … %s is a function", ([head, tail, name]) => {
    const long = `${head}\n${filler(FUNCTION_LINES_MAX - 1)}${tail}\n`;
    const fits = `${head}\n${filler(FUNCTION_LINES_MAX - 2)}${tail}\n`;
    expect(reported(checkSize, { "a.ts": fits })).toEqual([]);
    expect(reported(checkSize, { "a.ts": long })).toContain(`a.ts:1 the function ${name} has 71 lines, more than 70`);
  });

  test.for([
    ["class A {", "}"],
    ["interface A {", "}"],
    ["const a = {", "};"],
    ["if (a) {", "}"],
    ["for await (const a of b) {", "}"],
    ["switch (a) { case f(b): {", "} }"],
    ["// function a() {", ""],
    ["const a = `function a() {", "}`;"],
    ["/* const a = () => {", "} */"],
  ] as const)("%s … %s is not a function", ([head, tail]) => {
    expect(reported(checkSize, { "a.ts": `${head}\n${filler(FUNCTION_LINES_MAX)}${tail}\n` })).toEqual([]);
  });

  test("a function type is not a function", () => {
    const spans = scanFunctions(tokenize("function a(): (b: string) => void {\n\n}\nf();\n"));
    expect(spans.map(({ name, line, endLine }) => [name, line, endLine])).toEqual([["a", 1, 3]]);
  });

  test("callbacks in tests may be longer, functions in tests may not", () => {
    const callback = `describe("a", () => {\n${filler(FUNCTION_LINES_MAX)}});\n`;
    const helper = `function a() {\n${filler(FUNCTION_LINES_MAX)}}\n`;
    expect(reported(checkSize, { "a.test.ts": callback })).toEqual([]);
    expect(reported(checkSize, { "a.ts": callback })).toHaveLength(1);
    expect(reported(checkSize, { "a.test.ts": helper })).toHaveLength(1);
  });
});
