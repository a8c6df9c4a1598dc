import { expect, test } from "vitest";
import { celEnvironment } from "../environment.ts";
import { celLibraries } from "../library/index.ts";
import {
  CEL_BOOL,
  CEL_DYN,
  CEL_INT,
  CEL_STRING,
  celType,
  formatType,
  listType,
  mapType,
  structType,
} from "../value/index.ts";

const ITEM = structType(
  "Item",
  new Map([
    ["name", { type: CEL_STRING }],
    ["count", { type: CEL_INT }],
  ]),
);

const ENVIRONMENT = celEnvironment({
  variables: {
    self: structType("Self", new Map([["items", { type: listType(ITEM) }]])),
    labels: mapType(CEL_STRING, CEL_STRING),
    any: CEL_DYN,
    ok: CEL_BOOL,
    maybe: celType.optional(CEL_INT),
  },
  libraries: celLibraries.all,
});

function checked(text: string): string {
  const compiled = ENVIRONMENT.compile(text);
  if (compiled.kind === "program") return formatType(compiled.program.type);
  return compiled.issues.map(({ line, column, message }) => `${line}:${column}: ${message}`).join("\n");
}

test.each([
  ["1 + 2", "int"],
  ["self.items.map(i, i.name)", "list(string)"],
  ["self.items.filter(i, i.count > 1)[0]", "Item"],
  ["self.items.transformMap(i, v, v.count)", "map(int, int)"],
  ["labels.exists(k, k == 'a')", "bool"],
  ["labels.?app.orValue('none')", "string"],
  ["labels[?'app']", "optional_type(string)"],
  ["maybe.optMap(m, string(m))", "optional_type(string)"],
  ["cel.bind(n, size(self.items), n + n)", "int"],
  ["ok ? [] : [1]", "list(int)"],
  ["[1, 'a']", "list(dyn)"],
  ["{}", "map(dyn, dyn)"],
  ["any.whatever[0].more", "dyn"],
  ["type(1)", "type(int)"],
  ["self.items.sortBy(i, i.name).map(i, i.count).sum()", "int"],
  ["[duration('1s')].max()", "google.protobuf.Duration"],
  ["quantity('1').add(2).isLessThan(quantity('3'))", "bool"],
  ["math.greatest(1, 2)", "int"],
  ["math.greatest(1, 2.0)", "dyn"],
])("%s is of type %s", (text, type) => {
  expect(checked(text)).toBe(type);
});

test.each([
  ["absent", "1:1: undeclared reference to 'absent' (in container '')"],
  ["self.things", "1:5: undefined field 'things'"],
  ["1 + 'a'", "1:3: found no matching overload for '_+_' applied to '(int, string)'"],
  ["'a'.matches(1)", "1:12: found no matching overload for 'matches' applied to 'string.(int)'"],
  ["ok && 1", "1:7: expected type 'bool' but found 'int'"],
  ["ok.name", "1:3: type 'bool' does not support field selection"],
  [
    "1.all(x, true)",
    "1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
  ],
  ["self.items.all(i, i.name)", "1:20: expected type 'bool' but found 'string'"],
  ["ok ? 1 : 'a'", "1:4: found no matching overload for '_?_:_' applied to '(bool, int, string)'"],
  ["nothing(1)", "1:8: undeclared reference to 'nothing' (in container '')"],
  ["Item{name: 'a'}", "1:5: undeclared reference to 'Item' (in container '')"],
  ["{[1]: 2}", "1:2: unsupported key type: 'list(int)'"],
  ["[?1]", "1:3: expected type 'optional_type' but found 'int'"],
  [
    "absent + 1 > other",
    "1:1: undeclared reference to 'absent' (in container '')\n1:14: undeclared reference to 'other' (in container '')",
  ],
])("%s is rejected", (text, message) => {
  expect(checked(text)).toBe(message);
});

test("an issue shows the line with a mark below the place", () => {
  const compiled = ENVIRONMENT.compile("ok &&\n  self.thin");
  expect(compiled.kind === "issues" && compiled.issues[0]?.text).toBe(
    "ERROR: <input>:2:7: undefined field 'thin'\n |   self.thin\n | ......^",
  );
});
