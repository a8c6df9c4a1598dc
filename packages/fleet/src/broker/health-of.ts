import { toError } from "@levelset/core";
import type { BrokerHealth } from "./broker.ts";

/** What the answer of a server says of it: up if there is one, else why not. Never rejects. */
export function healthOf(answer: Promise<unknown>): Promise<BrokerHealth> {
  return answer.then(
    () => ({ kind: "up" }),
    (error: unknown) => ({ kind: "down", reason: toError(error).message }),
  );
}
