import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { InputError, toError } from "@levelset/core";

/** Where to listen. */
export interface PortAddress {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0: any free one. */
  readonly port: number;
}

/** A port that is open. */
export interface OpenPort {
  readonly server: Server;
  readonly url: string;
  readonly port: number;
  /** Closes it, and every connection to it. */
  close(): Promise<void>;
}

/** Answers one request. What it throws, the asker is told; the process goes on. */
export type PortHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Opens a port for HTTP. Throws an InputError if it cannot be had, as when it is taken. */
export async function openPort(
  { host = "127.0.0.1", port }: PortAddress,
  handle: PortHandler,
  options: ServerOptions = {},
): Promise<OpenPort> {
  // Loaded here: its import also loads the platform's fetch, which an operator that opens no port does without.
  const { createServer } = await import("node:http");
  const server = createServer(options, (request, response) => void answer(handle, request, response));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, host, resolve);
  try {
    await promise;
  } catch (error) {
    throw new InputError(`cannot listen on ${host}:${port}: ${toError(error).message}`, {
      hint: "choose another port, or end the process that has this one",
    });
  }
  const address = server.address() as AddressInfo; // a TCP server that listens has one
  const shown = host.includes(":") ? `[${host}]` : host;
  return { server, url: `http://${shown}:${address.port}`, port: address.port, close: () => closed(server) };
}

async function answer(handle: PortHandler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await handle(request, response);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else response.writeHead(500, { "content-type": "text/plain; charset=utf-8" }).end(`${toError(error).message}\n`);
  }
}

function closed(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  return promise;
}
