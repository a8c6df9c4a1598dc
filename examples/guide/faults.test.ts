import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import simple, { Simple } from "../01-simple/simple.ts";

test("becomes ready whichever response to a write is lost", async () => {
  for (let n = 1; ; n++) {
    await using cluster = await testCluster();
    cluster.faults.failNth(n, { kind: "response-lost" }, isWrite);
    cluster.run(simple);
    await cluster.apply(Simple, { name: "a", spec: { dividend: 10, divisor: 5 } });
    await cluster.clock.advance(600_000);
    expect(await cluster.untilSettled(Simple, "a")).toBeReady();
    if (cluster.faults.count(isWrite) < n) break; // there was no n-th write
  }
});

test("becomes ready after a crash at any write and a restart", async () => {
  for (let n = 1; ; n++) {
    await using cluster = await testCluster({ kinds: [Simple] });
    await cluster.apply(Simple, { name: "a", spec: { dividend: 10, divisor: 5 } });
    cluster.faults.failNth(n, { kind: "crash" }, isWrite);
    const running = cluster.run(simple);
    await cluster.untilIdle();
    await running.stop();
    cluster.faults.restart();
    cluster.run(simple);
    expect(await cluster.untilSettled(Simple, "a")).toBeReady();
    if (cluster.faults.count(isWrite) < n) break;
  }
});
