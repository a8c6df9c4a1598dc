import type { Socket } from "node:net";
import { STATUS_CODES } from "node:http";
import { stringifyJson } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { UuidSource } from "../service/index.ts";
import { HttpProblem, problemJson } from "./http-problem.ts";

/** Responds to malformed HTTP, oversized headers and timeouts with a problem document, and closes the connection. */
export function clientErrorHandler(world: {
  readonly clock: Clock;
  readonly ids: UuidSource;
}): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const problem = problemIn(error);
    const requestId = world.ids.next();
    // The request path is unknown.
    const body = stringifyJson(problemJson(problem, { instance: "", time: world.clock.now(), requestId }));
    const head = [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      "connection: close",
      "content-type: application/problem+json",
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
    ];
    socket.end([...head, "", body].join("\r\n"));
  };
}

function problemIn({ code }: NodeJS.ErrnoException): HttpProblem {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new HttpProblem("LMT-002", "request path and headers are too large", { status: 431 });
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new HttpProblem("VAL-006", "the request was not complete in time", { status: 408 });
    default:
      return new HttpProblem("VAL-006", "not a valid HTTP/1.1 request");
  }
}
