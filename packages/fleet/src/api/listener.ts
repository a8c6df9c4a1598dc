import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { InputError, toError } from "@levelset/core";

/** Where to listen. */
export interface ListenAddress {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0: any free one. */
  readonly port: number;
}

/** A server that listens. */
export interface Listener {
  readonly server: Server;
  readonly url: string;
  readonly port: number;
}

/** Opens a port. Throws an InputError if it is taken. */
export async function listen(
  { host = "127.0.0.1", port }: ListenAddress,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  options: ServerOptions = {},
): Promise<Listener> {
  const server = createServer(options, handle);
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
  return { server, url: `http://${shown}:${address.port}`, port: address.port };
}

/** Closes a port, and every connection to it. */
export function closeListener({ server }: Listener): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  return promise;
}
