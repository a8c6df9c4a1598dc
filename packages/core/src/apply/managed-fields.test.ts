import { describe, expect, test } from "vitest";
import type { ManagedFieldsEntry } from "../object/index.ts";
import {
  decodeManagedFields,
  encodeManagedFields,
  isManagedFieldsReset,
  ManagedFieldsError,
} from "./managed-fields.ts";

const ENTRY: ManagedFieldsEntry = {
  manager: "m",
  operation: "Update",
  apiVersion: "v1",
  time: "2026-01-01T00:00:00Z",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:data": {} },
};

describe("managedFields", () => {
  test("round-trip", () => {
    const { time: _time, ...timeless } = ENTRY;
    const entries = [{ ...ENTRY, operation: "Apply" }, timeless, { ...ENTRY, subresource: "status" }];
    expect(encodeManagedFields(decodeManagedFields(entries))).toStrictEqual(entries);
  });

  test("are sorted by operation, time and name", () => {
    const entries = [
      { ...ENTRY, manager: "a", time: "2026-01-01T00:00:02Z" },
      { ...ENTRY, manager: "c", time: "2026-01-01T00:00:01Z" },
      { ...ENTRY, manager: "b", time: "2026-01-01T00:00:01Z" },
      { ...ENTRY, manager: "z", time: "2026-01-01T00:00:03Z", operation: "Apply" },
    ];
    expect(encodeManagedFields(decodeManagedFields(entries)).map(({ manager }) => manager)).toEqual([
      "z",
      "b",
      "c",
      "a",
    ]);
  });

  test.each([
    [{ operation: "Delete" }, "operation must be `Apply` or `Update`"],
    [{ apiVersion: "" }, "apiVersion must not be empty"],
    [{ fieldsType: "" }, "missing fieldsType in managed fields entry 0"],
    [{ fieldsType: "FieldsV2" }, 'invalid fieldsType "FieldsV2" in managed fields entry 0'],
  ])("that are malformed are rejected: %o", (wrong, message) => {
    expect(() => decodeManagedFields([{ ...ENTRY, ...wrong }])).toThrow(new ManagedFieldsError(message));
  });

  test("request a reset if they are empty or have one empty entry", () => {
    expect([isManagedFieldsReset([]), isManagedFieldsReset([{}])]).toEqual([true, true]);
    expect([isManagedFieldsReset(undefined), isManagedFieldsReset([ENTRY]), isManagedFieldsReset([{}, {}])]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
