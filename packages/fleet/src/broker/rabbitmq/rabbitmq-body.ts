import type { MessageBody } from "rabbitmq-client";

/** The bytes of a message. The client reads bodies of publishers who announce plain JSON or text; they are written again. */
export function bytesOf(body: MessageBody): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
}
