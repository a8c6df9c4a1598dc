import { parseGoDuration } from "@levelset/core/schema";
import type { JsonObject } from "@levelset/core";
import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";

/** Parsed flags for the policies of an Operand's spec. */
export interface SpecFlags {
  readonly checkDeploymentHealth?: boolean;
  readonly prune?: keyof typeof PRUNE;
  readonly pruneAfter?: string;
  readonly deletionPolicy?: keyof typeof DELETION;
  readonly deletionTimeout?: string;
  readonly conflicts?: keyof typeof CONFLICTS;
  readonly adoption?: keyof typeof ADOPTION;
  readonly drift?: keyof typeof DRIFT;
  readonly driftIgnore?: readonly string[];
  readonly historyLimit?: number;
  readonly suspend?: boolean;
}

const PRUNE = { immediate: "Immediate", deferred: "Deferred", confirm: "Confirm", disabled: "Disabled" } as const;
const DELETION = { delete: "Delete", orphan: "Orphan", "wait-for-termination": "WaitForTermination" } as const;
const CONFLICTS = { force: "Force", fail: "Fail" } as const;
const ADOPTION = { always: "Always", "if-unowned": "IfUnowned", never: "Never" } as const;
const DRIFT = { correct: "Correct", report: "Report" } as const;

/** Adds the flags for the policies of an Operand's spec. Omitted flags leave the defaults of the CRD in place. */
export function addSpecFlags(command: Command): Command {
  const oneOf = (flag: string, description: string, choices: object): Option =>
    new Option(flag, description).choices(Object.keys(choices));
  return command
    .option("--no-check-deployment-health", "do not wait for Deployments to be available")
    .addOption(oneOf("--prune <when>", "pruning of removed objects", PRUNE))
    .option("--prune-after <duration>", "delay of pruning with --prune deferred (1h30m)", parseDuration)
    .addOption(oneOf("--deletion-policy <policy>", "objects of a deleted Operand", DELETION))
    .option("--deletion-timeout <duration>", "time after which a pending deletion is reported (10m)", parseDuration)
    .addOption(oneOf("--conflicts <rule>", "conflicts with other field managers", CONFLICTS))
    .addOption(oneOf("--adoption <rule>", "adoption of existing objects", ADOPTION))
    .addOption(oneOf("--drift <rule>", "objects that differ from the manifest", DRIFT))
    .option("--drift-ignore <pointer>", "field to ignore in drift (/spec/replicas); repeatable", parsePointers)
    .option("--history-limit <number>", "number of earlier versions to retain for rollback", parseLimit)
    .option("--suspend", "create the Operand suspended");
}

/** Converts the flags to fields of a spec. */
export function specOf(flags: SpecFlags): JsonObject {
  const { prune, pruneAfter, deletionPolicy, deletionTimeout, conflicts, adoption, drift, driftIgnore } = flags;
  const pruning = {
    ...(prune === undefined ? {} : { mode: PRUNE[prune] }),
    ...(pruneAfter === undefined ? {} : { after: pruneAfter }),
  };
  const drifting = {
    ...(drift === undefined ? {} : { mode: DRIFT[drift] }),
    ...(driftIgnore === undefined ? {} : { ignore: [{ fields: driftIgnore }] }),
  };
  return {
    ...(flags.checkDeploymentHealth === false ? { checkDeploymentHealth: false } : {}),
    ...(Object.keys(pruning).length === 0 ? {} : { prune: pruning }),
    ...(deletionPolicy === undefined ? {} : { deletionPolicy: DELETION[deletionPolicy] }),
    ...(deletionTimeout === undefined ? {} : { deletionTimeout }),
    ...(conflicts === undefined ? {} : { conflicts: CONFLICTS[conflicts] }),
    ...(adoption === undefined ? {} : { adoption: ADOPTION[adoption] }),
    ...(Object.keys(drifting).length === 0 ? {} : { drift: drifting }),
    ...(flags.historyLimit === undefined ? {} : { revisionHistoryLimit: flags.historyLimit }),
    ...(flags.suspend === true ? { suspend: true } : {}),
  };
}

function parseDuration(text: string): string {
  if (parseGoDuration(text) !== undefined) return text;
  throw new InvalidArgumentError("write a duration such as 90s, 30m or 1h30m.");
}

function parsePointers(text: string, earlier: readonly string[] = []): readonly string[] {
  if (text.startsWith("/")) return [...earlier, text];
  throw new InvalidArgumentError("write a JSON pointer such as /spec/replicas.");
}

function parseLimit(text: string): number {
  if (/^\d{1,3}$/u.test(text) && Number(text) <= 100) return Number(text);
  throw new InvalidArgumentError("write a number from 0 to 100.");
}
