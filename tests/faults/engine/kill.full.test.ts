import { join } from "node:path";
import { ConfigMap, Deployment, isReady, Job, Pod, ReplicaSet, realClock, Service, StatefulSet } from "@levelset/core";
import { randomInt } from "@levelset/core/internal";
import type { Kind, KubeObject, Random } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { Client, connect, installCrd, loadKubeconfig } from "@levelset/operator";
import type { Connection } from "@levelset/operator";
import { expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { Database } from "../../../examples/03-service-with-db/database.ts";
import { ServiceWithDB } from "../../../examples/03-service-with-db/service-with-db.ts";
import { TestProcess } from "../../support/test-process.ts";
import { LAUNCHER, ROOT } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import { diffSnapshots, snapshotObjects, NO_DIFFERENCE } from "./snapshot.ts";

const NAMES = ["a", "b", "c", "d", "e"];
const KILLS = 50;
/** Maximum number of writes to the server before the operator is killed. */
const WRITES_MAX = 30;
const SLOW = { timeoutMs: 120_000, pollMs: 20 };
const KINDS: readonly Kind[] = [ServiceWithDB, Database, StatefulSet, Deployment, Job, ConfigMap, Service];
const namespace = "default";

/** A server and an operator, each in its own process. */
class Scenario implements AsyncDisposable {
  readonly #directory: Awaited<ReturnType<typeof tempDirectory>>;
  readonly #server: TestProcess;
  readonly #connection: Connection;
  readonly client: Client;
  #operator: TestProcess;

  private constructor(
    directory: Awaited<ReturnType<typeof tempDirectory>>,
    server: TestProcess,
    connection: Connection,
  ) {
    this.#directory = directory;
    this.#server = server;
    this.#connection = connection;
    this.client = new Client({ fetch: connection.fetch, fieldManager: "test" });
    this.#operator = this.#start();
  }

  static async open(): Promise<Scenario> {
    const directory = await tempDirectory();
    const kubeconfig = join(directory.path, "kubeconfig");
    const args = [LAUNCHER, "apiserver", "--kubeconfig", kubeconfig];
    const server = new TestProcess(process.execPath, { args, cwd: ROOT });
    await server.untilOutput(/kubeconfig/u);
    const connection = connect(await loadKubeconfig(kubeconfig));
    const scenario = new Scenario(directory, server, connection);
    for (const kind of [Database, ServiceWithDB]) await installCrd(scenario.client, kind, { clock: realClock });
    return scenario;
  }

  #start(): TestProcess {
    const kubeconfig = join(this.#directory.path, "kubeconfig");
    const example = "examples/03-service-with-db/service-with-db.ts";
    const args = [LAUNCHER, "run", example, "--kubeconfig", kubeconfig, "--install-crds"];
    return new TestProcess(process.execPath, { args, cwd: ROOT });
  }

  /** Kills the operator with SIGKILL and starts another. */
  async kill(): Promise<void> {
    this.#operator.signal("SIGKILL");
    await this.#operator.untilExit();
    this.#operator = this.#start();
  }

  async list(kind: Kind): Promise<readonly KubeObject[]> {
    const { items } = await this.client.list(kind, { namespace });
    return items.filter(({ metadata }) => metadata.name !== "kubernetes" && metadata.name !== "kube-root-ca.crt");
  }

  /** The number of writes to the server, by the operator and the built-in controllers. */
  async writes(): Promise<number> {
    return Number((await this.client.list(ServiceWithDB, { namespace })).resourceVersion);
  }

  snapshot(): Promise<readonly string[]> {
    return snapshotObjects(KINDS, (kind) => this.list(kind));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#operator[Symbol.asyncDispose]();
    await this.#connection.close();
    await this.#server[Symbol.asyncDispose]();
    await this.#directory[Symbol.asyncDispose]();
  }
}

/** A change of every object, and the check that it is complete. */
interface Act {
  readonly act: (client: Client, name: string) => Promise<unknown>;
  readonly isOver: (scenario: Scenario) => Promise<boolean>;
}

async function areReady(scenario: Scenario): Promise<boolean> {
  const { items } = await scenario.client.list(ServiceWithDB, { namespace });
  return items.length === NAMES.length && items.every((object) => isReady(object));
}

/** Whether no pod of an older template is left. */
async function areRolledOut({ client }: Scenario): Promise<boolean> {
  const pods = await client.list(Pod, { namespace });
  const sets = await client.list(ReplicaSet, { namespace });
  const isScaled = sets.items.every(({ spec, status }) => (status?.replicas ?? 0) === (spec?.replicas ?? 1));
  return isScaled && pods.items.every(({ metadata }) => metadata.deletionTimestamp === undefined);
}

async function isEmpty(scenario: Scenario): Promise<boolean> {
  for (const kind of [...KINDS, Pod, ReplicaSet]) if ((await scenario.list(kind)).length > 0) return false;
  return true;
}

const ACTS: Readonly<Record<string, Act>> = {
  create: {
    act: (client, name) =>
      client.create(ServiceWithDB, { metadata: { namespace, name }, spec: { image: "shop:1", passwordSecret: "key" } }),
    isOver: areReady,
  },
  update: {
    act: (client, name) =>
      client.mergePatch(
        ServiceWithDB,
        { namespace, name },
        { spec: { image: "shop:2", replicas: 2, logLevel: "debug" } },
      ),
    isOver: areReady,
  },
  delete: { act: (client, name) => client.delete(ServiceWithDB, { namespace, name }), isOver: isEmpty },
};

/** Changes every object and kills the operator until the change is complete. Returns the number of kills. */
async function play(scenario: Scenario, { act, isOver }: Act, random: Random, killsMax: number): Promise<number> {
  for (const name of NAMES) await act(scenario.client, name);
  let kills = 0;
  for (; kills < killsMax; kills++) {
    const next = (await scenario.writes()) + randomInt(random, 1, WRITES_MAX);
    const isDue = async (): Promise<boolean> => (await scenario.writes()) >= next || isOver(scenario);
    await eventually("the next kill is due", isDue, SLOW);
    if (await isOver(scenario)) return kills;
    await scenario.kill();
  }
  await eventually("the change is complete", () => isOver(scenario), SLOW);
  return kills;
}

test("crash safety: an operator that is killed fifty times at random moments reaches the same state", async () => {
  await using scenario = await Scenario.open();
  const random = seededRandom(41);
  const ends = new Map<string, readonly string[]>();
  for (const [name, act] of Object.entries(ACTS)) {
    await play(scenario, act, random, 0);
    await eventually("the pods of older templates are deleted", () => areRolledOut(scenario), SLOW);
    ends.set(name, await scenario.snapshot());
  }
  let kills = 0;
  while (kills < KILLS) {
    for (const [name, act] of Object.entries(ACTS)) {
      kills += await play(scenario, act, random, KILLS);
      const left = async () => diffSnapshots(ends.get(name) ?? [], await scenario.snapshot());
      await expect.poll(left, { timeout: SLOW.timeoutMs }).toEqual(NO_DIFFERENCE);
    }
  }
});
