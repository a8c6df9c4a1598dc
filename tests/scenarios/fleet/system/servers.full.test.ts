import { realClock } from "@levelset/core";
import type { BrokerConfig } from "@levelset/fleet";
import { Client } from "@levelset/operator";
import { afterAll, beforeAll, describe } from "vitest";
import { startNats } from "../../../support/nats-server.ts";
import { startPostgres } from "../../../support/postgres-server.ts";
import { startRabbitmq } from "../../../support/rabbitmq-server.ts";
import { onRealCluster } from "../../../support/real-cluster.ts";
import { onServer } from "../../../support/server-process.ts";
import { connectSession } from "../../../support/test-server.ts";
import { postgresConfig } from "../../../support/fleet/postgres-config.ts";
import { runPods } from "./kubelet.ts";
import type { SystemHarness } from "./system-harness.ts";
import { openRealSystem } from "./real-system.ts";
import type { Servers } from "./real-system.ts";
import { defineScenarios } from "./scenarios.ts";
import { NATS, POSTGRESQL, RABBITMQ, combineRequirements } from "../../../../tools/system/system-requirement.ts";

interface BrokerServer extends AsyncDisposable {
  readonly config: BrokerConfig;
}

async function nats(): Promise<BrokerServer> {
  const server = await startNats();
  const config = { kind: "nats", servers: [server.address] } as const;
  return { config, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function rabbitmq(): Promise<BrokerServer> {
  const server = await startRabbitmq();
  return { config: { kind: "rabbitmq", url: server.url }, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const BROKERS = [
  { name: "NATS", need: NATS, start: nats },
  { name: "RabbitMQ", need: RABBITMQ, start: rabbitmq },
];

for (const { name, need, start } of BROKERS) {
  const suite = `a whole fleet on PostgreSQL, ${name} and Kubernetes`;
  await onRealCluster(suite, (startCluster) => {
    onServer(suite, combineRequirements(POSTGRESQL, need), () => {
      describe(suite, () => {
        const running = new AsyncDisposableStack();
        let open: (() => Servers) | undefined;

        beforeAll(async () => {
          const postgres = running.use(await startPostgres());
          const broker = running.use(await start());
          const kubernetes = running.use(await startCluster({ controllerManager: true }));
          const { world } = running.use(await connectSession(kubernetes));
          const stop = new AbortController();
          const pods = runPods(new Client({ fetch: world.fetch, fieldManager: "kubelet" }), realClock, stop.signal);
          running.defer(async () => {
            stop.abort();
            await pods;
          });
          open = () => ({ store: postgresConfig(postgres.url), broker: broker.config, cluster: world.fetch });
        });
        afterAll(() => running.disposeAsync());

        defineScenarios(async (options): Promise<SystemHarness> => {
          if (open === undefined) throw new Error("the servers did not start");
          return openRealSystem(open(), options);
        });
      });
    });
  });
}
