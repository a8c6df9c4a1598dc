import type { CaseResponse } from "./case-response.ts";
import { valueAt, formatShort } from "./match.ts";
import type { CaseContext } from "./case-context.ts";
import { eventually } from "../../../support/eventually.ts";

/** Resolves with the object once all these paths have these values. */
export async function untilFieldsEqual(
  scenario: CaseContext,
  short: string,
  expected: Readonly<Record<string, unknown>>,
): Promise<CaseResponse> {
  return eventually(`${short} has ${formatShort(expected)}`, async () => {
    const response = await scenario.get(short);
    const wrong = Object.entries(expected).find(([path, value]) => response.at(path) !== value);
    if (wrong === undefined) return response;
    throw new Error(`${wrong[0]} is ${formatShort(response.at(wrong[0]))}; ${formatShort(response.at("status"))}`);
  });
}

/** Returns a condition of an object. */
export function condition(response: CaseResponse, type: string): unknown {
  return response.list("status.conditions").find((item) => valueAt(item, "type") === type);
}
