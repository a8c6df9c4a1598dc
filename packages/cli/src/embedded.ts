import { resolve } from "node:path";
import { createApiServer, listen } from "@levelset/apiserver";
import type { ApiServer, Listening } from "@levelset/apiserver";
import { InputError, realRandom, toError } from "@levelset/core";
import type { Clock, Fetch, Logger } from "@levelset/core";
import { openData } from "./data-file.ts";
import { removeOwnFile, writeOwnFile } from "./own-file.ts";

/** An embedded server that listens, with its kubeconfig on disk for as long as it does. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  /** The way to it inside this process, with every right. */
  readonly fetch: Fetch;
}

/** How an embedded server is started. */
export interface ServerOptions {
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

/** Starts the embedded API server and writes a kubeconfig for it, readable by its owner alone. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { clock, logger } = options;
  const { data, cwd } = options;
  const kept = data === undefined ? {} : { store: await openData(data, { cwd, logger }) };
  const server = createApiServer({
    clock,
    random: realRandom,
    logger,
    controllers: { serviceAccounts: true, workloads: options.workloads ?? true },
    ...kept,
  });
  const listening = await startListening(server, options);
  const path = resolve(options.cwd, options.kubeconfig);
  const text = listening.kubeconfig(options.credential);
  const stop = async (): Promise<void> => {
    await listening.close();
    server.close();
    // Its credentials are worthless now.
    await removeOwnFile(path, text);
  };
  try {
    await writeOwnFile(path, text);
  } catch (error) {
    await stop();
    throw new InputError(`cannot write the kubeconfig ${path}: ${toError(error).message}`, {
      hint: "choose another --kubeconfig",
    });
  }
  return { url: listening.url, fetch: server.fetch, [Symbol.asyncDispose]: stop };
}

async function startListening(server: ApiServer, options: ServerOptions): Promise<Listening> {
  const { port, host, names, token, logger } = options;
  try {
    return await listen(server, {
      port,
      logger,
      ...(host === undefined ? {} : { host }),
      ...(names === undefined ? {} : { names }),
      ...(token === undefined ? {} : { token }),
    });
  } catch (error) {
    server.close();
    throw new InputError(`cannot listen on port ${port}: ${toError(error).message}`, {
      hint: "choose another --port, or 0",
    });
  }
}
