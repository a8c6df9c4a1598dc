import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import type { ApiCall } from "../task/index.ts";
import { Template } from "../template/index.ts";
import { ApiCaller } from "./api-caller.ts";
import { Variables } from "./variables.ts";
import { Renderer } from "./render.ts";

/** Sends one request and returns its result, the requests sent, and the delays between attempts. */
async function sent(
  response: () => Response,
  call: Partial<ApiCall> = {},
): Promise<{ readonly outcome: unknown; readonly requests: readonly Request[]; readonly pauses: readonly number[] }> {
  const clock = new VirtualClock(0);
  const pauses: number[] = [];
  const requests: Request[] = [];
  const caller = new ApiCaller({
    baseUrl: "http://fleet.test",
    version: "v1",
    headers: {},
    token: async () => undefined,
    timeoutMs: 1_000,
    attemptsMax: 6,
    backoff: "exponential",
    baseDelayMs: 1_000,
    maxDelayMs: 5_000,
    fetch: async (request) => {
      requests.push(request);
      return response();
    },
    clock: {
      now: () => 0,
      monotonic: () => 0,
      after: (ms, callback) => clock.after(ms, callback),
      sleep: async (ms) => void pauses.push(ms),
    },
    random: seededRandom(1),
  });
  const url = new Template("/clusters/c1");
  const fullCall: ApiCall = {
    method: "GET",
    url,
    headers: [],
    body: undefined,
    timeoutMs: undefined,
    attemptsMax: undefined,
    backoff: undefined,
    ...call,
  };
  const renderer = new Renderer(new Variables({}), clock);
  const outcome: unknown = await caller
    .call(fullCall, renderer, new AbortController().signal, () => {})
    .catch((error: unknown) => error);
  return { outcome, requests, pauses };
}

const away = (): Response => new Response("", { status: 503 });

describe("a failed request", () => {
  test.each<[ApiCall["backoff"], readonly number[]]>([
    ["exponential", [1_000, 2_000, 4_000, 5_000, 5_000]],
    ["linear", [1_000, 2_000, 3_000, 4_000, 5_000]],
    ["constant", [1_000, 1_000, 1_000, 1_000, 1_000]],
  ])("is retried with delays, %s, up to the maximum, with jitter of a tenth", async (backoff, expected) => {
    const { pauses } = await sent(away, { backoff });
    expect(pauses).toHaveLength(expected.length);
    for (const [index, pause] of pauses.entries()) {
      expect(pause / (expected[index] ?? 0)).toBeGreaterThanOrEqual(0.9);
      expect(pause / (expected[index] ?? 0)).toBeLessThanOrEqual(1.1);
    }
  });

  test.each([
    [408, 2],
    [429, 2],
    [500, 2],
    [400, 1],
    [404, 1],
    [409, 1],
  ])("with status %i is sent %i times of at most two", async (status, tries) => {
    const { requests } = await sent(() => new Response("", { status }), { attemptsMax: 2 });
    expect(requests).toHaveLength(tries);
  });
});

test("redirects are not followed, so the token never reaches another host", async () => {
  const { requests } = await sent(() => new Response("{}"));
  expect(requests.map(({ redirect }) => redirect)).toEqual(["error"]);
});

test("an oversized response is rejected without a retry", async () => {
  const { outcome, requests } = await sent(() => new Response("x".repeat(8 * 1_024 * 1_024 + 1)));
  expect(outcome).toMatchObject({
    name: "ApiCallError",
    message: "GET http://fleet.test/api/hyperfleet/v1/clusters/c1: the response is too large",
  });
  expect(requests).toHaveLength(1);
});
