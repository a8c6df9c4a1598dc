import { InputError, realRandom, silentLogger } from "@levelset/core";
import type { ObjectKey } from "@levelset/core";
import { startConsole } from "@levelset/console";
import type { ProcessResponses, Processes, Stories } from "@levelset/console";
import { describeCluster, findCluster, isClusterExplicit, kubeconfigFiles } from "../cluster/index.ts";
import type { ClusterFlags, SelectedCluster } from "../cluster/index.ts";
import { findFleet } from "../fleet-location/index.ts";
import type { FleetFlags } from "../fleet-location/index.ts";
import { buildConsole } from "./build-console.ts";
import { startAtLastAddress } from "./console-state.ts";
import { fleetClient } from "../fleet/index.ts";
import { ReconnectingConnection } from "./reconnecting-connection.ts";
import { describeProcess, fetchMetrics, fetchRuns, findProcesses, worksOnCluster } from "../process/index.ts";
import type { Shell } from "../terminal/index.ts";

/** The console retries by itself and shows the error meanwhile. */
const CONSOLE_TIMEOUTS = { retry: { triesMax: 1 }, timeoutMs: 10_000 } as const;

/** Flags of `levelset console`. */
export interface ConsoleFlags extends ClusterFlags, FleetFlags {
  readonly port: number;
  readonly allowActions?: boolean;
}

/** A running console and its startup messages. */
export interface OpenConsole extends AsyncDisposable {
  readonly url: string;
  readonly startupLines: readonly string[];
}

/** Opens a console for the selected cluster and fleet; one of them is enough. */
export async function openConsole(flags: ConsoleFlags, shell: Shell): Promise<OpenConsole> {
  const location = findFleet(shell, flags);
  const found = await clusterOrReason(flags, location !== undefined, shell);
  const connection = typeof found === "string" ? undefined : connectionTo(found, flags, shell);
  try {
    const [fleet] = await Promise.all([
      location === undefined ? undefined : fleetClient(location, flags, shell, CONSOLE_TIMEOUTS),
      buildConsole(),
    ]);
    const options = {
      ...(connection === undefined ? {} : { cluster: connection }),
      ...(fleet === undefined ? {} : { fleet }),
      processes: processesOf(() => connection?.access.server, shell),
      stories: storiesOf(shell.cwd),
      allowActions: flags.allowActions === true,
      clock: shell.clock,
      random: realRandom,
      logger: silentLogger,
    };
    const address = { cwd: shell.cwd, port: flags.port };
    const running = await startAtLastAddress(address, (state) => startConsole({ ...options, ...state }));
    return {
      url: running.url,
      startupLines: [
        `console     ${running.url}`,
        `cluster     ${typeof found === "string" ? `none: ${found}` : describeCluster(found)}`,
        ...(location === undefined ? [] : [`fleet       ${location.url}`]),
      ],
      [Symbol.asyncDispose]: async () => {
        await running[Symbol.asyncDispose]();
        await connection?.close();
      },
    };
  } catch (error) {
    await connection?.close();
    throw error;
  }
}

/** Returns the cluster, or the reason for its absence if a fleet alone suffices. */
async function clusterOrReason(
  flags: ClusterFlags,
  hasFleet: boolean,
  shell: Shell,
): Promise<SelectedCluster | string> {
  try {
    return await findCluster(shell, flags);
  } catch (error) {
    if (!hasFleet || isClusterExplicit(shell, flags) || !(error instanceof InputError)) throw error;
    return error.message;
  }
}

/** Returns a connection that keeps its context when the kubeconfig files are replaced. */
function connectionTo({ access, foundIn }: SelectedCluster, flags: ClusterFlags, shell: Shell): ReconnectingConnection {
  const kubeconfig = foundIn ?? flags.kubeconfig;
  const choice = { ...(kubeconfig === undefined ? {} : { kubeconfig }), context: access.context };
  const files = kubeconfigFiles(shell, choice);
  return new ReconnectingConnection({ access, files, read: async () => (await findCluster(shell, choice)).access });
}

/** Returns the operator processes of the cluster on this machine, looked up for each query. */
function processesOf(serverNow: () => string | undefined, shell: Shell): Processes {
  const here = async (): ReturnType<typeof findProcesses> => {
    const all = await findProcesses({}, shell);
    const server = serverNow();
    return server === undefined ? all : all.filter((process) => worksOnCluster(process, server));
  };
  return {
    runs: async (key: ObjectKey | undefined, signal: AbortSignal): Promise<ProcessResponses> => {
      const { responses, unreachable } = await fetchRuns(await here(), key, { clock: shell.clock, signal });
      return {
        responses: responses.map(({ process, ...runs }) => ({
          ...runs,
          title: describeProcess(process),
          url: process.url,
        })),
        unreachable: unreachable.map(({ process, why }) => ({
          title: describeProcess(process),
          url: process.url,
          why,
        })),
      };
    },
    metrics: async (url: string, signal: AbortSignal): Promise<string | undefined> => {
      const process = (await here()).find((each) => each.url === url);
      return process === undefined ? undefined : fetchMetrics(process, { clock: shell.clock, signal });
    },
  };
}

/** Returns the simulation stories of a directory. The simulation is imported on demand, so that the start is not delayed. */
function storiesOf(cwd: string): Stories {
  let directory: Promise<Stories> | undefined;
  const opened = (): Promise<Stories> => {
    directory ??= import("./story-directory.ts").then(({ StoryDirectory }) => new StoryDirectory(cwd));
    return directory;
  };
  return {
    list: async (signal) => (await opened()).list(signal),
    read: async (name, signal) => (await opened()).read(name, signal),
  };
}
