import { fileURLToPath } from "node:url";
import { Agent } from "node:http";
import { readKinds } from "@levelset/fleet";
import type { StoreConfig } from "@levelset/fleet";
import { TestProcess } from "../../../support/test-process.ts";
import { ROOT } from "../../../support/repository.ts";
import { inconsistencies } from "../consistency.ts";
import { ENTITIES, openTestStore } from "../../../support/fleet/running-fleet.ts";
import { FleetHttpClient } from "../../../support/fleet/http.ts";
import { FleetUser } from "../../../support/fleet/fleet-user.ts";
import type { WireResource } from "../../../support/fleet/wire.ts";
import { CreateLoad, missingOrDuplicateCreates, newClusters } from "./create-load.ts";
import { lostOrDuplicateReports, ReportLoad, reportsOn } from "./report-load.ts";

const PROGRAM = fileURLToPath(new URL("api-process.ts", import.meta.url));
/** Below the number of requests that an API handles at once. */
const SOCKETS_MAX = 900;

/** An API in a separate process. */
export class ApiProcess implements AsyncDisposable {
  readonly http: FleetHttpClient;
  readonly #process: TestProcess;

  private constructor(url: string, running: TestProcess) {
    this.http = new FleetHttpClient(url, {}, new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX }));
    this.#process = running;
  }

  static async start(config: StoreConfig): Promise<ApiProcess> {
    const args = ["-C", "levelset-source", PROGRAM, JSON.stringify(config)];
    const running = new TestProcess(process.execPath, { args, cwd: ROOT });
    const [, url = ""] = await running.untilOutput(/listening at (?<url>\S+)/u);
    return new ApiProcess(url, running);
  }

  /** Kills the process with SIGKILL: pending work is lost. */
  kill(): void {
    this.#process.signal("SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.http[Symbol.dispose]();
    await this.#process[Symbol.asyncDispose]();
  }
}

/** Result of a kill. */
export interface KillOutcome {
  readonly acknowledged: number;
  readonly uncertain: number;
  /** Problems found afterwards; empty if there are none. */
  readonly problems: readonly string[];
}

/**
 * Sends reports concurrently, kills the API when some of them are acknowledged, and checks the store; then restarts
 * it, resends the uncertain reports, and checks again.
 */
export async function killDuringReports(
  config: StoreConfig,
  options: { readonly reports: number; readonly killAfter: number },
): Promise<KillOutcome> {
  const { clusters, load } = await loadAndKill(config, options);
  const problems = [...load.unexpected, ...(await checkStore(config, clusters, load))];
  await using again = await ApiProcess.start(config);
  const rest = new ReportLoad(again.http);
  await rest.send(load.uncertain);
  // Only one process at a time can open a SQLite file.
  await again[Symbol.asyncDispose]();
  problems.push(...rest.unexpected);
  const acknowledged = [...load.acknowledged, ...rest.acknowledged];
  problems.push(...(await checkStore(config, clusters, { acknowledged })));
  if (rest.uncertain.length > 0) problems.push(`${rest.uncertain.length} reports were not accepted after the restart`);
  return { acknowledged: load.acknowledged.length, uncertain: load.uncertain.length, problems };
}

/** The same with clusters created by idempotency key: uncertain creates are resent with the same key. */
export async function killDuringCreates(
  config: StoreConfig,
  { creates, killAfter }: { readonly creates: number; readonly killAfter: number },
): Promise<KillOutcome> {
  const load = await createAndKill(config, creates, killAfter);
  await using again = await ApiProcess.start(config);
  const rest = new CreateLoad(again.http);
  await rest.send(load.uncertain);
  // Only one process at a time can open a SQLite file.
  await again[Symbol.asyncDispose]();
  await using store = await openTestStore(config);
  const kinds = readKinds(ENTITIES);
  const acknowledged = new Map([...load.acknowledged, ...rest.acknowledged]);
  const problems = [
    ...load.unexpected,
    ...rest.unexpected,
    ...(acknowledged.size === creates ? [] : [`${acknowledged.size} of ${creates} are acknowledged`]),
    ...(await missingOrDuplicateCreates(store, kinds, acknowledged)),
    ...(await inconsistencies(store, kinds)),
  ];
  return { acknowledged: load.acknowledged.size, uncertain: load.uncertain.length, problems };
}

async function createAndKill(config: StoreConfig, creates: number, killAfter: number): Promise<CreateLoad> {
  await using api = await ApiProcess.start(config);
  const load = new CreateLoad(api.http, (count) => {
    if (count === killAfter) api.kill();
  });
  await load.send(newClusters(creates));
  return load;
}

async function loadAndKill(
  config: StoreConfig,
  { reports, killAfter }: { readonly reports: number; readonly killAfter: number },
): Promise<{ readonly clusters: readonly WireResource[]; readonly load: ReportLoad }> {
  await using api = await ApiProcess.start(config);
  const user = new FleetUser(api.http);
  const clusters = await Promise.all(Array.from({ length: 100 }, () => user.cluster()));
  const load = new ReportLoad(api.http, (count) => {
    if (count === killAfter) api.kill();
  });
  await load.send(reportsOn(clusters, reports));
  return { clusters, load };
}

async function checkStore(
  config: StoreConfig,
  clusters: readonly WireResource[],
  load: Pick<ReportLoad, "acknowledged">,
): Promise<readonly string[]> {
  await using store = await openTestStore(config);
  const kinds = readKinds(ENTITIES);
  return [...(await inconsistencies(store, kinds)), ...(await lostOrDuplicateReports(store, clusters, load))];
}
