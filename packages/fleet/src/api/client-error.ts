import { stringifyJson } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import { httpResponse } from "@levelset/core/http";
import type { ClientErrorKind, ClientErrorResponder } from "@levelset/core/http";
import type { UuidSource } from "../service/index.ts";
import { HttpProblem, problemJson } from "./http-problem.ts";

/** Returns a problem document for malformed HTTP, oversized headers and timeouts. */
export function clientErrorResponder(world: { readonly clock: Clock; readonly ids: UuidSource }): ClientErrorResponder {
  return (kind) => {
    const problem = problemOf(kind);
    const requestId = world.ids.next();
    // The request path is unknown.
    const body = stringifyJson(problemJson(problem, { instance: "", time: world.clock.now(), requestId }));
    const headers = { "content-type": "application/problem+json", "x-request-id": requestId };
    return httpResponse(problem.status, body, headers);
  };
}

function problemOf(kind: ClientErrorKind): HttpProblem {
  switch (kind) {
    case "header-overflow":
      return new HttpProblem("LMT-002", "request path and headers are too large", { status: 431 });
    case "timeout":
      return new HttpProblem("VAL-006", "the request was not complete in time", { status: 408 });
    case "malformed":
      return new HttpProblem("VAL-006", "not a valid HTTP/1.1 request");
    default:
      return kind satisfies never;
  }
}
