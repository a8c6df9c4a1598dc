import { stringifyJson } from "@levelset/core/internal";
import type { JsonObject } from "@levelset/core";
import type { TaskOutcome } from "../run/index.ts";
import { objectOrEmpty, objectsOf } from "../json-parts.ts";

/** Formats the result of a dry run for people. `isVerbose` adds the request bodies and the resulting objects. */
export function dryRunText({ status, skipReason, trace }: TaskOutcome, isVerbose: boolean): string {
  const { steps = [] } = objectOrEmpty(trace["params"]);
  const lines = [
    `${status}${skipReason === undefined ? "" : `: ${skipReason}`}`,
    ...section(
      "Params",
      objectsOf(steps).map((one) => `${one["name"] as string}: ${one["status"] as string}`),
    ),
    ...section("Preconditions", objectsOf(trace["preconditions"]).map(stepLine)),
    ...section("Resources", objectsOf(trace["resources"]).map(stepLine)),
    ...section(
      "Operations",
      objectsOf(trace["transportOperations"]).map(
        (one) => `${one["operation"] as string} ${one["resource"] as string}: ${one["result"] as string}`,
      ),
    ),
    ...section("Post-actions", objectsOf(trace["postActions"]).map(stepLine)),
    ...section(
      "Requests",
      objectsOf(trace["apiRequests"]).map((one) => requestLine(one, isVerbose)),
    ),
    ...section(
      "Errors",
      objectsOf(trace["errors"]).map(
        (one) => `${one["phase"] as string}/${one["step"] as string}: ${one["message"] as string}`,
      ),
    ),
    ...(isVerbose
      ? section(
          "Objects",
          Object.entries(objectOrEmpty(trace["discoveredResources"])).map(
            ([name, live]) => `${name}: ${stringifyJson(live)}`,
          ),
        )
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];
}

function stepLine(one: JsonObject): string {
  const detail = one["detail"] === undefined ? "" : ` (${one["detail"] as string})`;
  return `${one["name"] as string}: ${one["status"] as string}${detail}`;
}

function requestLine(one: JsonObject, isVerbose: boolean): string {
  const line = `${one["method"] as string} ${one["url"] as string} → ${(one["status"] as number | undefined) ?? "no response"}`;
  return isVerbose && one["body"] !== undefined ? `${line}\n    ${one["body"] as string}` : line;
}
