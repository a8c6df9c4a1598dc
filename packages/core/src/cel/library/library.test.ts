import { describe, expect, test } from "vitest";
import { celEnvironment } from "../environment.ts";
import { CelError, toJson } from "../value/index.ts";
import type { CelValue } from "../value/index.ts";
import { celLibraries } from "./libraries.ts";

const ENVIRONMENT = celEnvironment({ libraries: celLibraries.all });

/** Returns the result of an expression, checked and unchecked: both must be equal. */
function value(text: string): unknown {
  const outcomes = (["checked", "unchecked"] as const).map((mode) => {
    const compiled = ENVIRONMENT.compile(text, { mode });
    if (compiled.kind === "issues") throw new Error(compiled.issues.map((issue) => issue.text).join("\n"));
    const result = compiled.program.evaluate();
    return result.kind === "value" ? toJson(result.value) : `error: ${result.error.message}`;
  });
  expect(outcomes[1]).toEqual(outcomes[0]);
  return outcomes[0];
}

describe("quantities", () => {
  test.each<[string, unknown]>([
    ["quantity('1.5Gi').isGreaterThan(quantity('1500Mi'))", true],
    ["quantity('500m').add(quantity('1500m')) == quantity('2')", true],
    ["quantity('2').sub(1).compareTo(quantity('1000m'))", 0],
    ["quantity('-3').sign()", -1],
    ["quantity('10k').asInteger()", 10_000],
    ["quantity('1.5').isInteger()", false],
    ["quantity('1.5').asInteger()", "error: cannot convert value to integer"],
    ["quantity('50k').asApproximateFloat()", 50_000],
    ["isQuantity('1Gi') && !isQuantity('1 Gi')", true],
    ["quantity('x').sign() == 0 || true", true],
    ["string(quantity('1024Ki'))", "1Mi"],
  ])("%s", (text, expected) => {
    expect(value(text)).toEqual(expected);
  });
});

describe("addresses, networks and URLs", () => {
  test.each<[string, unknown]>([
    ["ip('192.168.0.1').family()", 4],
    ["ip('::1').isLoopback()", true],
    ["isIP('::ffff:1.2.3.4')", false],
    ["ip.isCanonical('2001:DB8::1')", false],
    ["string(ip('2001:DB8::1'))", "2001:db8::1"],
    ["ip('10.0.0.1') == ip('10.0.0.1')", true],
    ["cidr('10.0.0.0/8').containsIP('10.1.2.3')", true],
    ["cidr('10.0.0.0/8').containsIP(ip('11.1.2.3'))", false],
    ["cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", true],
    ["string(cidr('10.1.2.3/8').masked())", "10.0.0.0/8"],
    ["cidr('10.1.2.3/8').prefixLength()", 8],
    ["cidr('10.1.2.3/8').ip() == ip('10.1.2.3')", true],
    ["isCIDR('10.0.0.0/33')", false],
    ["url('https://a.example:80/p%20q?x=1&x=2#f').getHost()", "a.example:80"],
    ["url('https://a.example:80/p%20q?x=1&x=2').getQuery()['x']", ["1", "2"]],
    ["url('https://a.example:80/p').getPort() + url('https://[::1]/').getHostname()", "80::1"],
    ["isURL('../relative')", false],
  ])("%s", (text, expected) => {
    expect(value(text)).toEqual(expected);
  });

  test("invalid strings give errors, not exceptions", () => {
    expect(value("ip('x').family()")).toMatch(/^error: .*parse error/);
    expect(value("cidr('x').prefixLength()")).toMatch(/^error: /);
    expect(value("url('x').getHost()")).toMatch(/^error: URL parse error/);
  });
});

describe("named formats", () => {
  test.each<[string, unknown]>([
    ["format.dns1123Label().validate('abc').hasValue()", false],
    ["format.dns1123Label().validate('A_b').hasValue()", true],
    ["format.named('uuid').value().validate('x').value()", ["does not match the UUID format"]],
    ["format.named('nothing').hasValue()", false],
  ])("%s", (text, expected) => {
    expect(value(text)).toEqual(expected);
  });
});

