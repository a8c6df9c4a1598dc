import type { Duplex } from "node:stream";
import type { HttpResponse } from "./http-handler.ts";

/** Bytes that are no HTTP/1.1 request, headers above the limit, or a request that is not complete in time. */
export type ClientErrorKind = "malformed" | "header-overflow" | "timeout";

/** Returns the response to a request that Node could not read. Its body is text. */
export type ClientErrorResponder = (kind: ClientErrorKind) => HttpResponse;

/** Returns the kind of an error that Node reports for a client. */
export function clientErrorKind({ code }: NodeJS.ErrnoException): ClientErrorKind {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return "header-overflow";
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return "timeout";
    default:
      return "malformed";
  }
}

/** Writes a response to a socket whose request could not be read, and closes the connection. */
export function endWithResponse(
  socket: Duplex,
  { status, headers, body }: HttpResponse,
  statusText: string | undefined,
): void {
  const text = typeof body === "string" ? body : "";
  const head = [
    `HTTP/1.1 ${status} ${statusText ?? ""}`,
    "connection: close",
    `content-length: ${Buffer.byteLength(text)}`,
    ...[...headers].flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`)),
  ];
  socket.end([...head, "", text].join("\r\n"));
}
