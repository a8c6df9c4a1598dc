import type { JsonObject, JsonValue } from "../json/index.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactSecrets, redactSecretsInPair, SecretRedactor, secretScrubber } from "./index.ts";

const secret = (fields: JsonObject): JsonObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "db", annotations: { "kubectl.kubernetes.io/last-applied-configuration": "hunter2", kept: "yes" } },
  ...fields,
});

const LAST = "kubectl.kubernetes.io/last-applied-configuration";

describe("a redacted value", () => {
  test("shows the keys of a Secret and no values", () => {
    expect(
      redactSecrets(secret({ data: { password: "aHVudGVyMg==" }, stringData: { user: "hunter2" }, type: "x" })),
    ).toEqual({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "db", annotations: { "kubectl.kubernetes.io/last-applied-configuration": "***", kept: "yes" } },
      data: { password: "***" },
      stringData: { user: "***" },
      type: "x",
    });
    expect(redactSecrets(secret({ data: "hunter2" }))).toMatchObject({ data: "***" });
  });

  test("contains no Secret value at any depth, and is otherwise unchanged", () => {
    const word = fc.string({ minLength: 8 }).map((text) => `hidden-${text}`);
    const held = fc.dictionary(fc.constantFrom("a", "b"), word, { minKeys: 1 });
    const hidden = fc.record({ data: held, stringData: held }).map((fields) => secret(fields));
    const plain = fc.dictionary(fc.constantFrom("x", "y", "data"), fc.integer());
    const tree = fc.letrec<{ node: JsonValue }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        hidden as fc.Arbitrary<JsonValue>,
        plain as fc.Arbitrary<JsonValue>,
        fc.array(tie("node"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("spec", "steadyState", "metadata"), tie("node")) as fc.Arbitrary<JsonValue>,
      ),
    })).node;
    fc.assert(
      fc.property(tree, (value) => {
        const shown = JSON.stringify(redactSecrets(value));
        expect(shown).not.toContain("hidden-");
        expect(shown).not.toContain("hunter2");
        expect(redactSecrets(JSON.parse(shown) as JsonValue)).toEqual(JSON.parse(shown));
      }),
    );
  });

  test("of two states shows which values differ", () => {
    const [before, after] = redactSecretsInPair(
      secret({ data: { same: "1", other: "2", gone: "3" } }),
      secret({ data: { same: "1", other: "4", new: "5" } }),
    );
    expect(before?.["data"]).toEqual({ same: "***", other: "*** (before)", gone: "***" });
    expect(after?.["data"]).toEqual({ same: "***", other: "*** (after)", new: "***" });
  });

  test.for([
    ["a list of Secrets without kinds", { kind: "SecretList", items: [{ data: { p: "aHVudGVyMg==" } }] }],
    ["a Secret without apiVersion", { kind: "Secret", stringData: { p: "aHVudGVyMg==" } }],
    ["JSON in a string", { note: '{"a":[{"kind":"Secr\\u0065t","data":{"p":"aHVudGVyMg=="}}]}' }],
    [
      "annotations of a Secret",
      secret({
        metadata: { annotations: { a: JSON.stringify(secret({ data: { p: "aHVudGVyMg==" } })), [LAST]: "x" } },
      }),
    ],
    ["JSON in JSON", { note: JSON.stringify([JSON.stringify(secret({ data: { p: "aHVudGVyMg==" } }))]) }],
  ] as const)("masks %s", ([, value]) => {
    expect(JSON.stringify(redactSecrets(value))).not.toContain("aHVudGVyMg");
  });

  test("leaves other kinds alone", () => {
    const config = { apiVersion: "v1", kind: "ConfigMap", data: { a: "1" } };
    expect(redactSecrets(config)).toEqual(config);
    expect(redactSecretsInPair(undefined, config)).toEqual([undefined, config]);
  });
});

test("a scrubber removes Secret values from texts, encoded or not, but no short ones", () => {
  const scrub = secretScrubber([
    { steadyState: [secret({ data: { a: "aHVudGVyMg==" }, stringData: { b: "swordfish", c: "is" } })] },
  ]);
  expect(scrub("it is hunter2, aHVudGVyMg==, swordfish and c3dvcmRmaXNo")).toBe("it is ***, ***, *** and ***");
  const quoted = secretScrubber([secret({ stringData: { a: 'two\nlines "here"' } })]);
  expect(quoted(`invalid value: ${JSON.stringify('two\nlines "here"')}`)).toBe('invalid value: "***"');
});

test.each([
  ["without the newline at its end", "swordfish\n", "swordfish"],
  ["as one line of several", "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\n", "MIIEvQIBADANBgkqhkiG"],
  ["as a text in JSON", '{"auths":{"r.example.com":{"password":"swordfish"}}}', "swordfish"],
  ["encoded in a URL", "sword/fish?", "sword%2Ffish%3F"],
  ["as a number", "70000021", 70_000_021],
])("redaction finds a secret %s", (_, value, shown) => {
  const redactor = new SecretRedactor({ mask: "***", lengthMin: 4 });
  redactor.addSecretsOf(secret({ stringData: { value } }));
  expect(redactor.redact({ status: { shown } })).toEqual({ status: { shown: "***" } });
});

test("redaction shows short lines of secrets and short numbers, which occur in other texts too", () => {
  const redactor = new SecretRedactor({ mask: "***", lengthMin: 4 });
  redactor.addSecretsOf(secret({ stringData: { file: "debug: true\nhost: db\n", port: "5432" } }));
  const shown = { note: "debug: true", port: 5432 };
  expect(redactor.redact(shown)).toEqual(shown);
});

test("redaction replaces the beginning of a secret that an ellipsis cuts off, and shows words that are names", () => {
  const redactor = new SecretRedactor({ mask: "*", lengthMin: 4, shown: new Set(["shop"]) });
  for (const secret of ["correct-horse", "shop"]) redactor.add(secret);
  expect(redactor.redactText("shop: is correct-hor... and cor... and correct...")).toBe("shop: is * and cor... and *");
});

test("redaction replaces the longest secrets first, also where secrets overlap", () => {
  const part = fc.stringMatching(/^[ab]{1,6}$/u);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), fc.stringMatching(/^[abc]{0,20}$/u), (secrets, text) => {
      const redactor = new SecretRedactor({ mask: "*", lengthMin: 1 });
      for (const secret of secrets) redactor.add(secret);
      const forms = [...new Set(secrets)].toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
      expect(redactor.redactText(text)).toBe(forms.reduce((left, form) => left.replaceAll(form, "*"), text));
    }),
  );
});
