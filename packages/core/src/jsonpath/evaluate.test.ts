import * as fc from "fast-check";
import { expect, test } from "vitest";
import { deepFreeze } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { compileJsonPath } from "./compile.ts";
import { evaluateJsonPath } from "./evaluate.ts";

function find(text: string, data: JsonValue): readonly JsonValue[] {
  return evaluateJsonPath(compileJsonPath(text), deepFreeze(data));
}

const nodes: JsonValue = {
  kind: "List",
  items: [
    {
      metadata: { name: "n1", labels: { "kubernetes.io/hostname": "h1", zone: "a" } },
      status: { ready: true, capacity: { cpu: 4 }, addresses: [{ type: "InternalIP", address: "10.0.0.1" }] },
    },
    {
      metadata: { name: "n2", labels: { "kubernetes.io/hostname": "h2" } },
      status: {
        ready: false,
        capacity: { cpu: 8 },
        addresses: [
          { type: "InternalIP", address: "10.0.0.2" },
          { type: "ExternalIP", address: "1.2.3.4" },
        ],
      },
    },
  ],
};

test.each<[string, readonly JsonValue[]]>([
  [".kind", ["List"]],
  ["{.items[0].metadata.name}", ["n1"]],
  ["items[-1].metadata.name", ["n2"]],
  [".items[*].metadata.name", ["n1", "n2"]],
  [".items.*.metadata.name", ["n1", "n2"]],
  [".items[*].status.addresses[*].address", ["10.0.0.1", "10.0.0.2", "1.2.3.4"]],
  [".items[*].metadata.labels.zone", ["a"]],
  [String.raw`.items[0].metadata.labels.kubernetes\.io/hostname`, ["h1"]],
  [".items[0].metadata.labels['kubernetes.io/hostname']", ["h1"]],
  [String.raw`.items[0].metadata.labels["kubernetes\.io/hostname"]`, ["h1"]],
  [".items[*]['metadata.name']", ["n1", "n2"]],
  [".items[*]['metadata.name', 'status.capacity']", ["n1", "n2", { cpu: 4 }, { cpu: 8 }]],
  ["..name", ["n1", "n2"]],
  ["...name", ["n1", "n2"]],
  ["..addresses[0].address", ["10.0.0.1", "10.0.0.2"]],
  ["..['address']", ["10.0.0.1", "10.0.0.2", "1.2.3.4"]],
  ['.items[?(@.metadata.name=="n2")].status.capacity.cpu', [8]],
  [".items[?(@.metadata.name=='n2')].status.addresses[?(@.type==\"ExternalIP\")].address", ["1.2.3.4"]],
  [String.raw`.items[?(@.metadata.labels.kubernetes\.io/hostname=="h1")].metadata.name`, ["n1"]],
  [".items[?(@.status.ready==true)].metadata.name", ["n1"]],
  [".items[?(@.status.ready!=true)].metadata.name", ["n2"]],
  [".items[?(@..ready==true)].metadata.name", ["n1"]],
  [".items[?(@.metadata.labels.zone)].metadata.name", ["n1"]],
  [".items[?(@.status.capacity.cpu>4)].metadata.name", ["n2"]],
  [".items[?(@.status.addresses[?(@.type=='ExternalIP')])].metadata.name", ["n2"]],
  [".items[0].status.addresses.*.*", ["InternalIP", "10.0.0.1"]],
])("%s finds %j", (text, found) => {
  expect(find(text, nodes)).toEqual(found);
});

test.each([
  ".missing",
  ".kind.missing",
  ".kind[0]",
  ".kind.length",
  ".items.length",
  ".items[2]",
  ".items[-3]",
  ".items[0].status[*]",
  ".items[0].status[?(@.cpu)]",
  ".items[?(@.missing)]",
  '.items[?(@.missing!="x")]',
  ".items[?(@.kind==@.missing)]",
  ".constructor",
  "..toString",
])("%s finds no values without an error", (text) => {
  expect(find(text, nodes)).toEqual([]);
});

test("conditions are found by type, as in printer columns", () => {
  const status = {
    conditions: [
      { type: "Synced", status: "False" },
      { type: "Ready", status: "True" },
    ],
  };
  expect(find('.status.conditions[?(@.type=="Ready")].status', { status })).toEqual(["True"]);
  expect(find('.status.conditions[?(@.type=="Ready")].status', {})).toEqual([]);
});

