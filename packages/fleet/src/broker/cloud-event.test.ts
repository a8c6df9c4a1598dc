import { parseJson } from "@levelset/core/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeCloudEvent, EVENT_BYTES_MAX, eventKeyOf, parseCloudEvent, traceContextOf } from "./cloud-event.ts";
import type { CloudEvent } from "./cloud-event.ts";
import { InvalidEventError } from "./broker-errors.ts";

const EVENT: CloudEvent = { specversion: "1.0", id: "1", source: "/a", type: "t" };

function parse(value: unknown): CloudEvent {
  return parseCloudEvent(new TextEncoder().encode(JSON.stringify(value)));
}

function faults(value: unknown): readonly string[] {
  try {
    parse(value);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidEventError)) throw error;
    return error.faults.map(({ field, message }) => `${field} ${message}`);
  }
}

test("an encoded event decodes to the same event, whatever the data", () => {
  const int32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };
  const extension = fc.oneof(fc.string(), fc.boolean(), fc.integer(int32));
  const name = fc.stringMatching(/^x[a-z0-9]{1,12}$/u);
  const text = fc.string({ minLength: 1 });
  fc.assert(
    fc.property(fc.dictionary(name, extension), fc.json(), text, text, (extensions, json, id, subject) => {
      const event = { ...EVENT, ...extensions, id, subject, data: parseJson(json) };
      expect(parseCloudEvent(encodeCloudEvent(event))).toEqual({ ...event });
    }),
  );
});

test("integers beyond the safe range stay exact", () => {
  const data = { generation: 2n ** 63n - 1n };
  expect(parseCloudEvent(encodeCloudEvent({ ...EVENT, data })).data).toEqual(data);
});

test("arbitrary bytes decode to an event or fail with InvalidEventError", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((json) => new TextEncoder().encode(json)),
      ),
      (body) => {
        expect(() => parseCloudEvent(body)).toThrow(InvalidEventError);
      },
    ),
  );
});

describe("an invalid event is refused with the name of the attribute", () => {
  test("if a required attribute is missing or empty", () => {
    expect(faults({})).toEqual(["specversion is missing", "id is missing", "source is missing", "type is missing"]);
    expect(faults({ ...EVENT, id: "" })).toEqual(["id must be a non-empty string"]);
    expect(faults({ ...EVENT, type: null })).toEqual(["type is missing"]);
    expect(faults({ ...EVENT, specversion: "0.3" })).toEqual(['specversion must be "1.0"']);
  });

  test("if an optional attribute is invalid", () => {
    expect(faults({ ...EVENT, time: "yesterday" })).toEqual(["time must be an RFC 3339 timestamp"]);
    expect(faults({ ...EVENT, source: "a b" })).toEqual(["source must be a non-empty URI reference"]);
    expect(faults({ ...EVENT, data_base64: "?" })).toEqual(["data_base64 must be base64"]);
    expect(faults({ ...EVENT, data: 1, data_base64: "AA==" })).toEqual(["data_base64 must not be combined with data"]);
  });

  test("if an extension has an invalid name or type", () => {
    expect(faults({ ...EVENT, "my-ext": "x" })).toEqual(["my-ext must be named with a–z and 0–9 only"]);
    expect(faults({ ...EVENT, ext: { a: 1 } })).toEqual(["ext must be a string, a boolean or a 32-bit integer"]);
    expect(faults({ ...EVENT, ext: 2 ** 31 })).toEqual(["ext must be a string, a boolean or a 32-bit integer"]);
  });

  test("if it is not an object or too long", () => {
    expect(faults([EVENT])).toEqual([" must be a JSON object"]);
    expect(faults({ ...EVENT, data: "x".repeat(EVENT_BYTES_MAX) })).toEqual([
      ` is longer than ${EVENT_BYTES_MAX} bytes`,
    ]);
  });
});

test("null means absent, except for data", () => {
  expect(parse({ ...EVENT, subject: null, data: null })).toEqual({ ...EVENT, data: null });
});

test("the key is the partition key, else the subject, else the ID of the resource", () => {
  const event = { ...EVENT, data: { id: "c1" } };
  expect(eventKeyOf({ ...event, subject: "s", partitionkey: "p" })).toBe("p");
  expect(eventKeyOf({ ...event, subject: "s" })).toBe("s");
  expect(eventKeyOf(event)).toBe("c1");
  expect(eventKeyOf({ ...EVENT, data: { id: 7 } })).toBeUndefined();
  expect(eventKeyOf(EVENT)).toBeUndefined();
});

test("an invalid trace context is ignored", () => {
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  expect(traceContextOf({ ...EVENT, traceparent })).toEqual({ traceparent, tracestate: undefined });
  expect(traceContextOf({ ...EVENT, traceparent: "00-zz" })).toBeUndefined();
  expect(traceContextOf({ ...EVENT, traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01` })).toBeUndefined();
  expect(traceContextOf(EVENT)).toBeUndefined();
});
