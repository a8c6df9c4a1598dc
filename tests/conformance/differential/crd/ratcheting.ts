import { keyed, crdScenario, short, spec, text, updateSchema } from "./crd-scenario.ts";
import type { CrdScenario } from "./crd-scenario.ts";

const RATCHETING: readonly CrdScenario[] = [
  crdScenario("an unchanged field may stay too long", "longs", { a: text, b: text }, [
    { create: spec({ a: "long", b: "x" }) },
    updateSchema({ a: short, b: text }),
    { merge: { spec: { b: "y" } } },
    { merge: { spec: { a: "longer" } } },
    { merge: { spec: { a: "ok" } } },
    { merge: { spec: { a: "long" } } },
  ]),
  crdScenario("a newly required field may stay absent", "requireds", { a: text, b: text }, [
    { create: spec({ b: "x" }) },
    {
      declare: {
        spec: {
          versions: [
            {
              name: "v1",
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: {
                  type: "object",
                  properties: { spec: { type: "object", required: ["a"], properties: { a: text, b: text } } },
                },
              },
            },
          ],
        },
      },
    },
    { merge: { metadata: { labels: { x: "y" } } } },
    { merge: { spec: { b: "y" } } },
    { merge: { spec: { a: "z" } } },
  ]),
  crdScenario("items of a keyed list are ratcheted individually", "keyeds", { l: keyed({ v: text }) }, [
    {
      create: spec({
        l: [
          { k: "1", v: "long" },
          { k: "2", v: "x" },
        ],
      }),
    },
    updateSchema({ l: keyed({ v: short }) }),
    {
      merge: {
        spec: {
          l: [
            { k: "1", v: "long" },
            { k: "2", v: "y" },
          ],
        },
      },
    },
    {
      merge: {
        spec: {
          l: [
            { k: "2", v: "y" },
            { k: "1", v: "long" },
            { k: "3", v: "z" },
          ],
        },
      },
    },
    { merge: { spec: { l: [{ k: "1", v: "other" }] } } },
  ]),
  crdScenario("an atomic list is ratcheted as a whole", "atomics", { l: { type: "array", items: text } }, [
    { create: spec({ l: ["long", "x"] }) },
    updateSchema({ l: { type: "array", items: short }, b: text }),
    { merge: { spec: { b: "y" } } },
    { merge: { spec: { l: ["long", "y"] } } },
  ]),
  crdScenario(
    "values of a map are ratcheted individually",
    "maps",
    { m: { type: "object", additionalProperties: text } },
    [
      { create: spec({ m: { a: "long", b: "x" } }) },
      updateSchema({ m: { type: "object", additionalProperties: short } }),
      { merge: { spec: { m: { b: "y" } } } },
      { merge: { spec: { m: { c: "long" } } } },
    ],
  ),
  crdScenario("an unchanged value outside of an enum is tolerated", "enums", { a: text, b: text }, [
    { create: spec({ a: "old", b: "x" }) },
    updateSchema({ a: { type: "string", enum: ["new"] }, b: text }),
    { merge: { spec: { b: "y" } } },
    { merge: { spec: { a: "older" } } },
  ]),
  crdScenario(
    "an unchanged value of another type is tolerated",
    "types",
    { a: { "x-kubernetes-int-or-string": true }, b: text },
    [
      { create: spec({ a: 5, b: "x" }) },
      updateSchema({ a: text, b: text }),
      { merge: { spec: { b: "y" } } },
      { merge: { spec: { a: 6 } } },
    ],
  ),
  crdScenario("a rule tolerates unchanged values", "rules", { a: text, b: text }, [
    { create: spec({ a: "bad", b: "x" }) },
    updateSchema({ a: { ...short, maxLength: 9, "x-kubernetes-validations": [{ rule: "self != 'bad'" }] }, b: text }),
    { merge: { spec: { b: "y" } } },
    { merge: { spec: { a: "good" } } },
    { merge: { spec: { a: "bad" } } },
  ]),
  crdScenario("a rule on the whole object does not", "wholes", { a: text, b: text }, [
    { create: spec({ a: "bad", b: "x" }) },
    {
      declare: {
        spec: {
          versions: [
            {
              name: "v1",
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: {
                  type: "object",
                  properties: {
                    spec: {
                      type: "object",
                      properties: { a: { type: "string", maxLength: 9 }, b: { type: "string", maxLength: 9 } },
                      "x-kubernetes-validations": [{ rule: "self.a != 'bad'" }],
                    },
                  },
                },
              },
            },
          ],
        },
      },
    },
    { merge: { metadata: { labels: { x: "y" } } } },
    { merge: { spec: { b: "y" } } },
  ]),
  crdScenario("sets with duplicates", "sets", { l: { type: "array", items: text }, b: text }, [
    { create: spec({ l: ["x", "x"] }) },
    updateSchema({ l: { type: "array", items: text, "x-kubernetes-list-type": "set" }, b: text }),
    { merge: { spec: { b: "y" } } },
    { merge: { spec: { l: ["x", "x", "y"] } } },
    { merge: { spec: { l: ["x"] } } },
    { merge: { spec: { l: ["y", "y"] } } },
  ]),
];

const TRANSITIONS: readonly CrdScenario[] = [
  crdScenario(
    "a field that can be set once",
    "onces",
    {
      a: {
        type: "string",
        maxLength: 9,
        "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "a stays" }],
      },
    },
    [
      { create: spec({}) },
      { merge: { spec: { a: "x" } } },
      { merge: { spec: { a: "y" } } },
      { merge: { spec: { a: null } } },
      { merge: { spec: { a: "z" } } },
    ],
  ),
  crdScenario(
    "a number that only grows",
    "growths",
    {
      n: { type: "integer", "x-kubernetes-validations": [{ rule: "self >= oldSelf", reason: "FieldValueForbidden" }] },
    },
    [{ create: spec({ n: 2 }) }, { merge: { spec: { n: 1 } } }, { merge: { spec: { n: 3 } } }],
  ),
  crdScenario(
    "items of a keyed list and the previous values",
    "pasts",
    {
      l: {
        ...keyed({ v: { type: "integer", "x-kubernetes-validations": [{ rule: "self >= oldSelf" }] } }),
        maxItems: 9,
      },
    },
    [
      { create: spec({ l: [{ k: "1", v: 5 }] }) },
      {
        merge: {
          spec: {
            l: [
              { k: "2", v: 1 },
              { k: "1", v: 6 },
            ],
          },
        },
      },
      { merge: { spec: { l: [{ k: "1", v: 5 }] } } },
    ],
  ),
  crdScenario(
    "an optional old value",
    "optionals",
    {
      a: {
        type: "string",
        maxLength: 9,
        "x-kubernetes-validations": [{ rule: "oldSelf.hasValue() || self == 'first'", optionalOldSelf: true }],
      },
    },
    [{ create: spec({ a: "x" }) }, { create: spec({ a: "first" }) }, { merge: { spec: { a: "x" } } }],
  ),
  crdScenario(
    "a computed message",
    "messages",
    {
      n: {
        type: "integer",
        "x-kubernetes-validations": [{ rule: "self < 5", messageExpression: "self > 6 ? 'far too much' : 'too much'" }],
      },
    },
    [{ create: spec({ n: 7 }) }],
  ),
];

/** Scenarios about validation ratcheting (KEP-4008) and transition rules. */
export const RATCHETING_SCENARIOS: readonly CrdScenario[] = [...RATCHETING, ...TRANSITIONS];
