import { randomBytes, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Clock, Fetch, Logger, Random } from "@levelset/core";
import type { FleetClient } from "@levelset/fleet/client";
import { ClusterView, digestOf, FleetView, loadWebFiles, ProblemBoard, serveConsole } from "./server/index.ts";
import type { Processes } from "./server/index.ts";

/** Where the built pages are, seen from the sources and from what is built alike. */
const WEB_DIRECTORY = fileURLToPath(new URL("../dist/pages/", import.meta.url));

/** A cluster to look at. */
export interface ClusterPlace {
  readonly fetch: Fetch;
  /** Where that leads now. */
  readonly access: { readonly server: string; readonly context: string };
  /** Calls whenever it leads elsewhere: to another server, perhaps, with a history of its own. */
  onRenewed?(listener: () => void): void;
}

/** What a console looks at, and the world it lives in. */
export interface ConsoleOptions {
  /** The cluster to look at. */
  readonly cluster?: ClusterPlace;
  /** The fleet to look at. */
  readonly fleet?: FleetClient;
  readonly processes: Processes;
  /** Whether pages may edit, delete, suspend, resume and roll back. Default: they only look. */
  readonly allowActions?: boolean;
  /** 0: any free one. */
  readonly port: number;
  /** What a browser must show. Default: a new one. */
  readonly token?: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** A console that runs. */
export interface RunningConsole extends AsyncDisposable {
  /** Where to open it. The address carries a token: whoever knows it may look. */
  readonly url: string;
}

/**
 * Starts the web console: it follows the cluster and the fleet once, for however many pages, and serves what it sees on this machine.
 * What cannot be reached is told on the pages, and tried again.
 */
export async function startConsole(options: ConsoleOptions): Promise<RunningConsole> {
  const { cluster: place, fleet: client, processes, clock, random, logger, port } = options;
  const web = await loadWebFiles(WEB_DIRECTORY);
  const board = new ProblemBoard();
  const epoch = randomUUID();
  const stop = new AbortController();
  const actionToken = secret();
  const pages = digestOf(web);
  const cluster =
    place === undefined ? undefined : new ClusterView({ fetch: place.fetch, clock, random, epoch, processes, board });
  place?.onRenewed?.(() => cluster?.refresh());
  const fleet = client === undefined ? undefined : new FleetView({ client, clock, epoch, board });
  const listening = await serveConsole({
    sources: { cluster, fleet, processes, board, clock },
    web,
    session: () => ({
      ...(place === undefined ? {} : { cluster: { server: place.access.server, context: place.access.context } }),
      ...(client === undefined ? {} : { fleet: { url: client.url } }),
      allowActions: options.allowActions === true,
      pages,
      actionToken,
    }),
    token: options.token ?? secret(),
    port,
    logger,
    signal: stop.signal,
  }).catch(async (error: unknown) => {
    // Views hold what only their run lets go of.
    stop.abort();
    await Promise.all([cluster?.run(stop.signal), fleet?.run(stop.signal)]);
    throw error;
  });
  const looking = [cluster, fleet].map((view) => view?.run(stop.signal) ?? Promise.resolve());
  return {
    url: listening.url,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await listening.close();
      await Promise.all(looking);
    },
  };
}

function secret(): string {
  return randomBytes(24).toString("base64url");
}
