import { toError, whenAborted } from "@levelset/core/internal";
import { VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { Fence } from "./index.ts";

const LEASE_MS = 60_000;

/** A fence before a server that does not respond, and the requests that reached it. */
function fenced(): { readonly clock: VirtualClock; readonly fence: Fence; readonly requests: Request[] } {
  const clock = new VirtualClock();
  const requests: Request[] = [];
  const fence = new Fence(async (request) => {
    requests.push(request);
    await whenAborted(request.signal);
    request.signal.throwIfAborted();
    return new Response("{}");
  }, clock);
  return { clock, fence, requests };
}

function write(fence: Fence): Promise<Response> {
  return fence.fetch(new Request("http://server/api/v1/namespaces", { method: "POST", body: "{}" }));
}

test.each([
  [15_000, 1_000],
  [300_000, 20_000],
])("a fence that is open for %i ms checks its clocks after %i ms", (ms, checkMs) => {
  const { clock, fence } = fenced();
  fence.openFor(ms);
  expect(clock.nextTimerAt).toBe(clock.now() + checkMs);
});

test("a write in progress is aborted when the wall clock reaches the end of the lease, also after a renewal", async () => {
  const { clock, fence, requests } = fenced();
  fence.openFor(LEASE_MS);
  const outcome = write(fence).then(
    () => "written",
    (error: unknown) => toError(error).message,
  );
  await clock.advance(LEASE_MS / 2);
  fence.openFor(LEASE_MS);
  await clock.advance(LEASE_MS / 2);
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([false]);
  clock.stepWall(LEASE_MS);
  await clock.advance(LEASE_MS / 15);
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true]);
  expect(await outcome).toContain("no longer leads");
});
