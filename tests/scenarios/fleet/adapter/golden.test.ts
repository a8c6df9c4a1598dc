import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isJsonObject, realRandom, silentLogger } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { VirtualClock } from "@levelset/core/testing";
import { dryRun, taskFilesIn, parseYaml, readTask } from "@levelset/fleet/adapter";
import { ExpressionCompiler } from "@levelset/fleet/internal";
import { expect, test } from "vitest";

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "golden");

/** A configuration of the folder with its inputs. */
interface Golden {
  readonly task: JsonObject;
  readonly event: JsonObject;
  readonly responses: JsonValue;
  readonly discovery?: JsonObject;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

async function traceOf({ task, event, responses, discovery = {}, env = {}, files = {} }: Golden): Promise<JsonObject> {
  const clock = new VirtualClock(Date.parse("2027-01-15T08:00:00Z"));
  const compiler = new ExpressionCompiler(() => clock.now());
  const cloudEvent = { specversion: "1.0", id: "1", source: "golden", type: "pulse", data: event };
  const outcome = await dryRun({
    task: readTask({ file: "task", content: task, files: taskFilesIn("/", () => ""), parseYaml, compiler }),
    adapter: { name: "golden", version: "1.0.0" },
    config: { clients: { broker: { topic: "clusters" } } },
    event: new TextEncoder().encode(JSON.stringify(cloudEvent)),
    apiResponses: { path: "responses", content: { responses } },
    discovery: { path: "discovery", content: discovery },
    env,
    readFile: async (path) => files[path] ?? Promise.reject(new Error("no such file")),
    clock,
    random: realRandom,
    logger: silentLogger,
    signal: new AbortController().signal,
  });
  return outcome.trace;
}

test.each(globSync(join(FOLDER, "*.yaml")).toSorted())("%s produces its recorded trace", async (file) => {
  const golden = parseYaml(readFileSync(file, "utf8"));
  if (!isJsonObject(golden)) throw new TypeError(`${file} is not a mapping`);
  // The folder contains no other files.
  const trace = await traceOf(golden as unknown as Golden);
  const expected = join(FOLDER, `${basename(file, ".yaml")}.trace.json`);
  await expect(`${JSON.stringify(trace, undefined, 2)}\n`).toMatchFileSnapshot(expected);
});
