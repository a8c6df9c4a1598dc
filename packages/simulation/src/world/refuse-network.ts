import { AsyncLocalStorage } from "node:async_hooks";
import dgram from "node:dgram";
import net from "node:net";

/** The refused connections of simulated programs. On disposal, connections are possible again. */
export interface RefusedNetwork extends Disposable {
  /** Returns the hosts that the program tried to reach since the last call, and forgets them. */
  take(): readonly string[];
}

/** A connection that a simulation has refused. */
class RefusedConnectionError extends Error {
  override readonly name: string = "RefusedConnectionError";
  constructor(host: string) {
    super(`a simulation has no network: pass a double, see the guide (${host})`);
  }
}

/** Set while simulated code runs, and in all asynchronous work that it starts. */
const SIMULATED = new AsyncLocalStorage<true>();
/** A test that replaces this function has its own double. */
const NATIVE_FETCH = globalThis.fetch;

/** The refusal of this Node process, and how many users it has. */
let active: Refusal | undefined;

/** Runs simulated code, which must not reach a real service. Other code of this Node process has its network. */
export async function withoutNetwork<Result>(run: () => Promise<Result>): Promise<Result> {
  using _ = refuse(false);
  return await SIMULATED.run(true, run);
}

/** Refuses all connections of this Node process, also those of code that is not simulated. */
export function refuseNetwork(): RefusedNetwork {
  return refuse(true);
}

/** Reports whether an error is a refused connection, or has one as its cause. */
export function isRefusedConnection(error: unknown): boolean {
  if (error instanceof RefusedConnectionError) return true;
  return error instanceof Error && error.cause !== undefined && isRefusedConnection(error.cause);
}

function refuse(isEverywhere: boolean): RefusedNetwork {
  const refusal = (active ??= new Refusal());
  refusal.users += 1;
  if (isEverywhere) refusal.everywhere += 1;
  return {
    take: () => refusal.take(),
    [Symbol.dispose]: () => {
      refusal.users -= 1;
      if (isEverywhere) refusal.everywhere -= 1;
      if (refusal.users > 0) return;
      refusal.restore();
      active = undefined;
    },
  };
}

type Method<Socket> = (this: Socket, ...args: readonly unknown[]) => unknown;

class Refusal {
  users = 0;
  /** The number of users for which all code is refused. */
  everywhere = 0;
  readonly restore: () => void;
  readonly #hosts = new Set<string>();

  constructor() {
    const { fetch } = globalThis;
    const guarded: typeof fetch = (...args) => {
      const error = this.#refused(hostOf(args[0]));
      return error === undefined ? fetch(...args) : Promise.reject(error);
    };
    if (fetch === NATIVE_FETCH) globalThis.fetch = guarded;
    const restores = [
      this.#guard(net.Socket.prototype, "connect", addressOf, (socket, error) => socket.destroy(error)),
      ...["send", "connect"].map((name) =>
        this.#guard(
          dgram.Socket.prototype,
          name,
          () => "UDP",
          (_, error) => {
            throw error;
          },
        ),
      ),
    ];
    this.restore = () => {
      if (globalThis.fetch === guarded) globalThis.fetch = fetch;
      for (const restore of restores) restore();
    };
  }

  /** Replaces a method of sockets. Returns a function that restores it. */
  #guard<Socket extends object>(
    prototype: Socket,
    name: string,
    hostOfCall: (args: readonly unknown[]) => string,
    fail: (socket: Socket, error: Error) => unknown,
  ): () => void {
    const methods = prototype as Record<string, Method<Socket>>; // a prototype has methods
    const original = methods[name];
    if (original === undefined) throw new Error(`a socket has no method ${name}`);
    const refused = (host: string): Error | undefined => this.#refused(host);
    methods[name] = function (this: Socket, ...args: readonly unknown[]): unknown {
      const error = refused(hostOfCall(args));
      return error === undefined ? Reflect.apply(original, this, args) : fail(this, error);
    };
    return () => {
      methods[name] = original;
    };
  }

  take(): readonly string[] {
    const taken = [...this.#hosts];
    this.#hosts.clear();
    return taken;
  }

  #refused(host: string): RefusedConnectionError | undefined {
    if (this.everywhere === 0 && SIMULATED.getStore() === undefined) return undefined;
    this.#hosts.add(host);
    return new RefusedConnectionError(host);
  }
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
