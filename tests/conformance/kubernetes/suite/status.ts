import type { Answer } from "./answer.ts";
import { at, show } from "./match.ts";
import type { Scene } from "./scene.ts";
import { until } from "./until.ts";

/** Resolves with the object once all these paths have these values. */
export async function reached(scene: Scene, short: string, wanted: Readonly<Record<string, unknown>>): Promise<Answer> {
  return until(`${short} has ${show(wanted)}`, async () => {
    const answer = await scene.get(short);
    const wrong = Object.entries(wanted).find(([path, value]) => answer.at(path) !== value);
    if (wrong === undefined) return answer;
    throw new Error(`${wrong[0]} is ${show(answer.at(wrong[0]))}; ${show(answer.at("status"))}`);
  });
}

/** A condition in an object's status. */
export function condition(answer: Answer, type: string): unknown {
  return answer.list("status.conditions").find((item) => at(item, "type") === type);
}
