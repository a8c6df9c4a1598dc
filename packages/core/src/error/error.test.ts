import { describe, expect, test } from "vitest";
import {
  InputError,
  isAbort,
  isAlreadyExists,
  isConflict,
  isExpired,
  isNotFound,
  isProgrammingError,
  reasonOfCode,
  REASONS,
  StatusError,
  toError,
} from "./index.ts";
import type { Reason } from "./index.ts";

const reasons = Object.keys(REASONS) as Reason[];

describe("the table of reasons", () => {
  test("is reached from the HTTP code alone, for answers without a readable Status", () => {
    for (const reason of reasons) {
      const guessed = reasonOfCode(REASONS[reason].code);
      expect(REASONS[guessed].code).toBe(REASONS[reason].code);
    }
    expect(reasonOfCode(502)).toBe("InternalError");
    expect(reasonOfCode(418)).toBe("Unknown");
  });

  test("says relist for every form of an expired revision", () => {
    expect(isExpired(new StatusError("Gone", ""))).toBe(true);
    expect(isExpired(new StatusError("Expired", ""))).toBe(true);
    expect(isExpired(new StatusError("Conflict", ""))).toBe(false);
  });
});

describe("a StatusError", () => {
  test("survives the way over the wire with reason, code, message and details", () => {
    for (const reason of reasons.filter((one) => one !== "Unknown")) {
      const sent = new StatusError(reason, "why", { details: { name: "a", kind: "things" } });
      const read = StatusError.fromResponse(sent.code, JSON.parse(JSON.stringify(sent.toStatus())));
      expect(read).toMatchObject({ reason, code: sent.code, message: "why", details: sent.details });
    }
  });

  test("is made from the code when the body is no Status, and says what was asked", () => {
    const error = StatusError.fromResponse(503, "<html>", 7, "GET /api");
    expect(error).toMatchObject({
      reason: "ServiceUnavailable",
      message: "GET /api: the server answered 503",
      remedy: "later",
    });
    expect(error.details?.retryAfterSeconds).toBe(7);
  });

  test("with a reason of a newer server falls back on the code", () => {
    expect(StatusError.fromResponse(409, { kind: "Status", reason: "Brandnew", message: "m" }).reason).toBe("Conflict");
  });

  test("is told apart by reason", () => {
    expect(isNotFound(new StatusError("NotFound", ""))).toBe(true);
    expect(isConflict(new StatusError("AlreadyExists", ""))).toBe(false);
    expect(isAlreadyExists(new StatusError("AlreadyExists", ""))).toBe(true);
    expect(isNotFound(new Error("NotFound"))).toBe(false);
  });
});

test("defects of a program are told apart from failures of the world", () => {
  expect(isProgrammingError(new TypeError("x is not a function"))).toBe(true);
  expect(isProgrammingError(new StatusError("InternalError", ""))).toBe(false);
  expect(isAbort(new DOMException("stop", "AbortError"))).toBe(true);
  expect(isAbort(new Error("stop"))).toBe(false);
});

test("whatever is thrown becomes an Error with words", () => {
  expect(toError("boom").message).toBe("boom");
  expect(toError({ a: 1 }).message).toBe('thrown: {"a":1}');
  expect(toError(undefined).message).toBe("thrown: undefined");
  const error = new InputError("bad", { hint: "do better" });
  expect(toError(error)).toBe(error);
  expect(error.hint).toBe("do better");
});
