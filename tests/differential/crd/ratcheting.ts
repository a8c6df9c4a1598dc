import { keyed, scene, short, spec, text, tighten } from "./scene.ts";
import type { Scene } from "./scene.ts";

const RATCHETING: readonly Scene[] = [
  scene("an unchanged field may stay too long", "longs", { a: text, b: text }, [
    { create: spec({ a: "long", b: "x" }) },
    tighten({ a: short, b: text }),
    { merge: { spec: { b: "y" } } },
    { merge: { spec: { a: "longer" } } },
    { merge: { spec: { a: "ok" } } },
    { merge: { spec: { a: "long" } } },
  ]),
  scene("a field that became required may stay away", "requireds", { a: text, b: text }, [
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
  scene("items of a keyed list stay one by one", "keyeds", { l: keyed({ v: text }) }, [
    {
      create: spec({
        l: [
          { k: "1", v: "long" },
          { k: "2", v: "x" },
        ],
      }),
    },
    tighten({ l: keyed({ v: short }) }),
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
  scene("an atomic list stays as a whole", "atomics", { l: { type: "array", items: text } }, [
    { create: spec({ l: ["long", "x"] }) },
    tighten({ l: { type: "array", items: short }, b: text }),
    { merge: { spec: { b: "y" } } },
    { merge: { spec: { l: ["long", "y"] } } },
  ]),
  scene("values of a map stay one by one", "maps", { m: { type: "object", additionalProperties: text } }, [
    { create: spec({ m: { a: "long", b: "x" } }) },
    tighten({ m: { type: "object", additionalProperties: short } }),
    { merge: { spec: { m: { b: "y" } } } },
    { merge: { spec: { m: { c: "long" } } } },
  ]),
  scene("a value outside of an enum stays", "enums", { a: text, b: text }, [
    { create: spec({ a: "old", b: "x" }) },
    tighten({ a: { type: "string", enum: ["new"] }, b: text }),
    { merge: { spec: { b: "y" } } },
    { merge: { spec: { a: "older" } } },
  ]),
  scene("a value of another type stays", "types", { a: { "x-kubernetes-int-or-string": true }, b: text }, [
    { create: spec({ a: 5, b: "x" }) },
    tighten({ a: text, b: text }),
    { merge: { spec: { b: "y" } } },
    { merge: { spec: { a: 6 } } },
  ]),
  scene("a rule tolerates what is unchanged", "rules", { a: text, b: text }, [
    { create: spec({ a: "bad", b: "x" }) },
    tighten({ a: { ...short, maxLength: 9, "x-kubernetes-validations": [{ rule: "self != 'bad'" }] }, b: text }),
    { merge: { spec: { b: "y" } } },
    { merge: { spec: { a: "good" } } },
    { merge: { spec: { a: "bad" } } },
  ]),
  scene("a rule about the whole does not", "wholes", { a: text, b: text }, [
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
  scene("sets that hold something twice", "sets", { l: { type: "array", items: text }, b: text }, [
    { create: spec({ l: ["x", "x"] }) },
    tighten({ l: { type: "array", items: text, "x-kubernetes-list-type": "set" }, b: text }),
    { merge: { spec: { b: "y" } } },
    { merge: { spec: { l: ["x", "x", "y"] } } },
    { merge: { spec: { l: ["x"] } } },
    { merge: { spec: { l: ["y", "y"] } } },
  ]),
];

const TRANSITIONS: readonly Scene[] = [
  scene(
    "a field that is set once",
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
  scene(
    "a number that only grows",
    "growths",
    {
      n: { type: "integer", "x-kubernetes-validations": [{ rule: "self >= oldSelf", reason: "FieldValueForbidden" }] },
    },
    [{ create: spec({ n: 2 }) }, { merge: { spec: { n: 1 } } }, { merge: { spec: { n: 3 } } }],
  ),
  scene(
    "items of a keyed list and their past",
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
  scene(
    "a past that may be missing",
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
  scene(
    "a message that is made",
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

/** What becomes of objects while their declaration gets stricter, and of rules that compare with the past. */
export const RATCHETING_SCENES: readonly Scene[] = [...RATCHETING, ...TRANSITIONS];
