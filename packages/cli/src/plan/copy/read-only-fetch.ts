import type { Fetch } from "@levelset/core";

/** Returns a connection that sends GET requests only. Any other request is rejected before it is sent. */
export function readOnlyFetch(fetch: Fetch): Fetch {
  return async (request) => {
    if (request.method === "GET") return fetch(request);
    throw new TypeError(
      `${request.method} ${new URL(request.url).pathname} refused: a plan only reads from the cluster`,
    );
  };
}
