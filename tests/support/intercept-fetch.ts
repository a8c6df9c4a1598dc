import type { Fetch, Runnable } from "@levelset/core";

/** Runs a process with its requests passed to `intercept`, which sends them on, changes them or answers itself. */
export function interceptFetch(
  runnable: Runnable,
  intercept: (request: Request, send: Fetch) => Promise<Response>,
): Runnable {
  return {
    ...runnable,
    start: (world) => runnable.start({ ...world, fetch: (request) => intercept(request, world.fetch) }),
  };
}
