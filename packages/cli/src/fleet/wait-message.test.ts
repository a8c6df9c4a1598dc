import { describe, expect, test } from "vitest";
import { adapterMessage, deletionMessage } from "./wait-message.ts";
import type { AdapterExplanation } from "./explain-resource.ts";

const fact = (
  adapter: string,
  state: AdapterExplanation["state"],
  more: Partial<AdapterExplanation> = {},
): AdapterExplanation => ({
  adapter,
  state,
  generation: 1,
  since: 0,
  ...more,
});

describe("the message of a wait", () => {
  test("is absent if all adapters have succeeded", () => {
    expect(adapterMessage([fact("dns", "done")], 2)).toBeUndefined();
  });

  test("lists failed adapters with their reasons, then pending ones with their progress", () => {
    const facts = [
      fact("a", "done"),
      fact("b", "behind", { progress: { time: 0, isHealthy: true, reason: "Zone", message: "2 of 3 records" } }),
      fact("c", "failed", { reason: "Quota", message: "no room" }),
      fact("d", "failed"),
      fact("e", "silent"),
    ];
    expect(adapterMessage(facts, 2)).toEqual({
      reason: "Quota",
      message: "c: Quota: no room; d; no result for generation 2 from b (Zone: 2 of 3 records), e",
      isWorking: true,
    });
  });

  test("of a deletion lists adapters that have not finalized it, then the remaining children", () => {
    const waiting = [fact("a", "done"), fact("b", "failed", { reason: "Terminating" }), fact("c", "behind")];
    expect(deletionMessage(waiting, [])).toEqual({
      reason: "Terminating",
      message: "waiting for b (Terminating), c to finalize",
      isWorking: false,
    });
    const children = Array.from({ length: 7 }, (_, index) => ({ kind: "NodePool", name: `p${index}`, deleting: true }));
    expect(deletionMessage([fact("a", "done")], children).message).toBe(
      "waiting for its children: nodepool/p0, nodepool/p1, nodepool/p2, nodepool/p3, nodepool/p4 and 2 more",
    );
    expect(deletionMessage([], []).message).toBe("all adapters have finalized");
  });
});
