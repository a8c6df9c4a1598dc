import { join } from "node:path";
import {
  ConfigMap,
  Deployment,
  isReady,
  Job,
  Pod,
  randomInt,
  ReplicaSet,
  realClock,
  Service,
  StatefulSet,
} from "@levelset/core";
import type { Kind, KubeObject, Random } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { Client, connect, installKind, loadKubeconfig } from "@levelset/operator";
import type { Connection } from "@levelset/operator";
import { expect, test } from "vitest";
import { Database } from "../../examples/03-service-with-db/database.ts";
import { ServiceWithDB } from "../../examples/03-service-with-db/service-with-db.ts";
import { TestProcess } from "../support/process.ts";
import { LAUNCHER, ROOT } from "../support/repository.ts";
import { scratch } from "../support/scratch.ts";
import { difference, picture, SAME } from "./picture.ts";

const NAMES = ["a", "b", "c", "d", "e"];
const KILLS = 50;
/** A process needs about this long to begin its work, and may then work for this long before it is killed. */
const START_MS = 300;
const WORK_MS = 600;
const KINDS: readonly Kind[] = [ServiceWithDB, Database, StatefulSet, Deployment, Job, ConfigMap, Service];
const namespace = "default";

/** A server and an operator, each in a process of its own. */
class Scene implements AsyncDisposable {
  readonly #directory: Awaited<ReturnType<typeof scratch>>;
  readonly #server: TestProcess;
  readonly #connection: Connection;
  readonly client: Client;
  #operator: TestProcess;

  private constructor(directory: Awaited<ReturnType<typeof scratch>>, server: TestProcess, connection: Connection) {
    this.#directory = directory;
    this.#server = server;
    this.#connection = connection;
    this.client = new Client({ fetch: connection.fetch, fieldManager: "test" });
    this.#operator = this.#start();
  }

  static async open(): Promise<Scene> {
    const directory = await scratch();
    const kubeconfig = join(directory.path, "kubeconfig");
    const args = [LAUNCHER, "apiserver", "--kubeconfig", kubeconfig];
    const server = new TestProcess(process.execPath, { args, cwd: ROOT });
    await server.says(/kubeconfig/u);
    const connection = connect(await loadKubeconfig(kubeconfig));
    const scene = new Scene(directory, server, connection);
    for (const kind of [Database, ServiceWithDB]) await installKind(scene.client, kind, { clock: realClock });
    return scene;
  }

  #start(): TestProcess {
    const kubeconfig = join(this.#directory.path, "kubeconfig");
    const example = "examples/03-service-with-db/service-with-db.ts";
    const args = [LAUNCHER, "run", example, "--kubeconfig", kubeconfig, "--install-crds"];
    return new TestProcess(process.execPath, { args, cwd: ROOT });
  }

  /** Kills the operator with no chance to say good-bye, and starts another. */
  async kill(): Promise<void> {
    this.#operator.signal("SIGKILL");
    await this.#operator.ended();
    this.#operator = this.#start();
  }

  async list(kind: Kind): Promise<readonly KubeObject[]> {
    const { items } = await this.client.list(kind, { namespace });
    return items.filter(({ metadata }) => metadata.name !== "kubernetes" && metadata.name !== "kube-root-ca.crt");
  }

  picture(): Promise<readonly string[]> {
    return picture(KINDS, (kind) => this.list(kind));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#operator[Symbol.asyncDispose]();
    await this.#connection.close();
    await this.#server[Symbol.asyncDispose]();
    await this.#directory[Symbol.asyncDispose]();
  }
}

/** What is done to every object, and whether it has come to pass. */
interface Act {
  readonly act: (client: Client, name: string) => Promise<unknown>;
  readonly isOver: (scene: Scene) => Promise<boolean>;
}

async function areReady(scene: Scene): Promise<boolean> {
  const { items } = await scene.client.list(ServiceWithDB, { namespace });
  return items.length === NAMES.length && items.every((object) => isReady(object));
}

async function isEmpty(scene: Scene): Promise<boolean> {
  for (const kind of [...KINDS, Pod, ReplicaSet]) if ((await scene.list(kind)).length > 0) return false;
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

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = realClock.now() + 60_000;
  while (!(await isSo())) {
    if (realClock.now() > deadline) throw new Error(`after a minute still not: ${what}`);
    await realClock.sleep(50);
  }
}

/** Does something to every object, kills the operator as long as that has not come to pass, and answers how often that was. */
async function play(scene: Scene, { act, isOver }: Act, random: Random, killsMax: number): Promise<number> {
  for (const name of NAMES) await act(scene.client, name);
  let kills = 0;
  for (; kills < killsMax; kills++) {
    await realClock.sleep(randomInt(random, kills === 0 ? 0 : START_MS, START_MS + WORK_MS));
    if (await isOver(scene)) return kills;
    await scene.kill();
  }
  await until("what was asked for has come to pass", () => isOver(scene));
  return kills;
}

test("41 · crash safety: fifty times killed at random moments of its work, an operator brings all to the same end", async () => {
  await using scene = await Scene.open();
  const random = seededRandom(41);
  const ends = new Map<string, readonly string[]>();
  for (const [name, act] of Object.entries(ACTS)) {
    await play(scene, act, random, 0);
    await realClock.sleep(1_000); // the last pods of an older template go
    ends.set(name, await scene.picture());
  }
  let kills = 0;
  while (kills < KILLS) {
    for (const [name, act] of Object.entries(ACTS)) {
      kills += await play(scene, act, random, KILLS);
      const left = async () => difference(ends.get(name) ?? [], await scene.picture());
      await expect.poll(left, { timeout: 20_000 }).toEqual(SAME);
    }
  }
}, 240_000);