test.each<[string, readonly JsonValue[]]>([
  ["[0]", [0]],
  ["[-1]", [4]],
  ["[1:3]", [1, 2]],
  ["[:2]", [0, 1]],
  ["[3:]", [3, 4]],
  ["[-2:]", [3, 4]],
  ["[:-3]", [0, 1]],
  ["[::2]", [0, 2, 4]],
  ["[1::2]", [1, 3]],
  ["[1:1]", []],
  ["[3:1]", []],
  ["[3:99]", [3, 4]],
  ["[5]", []],
  ["[-6]", []],
  ["[0,3,9]", [0, 3]],
  ["[?(@<2)]", [0, 1]],
  ["[?(@<=2)]", [0, 1, 2]],
  ["[?(@>3)]", [4]],
  ["[?(@>=3)]", [3, 4]],
  ["[?(@==2)]", [2]],
  ["[?(@!=2)]", [0, 1, 3, 4]],
  ["[?(2<@)]", [3, 4]],
  ["[?(@)]", [0, 1, 2, 3, 4]],
  ['[?(@=="2")]', []],
  ['[?(@!="2")]', []],
])("of the numbers 0 to 4, %s selects %j", (text, found) => {
  expect(find(text, [0, 1, 2, 3, 4])).toEqual(found);
});

test("strings are compared as text and large integers exactly", () => {
  expect(find("[?(@>='b')]", ["a", "b", "c"])).toEqual(["b", "c"]);
  expect(find("[?(@==9007199254740993)]", [9_007_199_254_740_992, 9_007_199_254_740_993n])).toEqual([2n ** 53n + 1n]);
  expect(find("[?(@==5)]", [5, 5n, 5.5])).toEqual([5, 5n]);
});

test("booleans are not ordered, and null equals no value but exists", () => {
  expect(find("[?(@<true)]", [false, true])).toEqual([]);
  expect(
    find("[?(@.x==@.x)].n", [
      { n: 1, x: null },
      { n: 2, x: 1 },
    ]),
  ).toEqual([2]);
  expect(find("[?(@.x)].n", [{ n: 1, x: null }, { n: 2 }])).toEqual([1]);
});

test("a comparison with several values fails", () => {
  expect(find("[?(@.a[*]==1)]", [{ a: [1] }, { a: [1, 1] }, { a: [] }])).toEqual([{ a: [1] }]);
});

test("a member that is null or false is found", () => {
  expect(find(".a", { a: null })).toEqual([null]);
  expect(find(".a", { a: false })).toEqual([false]);
});

test("a quoted key is looked up as one key first, then as a path", () => {
  expect(find("['a.b']", { "a.b": 1, a: { b: 2 } })).toEqual([1]);
  expect(find("['a.b']", { a: { b: 2 } })).toEqual([2]);
  expect(find(String.raw`['a\.b']`, { a: { b: 2 } })).toEqual([]);
});

test("recursive descent visits parents first and skips empty values", () => {
  expect(find("..", { a: [1, {}], b: { c: "x" }, d: [] })).toEqual([
    { a: [1, {}], b: { c: "x" }, d: [] },
    [1, {}],
    { c: "x" },
  ]);
  expect(find("..*", { a: [1], b: 2 })).toEqual([[1], 2, 1]);
});

test("a key named __proto__ is found as data only", () => {
  expect(find(".__proto__", {})).toEqual([]);
  expect(find(".__proto__.a", { ["__proto__"]: { a: 1 } })).toEqual([1]);
});

test("the number of visited values is limited", () => {
  let nested: JsonValue = 1;
  for (let level = 0; level < 200; level += 1) nested = { a: nested };
  expect(() => find("..a..a..a..a", nested)).toThrow("JSONPath: the path visits more than 1000000 values");
});

test("the path of any member finds the member", () => {
  const value = fc.oneof(fc.string(), fc.nat(), fc.constant(null), fc.array(fc.boolean()));
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), value), (data) => {
      for (const [key, value] of Object.entries(data)) {
        const escaped = key.replaceAll(/[^a-z]/gu, String.raw`\$&`);
        expect(find(`.${escaped}`, data)).toEqual([value]);
        expect(find(`{['${escaped}']}`, data)).toEqual([value]);
      }
    }),
  );
});
