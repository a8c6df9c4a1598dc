import dgram from "node:dgram";
import net from "node:net";

/** The hosts that a program tried to reach. */
export interface RefusedNetwork {
  /** Returns the hosts since the last call, and forgets them. */
  take(): readonly string[];
}

const MESSAGE = "a simulation has no network: pass a double, see the guide";

/** Refuses all connections of this process from now on. A simulated program must not reach a real service. */
export function refuseNetwork(): RefusedNetwork {
  const hosts = new Set<string>();
  const refusal = (host: string): Error => {
    hosts.add(host);
    return new Error(`${MESSAGE} (${host})`);
  };
  globalThis.fetch = (input) => Promise.reject(refusal(hostOf(input)));
  net.Socket.prototype.connect = function connect(this: net.Socket, ...args: readonly unknown[]): net.Socket {
    return this.destroy(refusal(addressOf(args)));
  };
  dgram.Socket.prototype.send = (): never => {
    throw refusal("UDP");
  };
  dgram.Socket.prototype.connect = (): never => {
    throw refusal("UDP");
  };
  return {
    take: () => {
      const taken = [...hosts];
      hosts.clear();
      return taken;
    },
  };
}

function hostOf(input: Parameters<typeof fetch>[0]): string {
  const url = typeof input === "string" ? input : "url" in input ? input.url : input.href;
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Returns the address of `connect(options)`, `connect(port, host)` or `connect(path)`; Node wraps them in a list. */
function addressOf(args: readonly unknown[]): string {
  const [first, second] = args.flat();
  const options: Readonly<Record<string, unknown>> =
    typeof first === "object" && first !== null ? { ...first } : { port: first, host: second };
  const { host, port, path } = options;
  if (typeof path === "string" && port === undefined) return path;
  const isPath = typeof port === "string" && !/^\d+$/u.test(port);
  return isPath ? port : `${typeof host === "string" ? host : "localhost"}:${Number(port)}`;
}
