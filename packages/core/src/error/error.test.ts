import { describe, expect, test } from "vitest";
import {
  InputError,
  isAbortError,
  isAlreadyExists,
  isConflict,
  isExpired,
  isNotFound,
  isProgrammingError,
  statusReasonForCode,
  STATUS_REASONS,
  StatusError,
  toError,
} from "./index.ts";
import type { StatusReason } from "./index.ts";

const reasons = Object.keys(STATUS_REASONS) as StatusReason[];

describe("the status reasons", () => {
  test("are derived from the HTTP code for responses without a Status", () => {
    for (const reason of reasons) {
      const guessed = statusReasonForCode(STATUS_REASONS[reason].code);
      expect(STATUS_REASONS[guessed].code).toBe(STATUS_REASONS[reason].code);
    }
    expect(statusReasonForCode(502)).toBe("InternalError");
    expect(statusReasonForCode(418)).toBe("Unknown");
  });

  test("require a relist for every form of an expired revision", () => {
    expect(isExpired(new StatusError("Gone", ""))).toBe(true);
    expect(isExpired(new StatusError("Expired", ""))).toBe(true);
    expect(isExpired(new StatusError("Conflict", ""))).toBe(false);
  });
});

describe("a StatusError", () => {
  test("round-trips reason, code, message and details over the wire", () => {
    for (const reason of reasons.filter((one) => one !== "Unknown")) {
      const sent = new StatusError(reason, "why", { details: { name: "a", kind: "things" } });
      const read = StatusError.fromResponse(sent.code, JSON.parse(JSON.stringify(sent.toStatus())));
      expect(read).toMatchObject({ reason, code: sent.code, message: "why", details: sent.details });
    }
  });

  test("is created from the code if the body is not a Status, and names the request", () => {
    const error = StatusError.fromResponse(503, "<html>", 7, "GET /api");
    expect(error).toMatchObject({
      reason: "ServiceUnavailable",
      message: "GET /api: the server responded with 503",
      retryStrategy: "backoff",
    });
    expect(error.details?.retryAfterSeconds).toBe(7);
  });

  test("with an unknown reason falls back to the code", () => {
    expect(StatusError.fromResponse(409, { kind: "Status", reason: "Brandnew", message: "m" }).reason).toBe("Conflict");
  });

  test("is classified by reason", () => {
    expect(isNotFound(new StatusError("NotFound", ""))).toBe(true);
    expect(isConflict(new StatusError("AlreadyExists", ""))).toBe(false);
    expect(isAlreadyExists(new StatusError("AlreadyExists", ""))).toBe(true);
    expect(isNotFound(new Error("NotFound"))).toBe(false);
  });
});

test("programming errors are distinguished from runtime failures", () => {
  expect(isProgrammingError(new TypeError("x is not a function"))).toBe(true);
  expect(isProgrammingError(new StatusError("InternalError", ""))).toBe(false);
  expect(isAbortError(new DOMException("stop", "AbortError"))).toBe(true);
  expect(isAbortError(new Error("stop"))).toBe(false);
});

test("any thrown value becomes an Error with a message", () => {
  expect(toError("boom").message).toBe("boom");
  expect(toError({ a: 1 }).message).toBe('thrown: {"a":1}');
  expect(toError(undefined).message).toBe("thrown: undefined");
  const error = new InputError("bad", { hint: "do better" });
  expect(toError(error)).toBe(error);
  expect(error.hint).toBe("do better");
});
