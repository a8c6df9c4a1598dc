import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { InputError, toError } from "@levelset/core";

/** Address to listen on. */
export interface ListenAddress {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0 selects a free port. */
  readonly port: number;
}

/** An open port. */
export interface HttpListener {
  readonly server: Server;
  readonly url: string;
  readonly port: number;
  /** Closes the port and all its connections. */
  close(): Promise<void>;
}

/** Handles one request. A thrown error is sent as the response and does not end the process. */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Opens a port for HTTP. Rejects with an `InputError` if the port is not available. */
export async function listenHttp(
  { host = "127.0.0.1", port }: ListenAddress,
  handle: HttpHandler,
  options: ServerOptions = {},
): Promise<HttpListener> {
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
      hint: "choose another port, or stop the process that uses this one",
    });
  }
  const address = server.address() as AddressInfo; // a TCP server that listens has one
  const shown = host.includes(":") ? `[${host}]` : host;
  return { server, url: `http://${shown}:${address.port}`, port: address.port, close: () => closed(server) };
}

async function answer(handle: HttpHandler, request: IncomingMessage, response: ServerResponse): Promise<void> {
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
