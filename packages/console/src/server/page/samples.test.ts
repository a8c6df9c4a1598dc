import { expect, test } from "vitest";
import { parseSamples } from "./samples.ts";

test("samples are parsed with their labels; comments, buckets and other metrics are ignored", () => {
  const text = [
    "# HELP levelset_queue_keys Keys by state.",
    'levelset_queue_keys{controller="sim\\"ple",state="waiting"} 3',
    "levelset_leading 1",
    'levelset_run_seconds_bucket{le="0.1"} 7',
    "nodejs_version_info 1",
    "levelset_events_dropped NaN",
    "",
  ].join("\n");
  expect(parseSamples(text)).toEqual([
    { name: "levelset_queue_keys", labels: { controller: 'sim"ple', state: "waiting" }, value: 3 },
    { name: "levelset_leading", labels: {}, value: 1 },
    { name: "levelset_events_dropped", labels: {}, value: Number.NaN },
  ]);
});
