import { deepEqual, stringifyJson } from "../json/index.ts";
import { childPath, propertySchema } from "../schema/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import type { ChangeSeverity, SchemaChange } from "./crd-change.ts";
import { diffRules } from "./rules-diff.ts";

/** Whether the field must be there, in the new schema. */
interface FieldContext {
  readonly required: boolean;
}

/** Compares two schemas of a value at all depths. */
export function diffSchemas(
  before: StructuralSchema,
  after: StructuralSchema,
  path: string,
  context: FieldContext = { required: false },
): readonly SchemaChange[] {
  const type = typeChanges(before, after, path);
  if (type.some(({ severity }) => severity === "breaking")) return type;
  return [
    ...type,
    ...diffRules(before, after, path),
    ...ownChanges(before, after).map(([severity, message]) => ({ severity, path, message })),
    ...defaultChanges(before, after, context).map(([severity, message]) => ({ severity, path, message })),
    ...fieldChanges(before, after, path),
    ...entryChanges(before, after, path),
    ...itemChanges(before, after, path),
  ];
}

type Found = readonly (readonly [ChangeSeverity, string])[];

const KEEP_OLD = "keep it as it is and add a field, or make the change in a new version";

function typeName(schema: StructuralSchema): string {
  if (schema["x-kubernetes-int-or-string"] === true) return "integer or string";
  return schema.type ?? "anything";
}

function typeChanges(before: StructuralSchema, after: StructuralSchema, path: string): readonly SchemaChange[] {
  const [was, is] = [typeName(before), typeName(after)];
  if (was === is) return [];
  const step = `the type changed from ${was} to ${is}`;
  const isWider =
    after["x-kubernetes-int-or-string"] === true && (before.type === "integer" || before.type === "string");
  if (isWider) {
    return [
      { severity: "risky", path, message: `${step}: programs that expect one of them get the other: check them` },
    ];
  }
  return [{ severity: "breaking", path, message: `${step}: stored values are no longer valid: ${KEEP_OLD}` }];
}

function ownChanges(before: StructuralSchema, after: StructuralSchema): Found {
  return [
    ...flagChanges(before, after),
    ...ownershipChanges(before, after),
    ...(["title", "description", "example"] as const).flatMap((keyword): Found =>
      deepEqual(before[keyword], after[keyword]) ? [] : [["compatible", `the ${keyword} changed`]],
    ),
  ];
}

type Flag = "nullable" | "x-kubernetes-preserve-unknown-fields" | "x-kubernetes-embedded-resource";

function flagChanges(before: StructuralSchema, after: StructuralSchema): Found {
  const turned = (flag: Flag): "on" | "off" | "same" => {
    if ((before[flag] === true) === (after[flag] === true)) return "same";
    return after[flag] === true ? "on" : "off";
  };
  const says: readonly [Flag, "on" | "off", ChangeSeverity, string][] = [
    ["nullable", "off", "breaking", "null is no longer allowed: objects that have it are rejected: replace it first"],
    ["nullable", "on", "compatible", "null is allowed too"],
    [
      "x-kubernetes-preserve-unknown-fields",
      "off",
      "breaking",
      "unknown fields are no longer preserved: they are pruned on the next write: declare those that are in use",
    ],
    ["x-kubernetes-preserve-unknown-fields", "on", "compatible", "unknown fields are preserved"],
    [
      "x-kubernetes-embedded-resource",
      "on",
      "breaking",
      "it must be a complete object with apiVersion and kind now: others are rejected: add them first",
    ],
    [
      "x-kubernetes-embedded-resource",
      "off",
      "risky",
      "it is no longer an embedded object: undeclared metadata is pruned: declare it",
    ],
  ];
  return says.flatMap(([flag, turn, severity, message]): Found => (turned(flag) === turn ? [[severity, message]] : []));
}

/** Compares the list and map types, which determine field ownership and uniqueness. */
function ownershipChanges(before: StructuralSchema, after: StructuralSchema): Found {
  const [wasList, isList] = [before["x-kubernetes-list-type"] ?? "atomic", after["x-kubernetes-list-type"] ?? "atomic"];
  const [wasMap, isMap] = [before["x-kubernetes-map-type"] ?? "granular", after["x-kubernetes-map-type"] ?? "granular"];
  const [wasKeys, isKeys] = [before["x-kubernetes-list-map-keys"] ?? [], after["x-kubernetes-list-map-keys"] ?? []];
  const found: (readonly [ChangeSeverity, string])[] = [];
  if (wasList !== isList) {
    const step = `the list type changed from ${wasList} to ${isList}`;
    found.push(
      isList === "atomic"
        ? ["risky", `${step}: each applier replaces the whole list: check the programs that apply parts of it`]
        : [
            "breaking",
            `${step}: lists with duplicates are rejected: remove them first, or make the change in a new version`,
          ],
    );
  } else if (!deepEqual(wasKeys, isKeys)) {
    const step = `the keys of the list changed from ${wasKeys.join(", ")} to ${isKeys.join(", ")}`;
    found.push(["breaking", `${step}: items that were different may be duplicates now: ${KEEP_OLD}`]);
  }
  if (wasMap !== isMap) {
    const step = `the map type changed from ${wasMap} to ${isMap}`;
    found.push(["risky", `${step}: appliers own other fields now: check the programs that apply parts of it`]);
  }
  return found;
}

