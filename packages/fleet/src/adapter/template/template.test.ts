import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TemplateError } from "./template-error.ts";
import { OUTPUT_MAX } from "./execute.ts";
import { TEMPLATE_VECTORS, VECTOR_DATA, VECTOR_TIME } from "./template.fixture.ts";
import { Template } from "./template.ts";

const WORLD = { now: () => VECTOR_TIME };

/** Renders a template; null if parsing or execution fails. */
function rendered(text: string): string | null {
  try {
    return new Template(text).render(VECTOR_DATA, WORLD);
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }
}

test.each(TEMPLATE_VECTORS)("%j gives %j, as in Go", (text, expected) => {
  expect(rendered(text)).toBe(expected);
});

describe("an error names the line", () => {
  test.each([
    ["a\n{{.missing}}", 'line 2 of the template: map has no entry for key "missing"'],
    ["a\nb\n{{nothing}}", 'line 3 of the template: function "nothing" is not defined'],
    ["{{eq .n 5}}", "line 1 of the template: error calling eq: incompatible types for comparison: float64 and int"],
    ["\n{{define `x`}}{{end}}", "line 2 of the template: {{define}} is not supported"],
    ['{{ .name | "x" }}', "line 1 of the template: only a function takes arguments"],
  ])("%j", (text, message) => {
    expect(() => new Template(text).render(VECTOR_DATA, WORLD)).toThrow(message);
  });
});

test("properties inherited from the JavaScript runtime are not map entries", () => {
  for (const key of ["constructor", "__proto__", "toString"]) {
    expect(rendered(`{{.${key}}}`)).toBeNull();
    expect(rendered(`{{index .map "${key}"}}`)).toBe("<no value>");
  }
});

test("a template cannot exceed its output limit", () => {
  const much = `${"{{range 1000}}".repeat(3)}${"x".repeat(OUTPUT_MAX / 1_000_000 + 1)}${"{{end}}".repeat(3)}`;
  expect(() => new Template(much).render({}, WORLD)).toThrow("more than");
});

test("the limit applies to values behind placeholders too", () => {
  const data = { long: "x".repeat(OUTPUT_MAX / 1_000), list: Array.from({ length: 1_001 }, () => "a") };
  const template = new Template("{{range .list}}{{$.long}}{{end}}");
  expect(() => template.render(data, WORLD, () => "?")).toThrow("more than");
  expect(template.render({ ...data, list: ["a", "b"] }, WORLD, () => "?")).toBe("??");
});

test("the data keys that a template reads are known before it runs", () => {
  const template = new Template(
    "{{.a.b}} {{if .c}}{{.d}}{{else}}{{(upper .e).x}}{{end}} {{range .f}}{{.g}}{{$.h}}{{end}} {{with .i}}{{.j}}{{end}}",
  );
  expect([...template.roots].toSorted()).toEqual(["a", "c", "d", "e", "f", "h", "i"]);
});

test("any text is either a template or rejected with a TemplateError", () => {
  const part = fc.oneof(
    fc.constantFrom(
      "{{",
      "}}",
      "{{-",
      "-}}",
      "{{/*",
      "*/}}",
      "if ",
      "range ",
      "end",
      "else ",
      ".n",
      "$x",
      ":=",
      "|",
      "(",
      ")",
      '"a"',
      "1e9",
      "'x'",
      " ",
    ),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const output = rendered(parts.join(""));
      expect(output === null || typeof output === "string").toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
