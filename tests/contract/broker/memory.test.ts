import { MemoryHub } from "@levelset/fleet/server";
import { describeBroker } from "./contract.ts";
import { brokerOpener } from "./harness.ts";

describeBroker("the in-process broker", async () => {
  const hub = new MemoryHub();
  const { open, close } = brokerOpener({ kind: "memory", hub });
  return { open, publishBytes: async (topic, body) => hub.push(topic, body), [Symbol.asyncDispose]: close };
});
