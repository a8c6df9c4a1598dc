import { randomBytes, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Clock, Fetch, Logger, Random } from "@levelset/core";
import type { FleetClient } from "@levelset/fleet/client";
import { ClusterMonitor, buildDigest, FleetMonitor, loadWebFiles, ProblemList, serveConsole } from "./server/index.ts";
import type { Processes, Stories } from "./server/index.ts";

/** Directory of the built pages; the relative path is the same from `src` and from `dist`. */
const WEB_DIRECTORY = fileURLToPath(new URL("../dist/pages/", import.meta.url));

/** Connection to a cluster. */
export interface ClusterConnection {
  readonly fetch: Fetch;
  /** The current server and context. */
  readonly access: { readonly server: string; readonly context: string };
  /** Calls the listener after the connection was replaced. The new server may have other resource versions. */
  onReconnect?(listener: () => void): void;
}

/** Options of {@link startConsole}. */
export interface ConsoleOptions {
  /** The cluster to show. */
  readonly cluster?: ClusterConnection;
  /** The fleet to show. */
  readonly fleet?: FleetClient;
  readonly processes: Processes;
  /** The recorded failures of simulations to show. */
  readonly stories?: Stories;
  /** Whether pages may edit, delete, suspend, resume and roll back. Default: read-only. */
  readonly allowActions?: boolean;
  /** Port on loopback; 0 selects a free port. */
  readonly port: number;
  /** Access token. Default: generated. */
  readonly token?: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** A running console. */
export interface RunningConsole extends AsyncDisposable {
  /** URL with the access token. */
  readonly url: string;
}

/**
 * Starts the web console on loopback. It watches the cluster and the fleet once for all pages. Pages show connection
 * errors, and the console retries. Rejects if the pages are not built or the port is in use.
 */
export async function startConsole(options: ConsoleOptions): Promise<RunningConsole> {
  const { cluster: target, fleet: client, processes, stories, clock, random, logger, port } = options;
  const web = await loadWebFiles(WEB_DIRECTORY);
  const problems = new ProblemList();
  const epoch = randomUUID();
  const stop = new AbortController();
  const actionToken = randomToken();
  const buildId = buildDigest(web);
  const cluster =
    target === undefined
      ? undefined
      : new ClusterMonitor({ fetch: target.fetch, clock, random, epoch, processes, problems });
  target?.onReconnect?.(() => cluster?.refresh());
  const fleet = client === undefined ? undefined : new FleetMonitor({ client, clock, epoch, problems });
  const listening = await serveConsole({
    sources: { cluster, fleet, processes, stories, problems, clock },
    web,
    session: () => ({
      ...(target === undefined ? {} : { cluster: { server: target.access.server, context: target.access.context } }),
      ...(client === undefined ? {} : { fleet: { url: client.url } }),
      allowActions: options.allowActions === true,
      buildId,
      actionToken,
    }),
    token: options.token ?? randomToken(),
    port,
    logger,
    signal: stop.signal,
  }).catch(async (error: unknown) => {
    // Only run() releases the resources of the monitors.
    stop.abort();
    await Promise.all([cluster?.run(stop.signal), fleet?.run(stop.signal)]);
    throw error;
  });
  const monitoring = [cluster, fleet].map((monitor) => monitor?.run(stop.signal) ?? Promise.resolve());
  return {
    url: listening.url,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await listening.close();
      await Promise.all(monitoring);
    },
  };
}

function randomToken(): string {
  return randomBytes(24).toString("base64url");
}
