import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crdOf, realClock } from "@levelset/core";
import type { Clock, KubeObject } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { operandManager } from "@levelset/operator";
import { formatYaml } from "../../../packages/cli/src/yaml/yaml.ts";
import { POSTGRES_PASSWORD, startPostgres } from "../../support/postgres-server.ts";
import { runProcess } from "../../support/test-process.ts";
import { ROOT } from "../../support/repository.ts";
import { exportCluster } from "./cluster-export.ts";
import { DurableCluster } from "./durable-cluster.ts";
import { FleetRun } from "./fleet-run.ts";
import {
  declareDueWork,
  declareFleet,
  deleteFourth,
  exportFleet,
  named,
  report,
  reportByHand,
} from "./fleet-content.ts";
import { installOperands, OPERAND_NAMESPACE } from "./operands.ts";
import { FILES, pack, passing, POSTGRES_SCHEMA } from "./recorded.ts";
import { openShops, Part, Shop, shopManager } from "./shop.ts";

const MINUTE_MS = 60_000;

/** Records all data that this version stores into an empty folder. */
export async function record(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const file of Object.values(FILES)) await rm(join(folder, file), { force: true });
  const time = await recordCluster(folder);
  await recordPostgres(folder);
  for (const file of [FILES.cluster, FILES.sqlite]) await pack(join(folder, file));
  await writeFile(join(folder, FILES.recorded), `${JSON.stringify({ time })}\n`);
}

/**
 * Records a data file of the API server with Operands, children and adapter objects, and the SQLite file of the fleet.
 */
async function recordCluster(folder: string): Promise<number> {
  const cluster = await DurableCluster.open(join(folder, FILES.cluster));
  const { clock } = cluster;
  const kinds = [Shop, Part, ...(operandManager().kinds ?? [])];
  await cluster.applyCrds(kinds);
  const settle = (): Promise<void> => cluster.pass(MINUTE_MS);
  cluster.run(shopManager("recorder"));
  cluster.run(operandManager());
  await openShops(cluster);
  await installOperands(cluster, settle);

  const store = { kind: "sqlite", path: join(folder, FILES.sqlite) } as const;
  const fleet = await FleetRun.start({ store, clock, random: seededRandom(7) });
  await fleet.startSentinel();
  await fleet.startAdapters(cluster.faults.fetch);
  await declareFleet(fleet);
  await settle();
  await passing(clock, reportPools(fleet, clock));
  await deleteFourth(fleet);
  await settle();
  await passing(clock, fleet.stopWorkers());
  await declareDueWork(fleet);
  await writeJson(join(folder, FILES.sqliteExport), await exportFleet(fleet));
  await passing(clock, fleet[Symbol.asyncDispose]());
  await cluster.untilIdle();
  await cluster.stopAll();
  const time = clock.now();
  await writeObjects(folder, await exportCluster(cluster.fetch));
  await writeFile(join(folder, FILES.crds), formatYaml(kinds.map((kind) => crdOf(kind))));
  await cluster[Symbol.asyncDispose]();
  return time;
}

async function reportPools(fleet: FleetRun, clock: Clock): Promise<void> {
  const pools = fleet.client.collection({ kind: "NodePool", plural: "nodepools" });
  for (const pool of await pools.findByName("blue")) await reportByHand(fleet, pool, "pool", clock);
}

/** Records the same fleet in PostgreSQL, whose clock is the real one, with direct reports instead of adapters. */
async function recordPostgres(folder: string): Promise<void> {
  await using server = await startPostgres();
  const clock = realClock;
  const { url } = server;
  const store = { kind: "postgres", url, password: POSTGRES_PASSWORD, schema: POSTGRES_SCHEMA, migrate: true } as const;
  const fleet = await FleetRun.start({ store: { ...store, connectionsMax: 2 }, clock, random: seededRandom(7) });
  await declareFleet(fleet);
  for (const name of ["eu-1", "eu-2", "eu-3"]) {
    for (const adapter of ["validation", "network"])
      await reportByHand(fleet, await named(fleet, name), adapter, clock);
  }
  await reportPools(fleet, clock);
  await deleteFourth(fleet);
  const fourth = await named(fleet, "eu-4");
  for (const adapter of ["validation", "network"]) await report(fleet, fourth, { adapter, clock, finalized: true });
  await declareDueWork(fleet);
  await writeJson(join(folder, FILES.postgresExport), await exportFleet(fleet));
  await fleet[Symbol.asyncDispose]();
  await writeFile(join(folder, FILES.postgres), await dump(url));
}

/**
 * Returns a dump in plain SQL, without comments and psql commands, so that any client can run it on any server version.
 */
async function dump(url: string): Promise<string> {
  const options = ["--no-owner", "--no-privileges", "--inserts", `--schema=${POSTGRES_SCHEMA}`, `--dbname=${url}`];
  const env = { ...process.env, PGPASSWORD: POSTGRES_PASSWORD };
  const { code, stdout, stderr } = await runProcess("pg_dump", { args: options, cwd: ROOT, env });
  if (code !== 0) throw new Error(`pg_dump failed: ${stderr}`);
  const lines = stdout.split("\n").filter((line) => !/^(?:--|\\|SET transaction_timeout)/u.test(line));
  return `${lines
    .join("\n")
    .replaceAll(/\n{3,}/gu, "\n\n")
    .trim()}\n`;
}

/** Writes each object into the file of its area. */
async function writeObjects(folder: string, objects: readonly KubeObject[]): Promise<void> {
  const areas = [FILES.operands, FILES.adapters, FILES.children, FILES.others];
  const texts = Object.groupBy(objects, areaOf);
  for (const area of areas) await writeFile(join(folder, area), formatYaml(texts[area] ?? []));
}

/** Returns the file of an object. */
function areaOf({ apiVersion, metadata: { name, namespace = "" } }: KubeObject): string {
  if (apiVersion.startsWith("operand.levelset.dev/") || namespace === OPERAND_NAMESPACE) return FILES.operands;
  if (namespace.startsWith("fleet-") || name.startsWith("fleet-")) return FILES.adapters;
  return /^corner|^waiting/u.test(namespace === "" ? name : `${namespace} ${name}`.replace("default ", ""))
    ? FILES.children
    : FILES.others;
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, undefined, 1)}\n`);
}
