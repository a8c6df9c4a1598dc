import { toError } from "@levelset/core/internal";
import type { BrokerHealth } from "./broker.ts";

/**
 * Converts the response of a server to a health result: up if the promise resolves, otherwise down with the reason.
 * Never rejects.
 */
export function brokerHealthOf(check: Promise<unknown>): Promise<BrokerHealth> {
  return check.then(
    () => ({ kind: "up" }),
    (error: unknown) => ({ kind: "down", reason: toError(error).message }),
  );
}
