import { parseJson } from "@levelset/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeEvent, EVENT_BYTES_MAX, keyOf, parseEvent, traceOf } from "./cloud-event.ts";
import type { CloudEvent } from "./cloud-event.ts";
import { InvalidEvent } from "./errors.ts";

const EVENT: CloudEvent = { specversion: "1.0", id: "1", source: "/a", type: "t" };

function parse(value: unknown): CloudEvent {
  return parseEvent(new TextEncoder().encode(JSON.stringify(value)));
}

function faults(value: unknown): readonly string[] {
  try {
    parse(value);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidEvent)) throw error;
    return error.faults.map(({ field, message }) => `${field} ${message}`);
  }
}

test("what is encoded is read again, whatever the data", () => {
  const int32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };
  const extension = fc.oneof(fc.string(), fc.boolean(), fc.integer(int32));
  const name = fc.stringMatching(/^x[a-z0-9]{1,12}$/u);
  const text = fc.string({ minLength: 1 });
  fc.assert(
    fc.property(fc.dictionary(name, extension), fc.json(), text, text, (extensions, json, id, subject) => {
      const event = { ...EVENT, ...extensions, id, subject, data: parseJson(json) };
      expect(parseEvent(encodeEvent(event))).toEqual({ ...event });
    }),
  );
});

test("integers beyond what numbers hold stay exact", () => {
  const data = { generation: 2n ** 63n - 1n };
  expect(parseEvent(encodeEvent({ ...EVENT, data })).data).toEqual(data);
});

test("bytes of any kind are an event or refused as none, and nothing else is thrown", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((json) => new TextEncoder().encode(json)),
      ),
      (body) => {
        expect(() => parseEvent(body)).toThrow(InvalidEvent);
      },
    ),
  );
});

describe("an event is refused with the attribute at fault", () => {
  test("when a required one is missing or empty", () => {
    expect(faults({})).toEqual(["specversion is missing", "id is missing", "source is missing", "type is missing"]);
    expect(faults({ ...EVENT, id: "" })).toEqual(["id must be a text that is not empty"]);
    expect(faults({ ...EVENT, type: null })).toEqual(["type is missing"]);
    expect(faults({ ...EVENT, specversion: "0.3" })).toEqual(['specversion must be "1.0"']);
  });

  test("when an optional one is not what it should be", () => {
    expect(faults({ ...EVENT, time: "yesterday" })).toEqual(["time must be a time of RFC 3339"]);
    expect(faults({ ...EVENT, source: "a b" })).toEqual(["source must be a URI reference that is not empty"]);
    expect(faults({ ...EVENT, data_base64: "?" })).toEqual(["data_base64 must be base64"]);
    expect(faults({ ...EVENT, data: 1, data_base64: "AA==" })).toEqual(["data_base64 must not stand beside data"]);
  });

  test("when an extension has a wrong name or a wrong type", () => {
    expect(faults({ ...EVENT, "my-ext": "x" })).toEqual(["my-ext must be named with a–z and 0–9 only"]);
    expect(faults({ ...EVENT, ext: { a: 1 } })).toEqual(["ext must be a text, a boolean or a 32-bit integer"]);
    expect(faults({ ...EVENT, ext: 2 ** 31 })).toEqual(["ext must be a text, a boolean or a 32-bit integer"]);
  });

  test("when it is no object, or too long", () => {
    expect(faults([EVENT])).toEqual([" must be a JSON object"]);
    expect(faults({ ...EVENT, data: "x".repeat(EVENT_BYTES_MAX) })).toEqual([
      ` is longer than ${EVENT_BYTES_MAX} bytes`,
    ]);
  });
});

test("null stands for an absent attribute, but data may be null", () => {
  expect(parse({ ...EVENT, subject: null, data: null })).toEqual({ ...EVENT, data: null });
});

test("the key is the partition key, else the subject, else the id of the resource", () => {
  const event = { ...EVENT, data: { id: "c1" } };
  expect(keyOf({ ...event, subject: "s", partitionkey: "p" })).toBe("p");
  expect(keyOf({ ...event, subject: "s" })).toBe("s");
  expect(keyOf(event)).toBe("c1");
  expect(keyOf({ ...EVENT, data: { id: 7 } })).toBeUndefined();
  expect(keyOf(EVENT)).toBeUndefined();
});

test("a trace context that is not valid is none", () => {
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  expect(traceOf({ ...EVENT, traceparent })).toEqual({ traceparent, tracestate: undefined });
  expect(traceOf({ ...EVENT, traceparent: "00-zz" })).toBeUndefined();
  expect(traceOf({ ...EVENT, traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01` })).toBeUndefined();
  expect(traceOf(EVENT)).toBeUndefined();
});