function defaultChanges(before: StructuralSchema, after: StructuralSchema, { required }: FieldContext): Found {
  const [was, is] = [before.default, after.default];
  if (deepEqual(was, is)) return [];
  const shown = (value: StructuralSchema["default"]): string => (value === undefined ? "none" : stringifyJson(value));
  const step = `the default changed from ${shown(was)} to ${shown(is)}`;
  if (is === undefined && required) {
    return [["breaking", `${step}, but the field is required: objects without it are rejected: keep the default`]];
  }
  return [["risky", `${step}: objects without the field change their meaning: write the old value into them`]];
}

function fieldChanges(before: StructuralSchema, after: StructuralSchema, path: string): readonly SchemaChange[] {
  const names = [...new Set([...Object.keys(before.properties ?? {}), ...Object.keys(after.properties ?? {})])];
  return [
    ...names.flatMap((name) => fieldChange(before, after, name, childPath(path, name))),
    ...requiredChanges(before, after, path),
  ];
}

function fieldChange(
  before: StructuralSchema,
  after: StructuralSchema,
  name: string,
  path: string,
): readonly SchemaChange[] {
  const [was, is] = [propertySchema(before, name), propertySchema(after, name)];
  if (was !== undefined && is !== undefined) {
    return diffSchemas(was, is, path, { required: after.required?.includes(name) === true });
  }
  if (is === undefined) {
    const stays = after["x-kubernetes-preserve-unknown-fields"] === true;
    return stays
      ? [{ severity: "risky", path, message: "the field is no longer declared and not validated: declare it" }]
      : [
          {
            severity: "breaking",
            path,
            message:
              "the field was removed: stored values are pruned on the next write: keep it, or move its values first",
          },
        ];
  }
  const wasOpen = before["x-kubernetes-preserve-unknown-fields"] === true;
  return wasOpen
    ? [
        {
          severity: "risky",
          path,
          message: "the field is declared now: objects with another value are rejected",
        },
      ]
    : [{ severity: "compatible", path, message: "the field was added" }];
}

function requiredChanges(before: StructuralSchema, after: StructuralSchema, path: string): readonly SchemaChange[] {
  const [was, is] = [before.required ?? [], after.required ?? []];
  const added = is
    .filter((name) => !was.includes(name))
    .map((name): SchemaChange => {
      const existed = propertySchema(before, name) !== undefined;
      const step = existed ? "the field was optional and is required now" : "the field was added and is required";
      const at = childPath(path, name);
      return propertySchema(after, name)?.default === undefined
        ? { severity: "breaking", path: at, message: `${step}: objects without it are rejected: add a default` }
        : {
            severity: "risky",
            path: at,
            message: `${step}: objects without it get the default: check that it is correct for them`,
          };
    });
  const removed = was
    .filter((name) => !is.includes(name) && propertySchema(after, name) !== undefined)
    .map((name): SchemaChange => {
      const message = "the field was required and is optional now";
      return { severity: "compatible", path: childPath(path, name), message };
    });
  return [...added, ...removed];
}

function entryChanges(before: StructuralSchema, after: StructuralSchema, path: string): readonly SchemaChange[] {
  const [was, is] = [before.additionalProperties, after.additionalProperties];
  if (was !== undefined && is !== undefined) return diffSchemas(was, is, `${path}[*]`);
  if (was === is) return [];
  if (is === undefined) {
    const message = `entries of any name are no longer declared: they are pruned or not validated: ${KEEP_OLD}`;
    return [{ severity: "breaking", path, message }];
  }
  const wasOpen = before["x-kubernetes-preserve-unknown-fields"] === true;
  return wasOpen
    ? [
        {
          severity: "risky",
          path,
          message: "entries are validated now: objects with invalid entries are rejected: fix them",
        },
      ]
    : [{ severity: "compatible", path, message: "entries of any name are allowed" }];
}

function itemChanges(before: StructuralSchema, after: StructuralSchema, path: string): readonly SchemaChange[] {
  const [was, is] = [before.items, after.items];
  if (was !== undefined && is !== undefined) return diffSchemas(was, is, `${path}[*]`);
  if (was === is) return [];
  if (is === undefined) return [{ severity: "compatible", path, message: "items may have any type" }];
  return [
    {
      severity: "breaking",
      path,
      message: `items are validated now: objects with invalid items are rejected: ${KEEP_OLD}`,
    },
  ];
}
