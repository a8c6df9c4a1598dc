import { Agent, fetch as undiciFetch } from "undici";
import type { Fetch } from "@levelset/core";
import type { ClusterAccess } from "./kubeconfig.ts";

/** An open way to a cluster. */
export interface Connection {
  readonly fetch: Fetch;
  /** Ends all requests and closes all sockets. */
  close(): Promise<void>;
}

/** Long enough for a slow API server to begin to answer; watches answer at once and then stay open without limit. */
const HEADERS_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Connects to the cluster of a kubeconfig's context: one pool of connections, TLS and credentials applied to every request. */
export function connect(access: ClusterAccess): Connection {
  const agent = new Agent({
    headersTimeout: HEADERS_TIMEOUT_MS,
    // A watch may be silent for minutes; its own deadline ends it.
    bodyTimeout: 0,
    connect: {
      timeout: CONNECT_TIMEOUT_MS,
      ...(access.ca === undefined ? {} : { ca: access.ca }),
      ...(access.certificate === undefined ? {} : { cert: access.certificate, key: access.key }),
      ...(access.skipVerification ? { rejectUnauthorized: false } : {}),
      ...(access.serverName === undefined ? {} : { servername: access.serverName }),
    },
  });
  const base = access.server.replace(/\/+$/u, "");
  return {
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      const token = await access.token?.();
      if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
      const body = request.body === null ? null : await request.text();
      const response = await undiciFetch(`${base}${pathname}${search}`, {
        method: request.method,
        headers: Object.fromEntries(headers),
        body,
        signal: request.signal,
        dispatcher: agent,
        redirect: "manual",
      });
      return response;
    },
    close: () => agent.destroy(),
  };
}
