import { describe, expect, test } from "vitest";
import type { ManagedFieldsEntry } from "../object/index.ts";
import { decodeOwners, encodeOwners, isReset, ManagedFieldsError } from "./owner.ts";

const ENTRY: ManagedFieldsEntry = {
  manager: "m",
  operation: "Update",
  apiVersion: "v1",
  time: "2026-01-01T00:00:00Z",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:data": {} },
};

describe("managedFields", () => {
  test("come back as they were", () => {
    const { time: _time, ...timeless } = ENTRY;
    const entries = [{ ...ENTRY, operation: "Apply" }, timeless, { ...ENTRY, subresource: "status" }];
    expect(encodeOwners(decodeOwners(entries))).toStrictEqual(entries);
  });

  test("name appliers first, then the earlier, then by name", () => {
    const entries = [
      { ...ENTRY, manager: "a", time: "2026-01-01T00:00:02Z" },
      { ...ENTRY, manager: "c", time: "2026-01-01T00:00:01Z" },
      { ...ENTRY, manager: "b", time: "2026-01-01T00:00:01Z" },
      { ...ENTRY, manager: "z", time: "2026-01-01T00:00:03Z", operation: "Apply" },
    ];
    expect(encodeOwners(decodeOwners(entries)).map(({ manager }) => manager)).toEqual(["z", "b", "c", "a"]);
  });

  test.each([
    [{ operation: "Delete" }, "operation must be `Apply` or `Update`"],
    [{ apiVersion: "" }, "apiVersion must not be empty"],
    [{ fieldsType: "" }, "missing fieldsType in managed fields entry 0"],
    [{ fieldsType: "FieldsV2" }, 'invalid fieldsType "FieldsV2" in managed fields entry 0'],
  ])("that cannot be read are refused: %o", (wrong, message) => {
    expect(() => decodeOwners([{ ...ENTRY, ...wrong }])).toThrow(new ManagedFieldsError(message));
  });

  test("ask to forget all owners where they are empty, or one empty entry", () => {
    expect([isReset([]), isReset([{}])]).toEqual([true, true]);
    expect([isReset(undefined), isReset([ENTRY]), isReset([{}, {}])]).toEqual([false, false, false]);
  });
});
