import { spawn } from "node:child_process";
import { once } from "node:events";
import { FleetClient, readyOf } from "@levelset/fleet/client";

const ADDRESS = / {2}fleet +(http:\/\/127\.0\.0\.1:\d+)/u;

/**
 * Measures the milliseconds from creating a cluster until its adapters have made it Ready, for several clusters in
 * sequence, in a new fleet.
 */
export async function measureTimeToReady(
  args: readonly string[],
  cwd: string,
  clusters: number,
): Promise<readonly number[]> {
  const child = spawn(process.execPath, [...args], { cwd, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  try {
    const client = new FleetClient({ url: await addressIn(child.stdout) });
    child.stdout.resume();
    const times: number[] = [];
    for (let n = 0; n < clusters; n++) times.push(await oneReady(client, `bench-${n}`));
    return times;
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

async function addressIn(output: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  // Stays open, because it is read later too.
  const chunks = output[Symbol.asyncIterator]();
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    text += String(next.value);
    const [, url] = ADDRESS.exec(text) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`the process ended before the fleet was ready: ${text}`);
}

async function oneReady(client: FleetClient, name: string): Promise<number> {
  const stop = new AbortController();
  const clusters = client.collection({ kind: "Cluster", plural: "clusters" });
  const start = performance.now();
  const { resource } = await clusters.create({ name, spec: {} });
  for await (const event of clusters.watch({ signal: stop.signal })) {
    const isReady = event.kind === "present" && event.resource.id === resource.id;
    if (isReady && readyOf(event.resource)?.status === "True") return performance.now() - start;
  }
  throw new Error("the watch ended");
}
