import { needsRule, requestAttributes } from "@levelset/operator/internal";
import type { Violation } from "../violation/index.ts";

/**
 * Reports whether two violations are of the same bug: the same rule, about the same kind, property, right, resource or
 * step. Names of objects and counts are not compared, because they differ between histories.
 */
export function isSameViolation(one: Violation, other: Violation): boolean {
  return one.rule === other.rule && topicOf(one) === topicOf(other);
}

/** Returns what a violation is about, without names of objects and counts. */
function topicOf({ rule, object = "", message }: Violation): string {
  switch (rule) {
    case "property-violated":
      return object;
    case "undeclared-right":
      return message; // the verb and the resource
    case "status-refused":
    case "child-refused":
    case "polls-at-rest":
      return resourceIn(message);
    case "writes-at-rest":
      return object === "" ? resourceIn(message) : kindOf(object);
    case "programming-error":
      return `${kindOf(object)} ${message.split(": ")[0]}${STEP.exec(message)?.[0] ?? ""}`;
    case "external-repeated":
      return CALL.exec(message)?.[0] ?? "";
    default:
      return kindOf(object);
  }
}

/** A path after a preposition: `2 reads of /api/v1/namespaces/default/secrets/a in 20 minutes`. */
const PATH = /(?<= (?:to|of) )\/\S*[^\s:]/u;
const STEP = / in step [^\s:]+/u;
/** The verb of a call: `The call "create database-a" was made`. */
const CALL = /call "\S+ /u;

/** `Deployment default/a` → `Deployment` */
function kindOf(object: string): string {
  return object.split(" ")[0] ?? "";
}

/** Returns the resource of the path in a message: `deployments/status apps`. */
function resourceIn(message: string): string {
  const path = PATH.exec(message)?.[0] ?? "";
  const request = { method: "GET", path, query: "" };
  if (path === "" || !needsRule(request)) return path;
  const { resource, group } = requestAttributes(request);
  return `${resource} ${group}`;
}
