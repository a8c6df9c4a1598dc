import type { MessageBody } from "rabbitmq-client";

/**
 * Returns the bytes of a message. The client parses bodies with a plain JSON or text content type; these are encoded
 * again.
 */
export function bytesOf(body: MessageBody): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
}
