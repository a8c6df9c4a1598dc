import { resolve } from "node:path";
import { createApiServer, listen } from "@levelset/apiserver";
import type { ApiServer, ListeningServer } from "@levelset/apiserver";
import { InputError, realRandom } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { Clock, Fetch, Logger } from "@levelset/core";
import { openDataFile } from "./data-file.ts";
import { checkClaim, claimKubeconfig, withServerRecord, writeServerEnd, writeServerRecord } from "../cluster/index.ts";
import type { ServerRecord } from "../cluster/index.ts";

/** A listening embedded server. Its kubeconfig is on disk while it listens. */
export interface EmbeddedServer extends AsyncDisposable {
  readonly url: string;
  /** In-process connection with full access. */
  readonly fetch: Fetch;
  /** Number of quarantined rows of its data file. */
  readonly quarantinedRows: number;
}

/** Options of {@link startEmbeddedServer}. */
export interface EmbeddedServerOptions {
  /** Command that runs it, for messages: `levelset dev`. */
  readonly command: string;
  readonly port: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Additional host names for the certificate. */
  readonly names?: readonly string[];
  /** Token of the administrator. Default: generated. */
  readonly token?: string;
  readonly kubeconfig: string;
  /** Credential in the kubeconfig. Default: the token. */
  readonly credential?: "token" | "certificate";
  /** File or directory to store objects in. Default: in memory. */
  readonly data?: string;
  /** Whether workloads are simulated. Default true. */
  readonly workloads?: boolean;
  readonly cwd: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Starts the embedded API server and writes its kubeconfig, readable by its owner alone. Throws an InputError if
 * another server runs with this kubeconfig; that server and its kubeconfig are not changed.
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const { clock, logger } = options;
  const { data, cwd } = options;
  const path = resolve(cwd, options.kubeconfig);
  const store = data === undefined ? undefined : await openDataFile(data, { cwd, logger });
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
      withServerRecord(listening.kubeconfig(options.credential), record),
      record,
      clock,
    );
    const stop = async (): Promise<void> => {
      await close();
      // Its credentials are no longer valid.
      await claim[Symbol.asyncDispose]();
    };
    const quarantinedRows = store?.quarantine.length ?? 0;
    return { url: listening.url, fetch: server.fetch, quarantinedRows, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await close();
    if (error instanceof InputError) throw error;
    throw new InputError(`cannot write the kubeconfig ${path}: ${toError(error).message}`, {
      hint: "pass another --kubeconfig",
    });
  }
}

/** Writes the kubeconfig and the server record that other commands read. */
async function publish(path: string, text: string, record: ServerRecord, clock: Clock): Promise<AsyncDisposable> {
  const claim = await claimKubeconfig(path, text, clock);
  await writeServerRecord(path, record);
  return {
    [Symbol.asyncDispose]: async () => {
      // Before the kubeconfig is removed: the next server must not be recorded as ended.
      await writeServerEnd(path, record, timeOf(clock));
      await claim[Symbol.asyncDispose]();
    },
  };
}

function timeOf(clock: Clock): string {
  return new Date(clock.now()).toISOString().replace(/\.\d+Z$/u, "Z");
}

async function startListening(
  server: ApiServer,
  kubeconfig: string,
  options: EmbeddedServerOptions,
): Promise<ListeningServer> {
  const { port, host, names, token, logger } = options;
  try {
    // If another server holds the kubeconfig, report that instead of the port conflict.
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
    const { cause } = toError(error);
    if (error instanceof InputError && cause === undefined) throw error;
    throw new InputError(`cannot listen on port ${port}: ${toError(cause ?? error).message}`, {
      hint: "pass another --port, or 0 for a free one",
    });
  }
}