describe("lists and sets", () => {
  test.each<[string, unknown]>([
    ["[1, 2, 2].isSorted() && !['b', 'a'].isSorted()", true],
    ["[1, 2, 3].sum() + [4].max() + [5, 6].min()", 15],
    ["[1.5, 2.5].sum()", 4],
    ["[duration('1s'), duration('2s')].sum() == duration('3s')", true],
    ["['a', 'b', 'a'].indexOf('a') + ['a', 'b', 'a'].lastIndexOf('a')", 2],
    ["['a'].indexOf('c')", -1],
    ["[3, 1, 2].sort()", [1, 2, 3]],
    ["['bb', 'a'].sortBy(x, size(x))", ["a", "bb"]],
    ["[1, 1.0, 1u, 2, [1], [1.0], 'a', 'a'].distinct()", [1, 2, [1], "a"]],
    ["[1, 2, 3, 4].slice(1, 3)", [2, 3]],
    ["[1, 2].slice(1, 3)", "error: cannot slice(1, 3), list is length 2"],
    ["[[1], [2, [3]]].flatten()", [1, 2, [3]]],
    ["dyn([[1], [2, [3, [4]]]]).flatten(2)", [1, 2, 3, [4]]],
    ["lists.range(3)", [0, 1, 2]],
    ["lists.range(100001)", "error: lists.range() is limited to 100000"],
    ["[1, 2, 3].reverse()", [3, 2, 1]],
    ["sets.contains([1, 2u, 3.0], [3, 1])", true],
    ["sets.equivalent([1, 1, 2], [2u, 1])", true],
    ["sets.intersects([1], [2])", false],
    ["{'b': 1}.transformMapEntry(k, v, {v: k})", { "1": "b" }],
    ["[1, 2].transformMapEntry(i, v, {'k': v})", "error: Failed with repeated key: k"],
  ])("%s", (text, expected) => {
    expect(value(text)).toEqual(expected);
  });

  test("an empty list has no minimum, and a sum of zero", () => {
    expect(value("[1].filter(x, x > 1).min()")).toBe("error: min called on empty list");
    expect(value("[1].filter(x, x > 1).sum()")).toBe(0);
  });
});

describe("texts", () => {
  test.each<[string, unknown]>([
    ["'abc 123 def 456'.find('[0-9]+')", "123"],
    ["'abc'.find('x')", ""],
    ["'a1b2c3'.findAll('[0-9]')", ["1", "2", "3"]],
    ["'a1b2c3'.findAll('[0-9]', 2)", ["1", "2"]],
    ["'baac'.findAll('a*')", ["", "aa", ""]],
    ["'\u{1f600}a'.indexOf('a')", 1],
    ["size('\u{1f600}')", 1],
    ["'\u{1f600}b'.reverse()", "b\u{1f600}"],
    ["'%d%% of %s'.format([50, {'b': [1.5], 'a': null}])", "50% of {a: null, b: [1.5]}"],
    ["'aXbX'.replace('X', '-', 1)", "a-bX"],
    ["'abc'.replace('', '.')", ".a.b.c."],
    ["string(1e21) + ' ' + string(1.0) + ' ' + string(0.00001)", "1e+21 1 1e-05"],
    ["timestamp('2024-07-01T00:00:00Z').getHours('Europe/Berlin')", 2],
    ["timestamp('2024-07-01T5:00:00Z').getHours()", 5],
    ["timestamp('2024-07-01t00:00:00z')", 'error: invalid timestamp: "2024-07-01t00:00:00z"'],
    ["timestamp('9999-12-31T23:59:59-01:00')", "error: timestamp out of range"],
    ["duration('1.5h') == duration('90m')", true],
    ["duration('300y')", 'error: invalid duration: "300y"'],
    ["duration('2562048h')", 'error: invalid duration: "2562048h"'],
    ["timestamp('2024-07-01T00:00:00Z').getMinutes('-05:30')", 30],
    ["timestamp('2024-07-01T00:00:00Z').getHours('Z')", 'error: unknown time zone "Z"'],
    ["timestamp('2024-07-01T00:00:00Z').getHours('Nowhere/Atall')", 'error: unknown time zone "Nowhere/Atall"'],
  ])("%s", (text, expected) => {
    expect(value(text)).toEqual(expected);
  });

  test("the result of a call is charged", () => {
    const compiled = ENVIRONMENT.compile("lists.range(1000).map(i, lists.range(100000))");
    const result = compiled.kind === "program" ? compiled.program.evaluate() : undefined;
    expect(result?.kind === "error" && result.error.message).toContain("cost limit exceeded");
  });
});

test("a custom library adds functions, and overloads to existing ones", () => {
  const isText = (each: CelValue): each is string => typeof each === "string";
  const environment = celEnvironment({
    libraries: [
      {
        name: "own",
        functions: [
          [
            "shout",
            [
              {
                id: "shout_string",
                isMember: true,
                parameters: [{ type: { kind: "string" }, admits: isText }],
                result: { kind: "string" },
                cost: "scan",
                call: (text) => (isText(text) ? text.toUpperCase() : new CelError("no text")),
                specialize: undefined,
              },
            ],
          ],
        ],
      },
    ],
  });
  const compiled = environment.compile("'a'.shout()");
  expect(compiled.kind === "program" && compiled.program.evaluate()).toMatchObject({ kind: "value", value: "A" });
});
