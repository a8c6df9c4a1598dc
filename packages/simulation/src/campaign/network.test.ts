import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import { afterEach, expect, test, vi } from "vitest";
import { Campaign } from "./campaign.ts";
import { replay } from "./replay.ts";
import { simulate } from "./simulate.ts";

const Note = kind({
  group: "network.levelset.dev",
  version: "v1",
  kind: "Note",
  spec: s.object({}),
  status: s.object({ text: s.string().optional() }),
});
const note = { apiVersion: "network.levelset.dev/v1", kind: "Note", metadata: { name: "a" }, spec: {} };
const recorded = {
  seed: 1,
  faults: [],
  history: { operations: [{ do: "create", object: note, afterMs: 0 }] },
} as const;
const REFUSED = /^a simulation has no network: pass a double, see the guide \(/u;

afterEach(() => void vi.unstubAllGlobals());

/** Returns the texts that operators get when they call a service. */
async function answersTo(call: () => Promise<string>, run: "simulate" | "replay"): Promise<ReadonlySet<string>> {
  const answers = new Set<string>();
  const show = step(Note, "Show", {
    do: async () => {
      answers.add(await call().catch((error: Error) => error.message));
      return ok();
    },
  });
  const program = () => operator(Note, [show]);
  if (run === "simulate") await simulate(program, { samples: [note], seeds: 1 });
  else await replay(program, recorded, { samples: [note] });
  return answers;
}

test.for(["simulate", "replay"] as const)("an operator in %s has no network, and other code has one", async (run) => {
  await using server = createServer((socket) => socket.end("real"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // a TCP server has a port
  const read = async (): Promise<string> => String((await once(connect(port, "127.0.0.1"), "data"))[0]);
  const [before, refused, meanwhile] = await Promise.all([read(), answersTo(read, run), read()]);
  expect([before, meanwhile, await read()]).toEqual(["real", "real", "real"]);
  expect([...refused]).toEqual([expect.stringMatching(REFUSED)]);
  for (const call of [() => fetch("http://api.example.com/").then(String), datagram]) {
    expect([...(await answersTo(call, run))]).toEqual([expect.stringMatching(REFUSED)]);
  }
});

async function datagram(): Promise<string> {
  const socket = createSocket("udp4");
  try {
    socket.send("a", 9, "127.0.0.1");
    return "sent";
  } finally {
    socket.close();
  }
}

test("a fetch that a test replaces is its double", async () => {
  vi.stubGlobal("fetch", async () => "the double");
  expect([...(await answersTo(() => fetch("http://api.example.com/").then(String), "simulate"))]).toEqual([
    "the double",
  ]);
});

test("a call without a network that is not awaited is no violation", async () => {
  const report = step(Note, "Report", {
    do: () => {
      void fetch("http://telemetry.example.com/");
      return ok();
    },
  });
  const campaign = await Campaign.prepare(() => operator(Note, [report]), { samples: [note] });
  expect((await campaign.replay(recorded)).violation).toBeUndefined();
});
