import fc from "fast-check";

/** Strings that are known to break software. */
const NASTY_WORDS: readonly string[] = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "..",
  ".",
  "%2e%2e",
  "%00",
  "%2f",
  "%zz",
  "a/b",
  "a\u0000b",
  "\uD800",
  "\u202E",
  "é".repeat(100),
  "a".repeat(64),
  "a".repeat(254),
  "x".repeat(5000),
  "-a",
  "A",
  "null",
  "0",
  "-1",
  "1e400",
  "NaN",
  "9007199254740993",
  "99999999999999999999999999",
  "",
  " ",
  "\n",
  "a=b,c",
  "$patch",
  "{}",
  "[]",
];

/** Generates a hostile string. */
export const hostileString: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...NASTY_WORDS),
  fc.string({ unit: "binary", maxLength: 12 }),
);

/** Generates a name, mostly from a small set, so that requests hit existing objects. */
export const objectName: fc.Arbitrary<string> = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom("a", "b", "c", "default", "kube-system") },
  { weight: 1, arbitrary: hostileString },
);

/** Generates arbitrary JSON with hostile keys and values. */
export const hostileJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: false },
    fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER + 2, "", "x", [], {}),
    hostileString,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(hostileString, fc.constantFrom("metadata", "spec", "name", "status")), tie("value"), {
      maxKeys: 4,
    }),
  ),
})).value;

/** Unusual JSON numbers. */
const NUMBERS: readonly string[] = [
  "1e400",
  "-0",
  "123456789012345678901234567890",
  "1E+999999999",
  "0.1e-400",
  "01",
  "+1",
  ".5",
];

/** Breaks a text of JSON in ways that no JSON value can express. */
export const brokenText: fc.Arbitrary<(text: string) => string> = fc.oneof(
  fc.constant((text: string) => text),
  fc.nat(4000).map((at) => (text: string) => text.slice(0, at)),
  fc.constantFrom(...NUMBERS).map((number) => (text: string) => text.replace(/:\s*(?:\d+|"[^"]*")/u, `:${number}`)),
  // A duplicate field, and one with the name of a prototype property.
  hostileString.map(
    (word) => (text: string) => text.replace("{", `{${JSON.stringify(word)}:1,${JSON.stringify(word)}:{},`),
  ),
  fc.constantFrom(50, 9_999, 100_000).map((depth) => (text: string) => {
    return text.replace(/:\s*(?:\d+|"[^"]*")/u, `:${"[".repeat(depth)}${"]".repeat(depth)}`);
  }),
  fc.constant((text: string) => `${text}${text}`),
  fc.constant((text: string) => `\uFEFF${text}`),
  fc.string({ unit: "binary", maxLength: 200 }).map((junk) => () => junk),
);
