import { spawn } from "node:child_process";
import { once } from "node:events";
import { FleetClient, readyOf } from "@levelset/fleet/client";

const ADDRESS = / {2}fleet +(http:\/\/127\.0\.0\.1:\d+)/u;

/** Milliseconds from declaring a cluster until its adapters have made it Ready, for several one after the other, in a fleet that this command starts. */
export async function untilReady(args: readonly string[], cwd: string, clusters: number): Promise<readonly number[]> {
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
  let said = "";
  // Left open: it goes on to be read.
  const chunks = output[Symbol.asyncIterator]();
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    said += String(next.value);
    const [, url] = ADDRESS.exec(said) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`it ended without a fleet: ${said}`);
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
