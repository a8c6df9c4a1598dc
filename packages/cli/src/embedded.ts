import { resolve } from "node:path";
import { createApiServer, listen } from "@levelset/apiserver";
import type { ApiServer, Listening } from "@levelset/apiserver";
import { InputError, realRandom, toError } from "@levelset/core";
import type { Clock, Fetch, Logger } from "@levelset/core";
import { openData } from "./data-file.ts";
import { checkClaim, claimKubeconfig, signedKubeconfig } from "./kubeconfig-claim.ts";
import { rememberEnd, rememberServer } from "./server-memory.ts";
import type { ServerRecord } from "./server-memory.ts";

/** An embedded server that listens, with its kubeconfig on disk for as long as it does. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  /** The way to it inside this process, with every right. */
  readonly fetch: Fetch;
  /** How many damaged rows of its data file are in quarantine. */
  readonly quarantinedRows: number;
}

/** How an embedded server is started. */
export interface ServerOptions {
  /** What runs it, for people: `levelset dev`. */
  readonly command: string;
  readonly port: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** More names of this machine, for the certificate. */
  readonly names?: readonly string[];
  /** The administrator's token. Default: a new one. */
  readonly token?: string;
  readonly kubeconfig: string;
  /** What the kubeconfig shows to the server. Default: the token. */
  readonly credential?: "token" | "certificate";
  /** The file or directory where objects are kept. Default: in memory. */
  readonly data?: string;
  /** Whether workloads are simulated. Default true. */
  readonly workloads?: boolean;
  readonly cwd: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Starts the embedded API server and writes a kubeconfig for it, readable by its owner alone. Throws an InputError if another server runs
 * with this kubeconfig, and leaves that one as it is.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { clock, logger } = options;
  const { data, cwd } = options;
  const path = resolve(cwd, options.kubeconfig);
  const store = data === undefined ? undefined : await openData(data, { cwd, logger });
  const server = createApiServer({
    clock,
    random: realRandom,
    logger,
    controllers: { serviceAccounts: true, workloads: options.workloads ?? true },
    ...(store === undefined ? {} : { store }),
  });
  const listening = await startListening(server, path, options);
  const close = async (): Promise<void> => {
    await listening.close();
    server.close();
  };
  const record = { command: options.command, pid: process.pid, started: timeOf(clock) };
  try {
    const claim = await publish(
      path,
      signedKubeconfig(listening.kubeconfig(options.credential), record),
      record,
      clock,
    );
    const stop = async (): Promise<void> => {
      await close();
      // Its credentials are worthless now.
      await claim[Symbol.asyncDispose]();
    };
    const quarantinedRows = store?.quarantine.length ?? 0;
    return { url: listening.url, fetch: server.fetch, quarantinedRows, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await close();
    if (error instanceof InputError) throw error;
    throw new InputError(`cannot write the kubeconfig ${path}: ${toError(error).message}`, {
      hint: "choose another --kubeconfig",
    });
  }
}

/** Writes the kubeconfig, and remembers the server where commands look for it. */
async function publish(path: string, text: string, record: ServerRecord, clock: Clock): Promise<AsyncDisposable> {
  const claim = await claimKubeconfig(path, text, clock);
  await rememberServer(path, record);
  return {
    [Symbol.asyncDispose]: async () => {
      // Before the kubeconfig goes: a server that starts next must not be taken for one that has ended.
      await rememberEnd(path, record, timeOf(clock));
      await claim[Symbol.asyncDispose]();
    },
  };
}

function timeOf(clock: Clock): string {
  return new Date(clock.now()).toISOString().replace(/\.\d+Z$/u, "Z");
}

async function startListening(server: ApiServer, kubeconfig: string, options: ServerOptions): Promise<Listening> {
  const { port, host, names, token, logger } = options;
  try {
    // A second server mostly wants the port of the first, too: what it needs to know is that there is a first.
    await checkClaim(kubeconfig, options.clock);
    return await listen(server, {
      port,
      logger,
      ...(host === undefined ? {} : { host }),
      ...(names === undefined ? {} : { names }),
      ...(token === undefined ? {} : { token }),
    });
  } catch (error) {
    server.close();
    if (error instanceof InputError) throw error;
    throw new InputError(`cannot listen on port ${port}: ${toError(error).message}`, {
      hint: "choose another --port, or 0",
    });
  }
}
