import { toError, whenAborted } from "@levelset/core/internal";
import { untilIdle, VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { Fence } from "./index.ts";

const LEASE_MS = 60_000;

/** A fence before a server that responds after `answer` is called, and the requests that reached it. */
function fenced(): { readonly clock: VirtualClock; readonly fence: Fence; readonly requests: Request[] } & {
  readonly answer: () => void;
} {
  const clock = new VirtualClock();
  const requests: Request[] = [];
  const answered = Promise.withResolvers<void>();
  const fence = new Fence(async (request) => {
    requests.push(request);
    await Promise.race([answered.promise, whenAborted(request.signal)]);
    request.signal.throwIfAborted();
    return new Response("{}");
  }, clock);
  return { clock, fence, requests, answer: () => answered.resolve() };
}

function write(fence: Fence): Promise<Response> {
  return fence.fetch(new Request("http://server/api/v1/namespaces", { method: "POST", body: "{}" }));
}

test("an open fence sets no timer before the first write and after the last one", async () => {
  const { clock, fence, answer } = fenced();
  fence.openFor(LEASE_MS);
  expect(clock.nextTimerAt).toBeUndefined();
  const writes = [write(fence), write(fence)];
  await untilIdle();
  expect(clock.nextTimerAt).toBeDefined();
  answer();
  await Promise.all(writes);
  expect(clock.nextTimerAt).toBeUndefined();
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
  await clock.advance(1_000);
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true]);
  expect(await outcome).toContain("no longer leads");
});
