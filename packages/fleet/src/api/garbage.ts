import type { Socket } from "node:net";
import { STATUS_CODES } from "node:http";
import { stringifyJson } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { UuidSource } from "../service/index.ts";
import { Problem, problemJson } from "./problem.ts";

/** Answers what is no HTTP, has too many headers or comes too slowly, and hangs up. */
export function garbageHandler(world: {
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
    // Nobody knows which path was meant.
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

function problemIn({ code }: NodeJS.ErrnoException): Problem {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new Problem("LMT-002", "the path and the headers are too large", { status: 431 });
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new Problem("VAL-006", "the request did not come to its end in time", { status: 408 });
    default:
      return new Problem("VAL-006", "this is no request of HTTP/1.1");
  }
}
