import { parseGoDuration } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";

/** The flags that say how a set is kept, as read. */
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

/** Gives a command the flags that say how a set is kept. What is not said is as Operands have it by default. */
export function addSpecFlags(command: Command): Command {
  const oneOf = (flag: string, words: string, choices: object): Option =>
    new Option(flag, words).choices(Object.keys(choices));
  return command
    .option("--no-check-deployment-health", "do not wait for Deployments to be available")
    .addOption(oneOf("--prune <when>", "when objects go that the set no longer has", PRUNE))
    .option("--prune-after <duration>", "with --prune deferred: how long they stay (1h30m)", parseDuration)
    .addOption(oneOf("--deletion-policy <policy>", "what becomes of the objects with the Operand", DELETION))
    .option("--deletion-timeout <duration>", "report deleted objects that are not gone after it (10m)", parseDuration)
    .addOption(oneOf("--conflicts <rule>", "what to do about fields that somebody else has set", CONFLICTS))
    .addOption(oneOf("--adoption <rule>", "whether objects that are there already are taken over", ADOPTION))
    .addOption(oneOf("--drift <rule>", "what to do when somebody changes an object", DRIFT))
    .option("--drift-ignore <pointer>", "a field that may differ (/spec/replicas); may be given again", parsePointers)
    .option("--history-limit <number>", "how many earlier versions are kept to go back to", parseLimit)
    .option("--suspend", "do nothing yet");
}

/** What the flags say, as the fields of a spec. */
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
  throw new InvalidArgumentError("a duration is written like 90s, 30m or 1h30m.");
}

function parsePointers(text: string, earlier: readonly string[] = []): readonly string[] {
  if (text.startsWith("/")) return [...earlier, text];
  throw new InvalidArgumentError("a field is written as a JSON pointer, such as /spec/replicas.");
}

function parseLimit(text: string): number {
  if (/^\d{1,3}$/u.test(text) && Number(text) <= 100) return Number(text);
  throw new InvalidArgumentError("a number from 0 to 100.");
}
