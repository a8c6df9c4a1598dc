import { parseGoDuration } from "@levelset/core/schema";
import type { JsonObject } from "@levelset/core";
import type { StructuralSchema } from "@levelset/core/schema";
import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import { Operand } from "@levelset/operator";

/** Parsed flags for the policies of an Operand's spec. */
export interface SpecFlags {
  readonly checkDeploymentHealth?: boolean;
  readonly healthGate?: string;
  readonly prune?: string;
  readonly pruneAfter?: string;
  readonly deletionPolicy?: string;
  readonly deletionTimeout?: string;
  readonly conflicts?: string;
  readonly adoption?: string;
  readonly adoptedFields?: string;
  readonly drift?: string;
  readonly driftIgnore?: readonly string[];
  readonly historyLimit?: number;
  readonly serviceAccount?: ServiceAccountFlag;
  readonly suspend?: boolean;
}

/** Parsed `--service-account`, as fields of the spec. */
interface ServiceAccountFlag extends JsonObject {
  readonly serviceAccountNamespace: string;
  readonly serviceAccountName: string;
}

/** Adds the flags for the policies of an Operand's spec. Omitted flags leave the defaults of the CRD in place. */
export function addSpecFlags(command: Command): Command {
  const oneOf = (flag: string, description: string, ...field: readonly string[]): Option =>
    new Option(flag, description).choices(choicesOf(field));
  return command
    .option("--no-check-deployment-health", "do not wait for Deployments to be available")
    .addOption(oneOf("--health-gate <kinds>", "objects that must be ready", "healthGate"))
    .addOption(oneOf("--prune <when>", "pruning of removed objects", "prune", "mode"))
    .option("--prune-after <duration>", "delay of pruning with --prune deferred (1h30m)", parseDuration)
    .addOption(oneOf("--deletion-policy <policy>", "objects of a deleted Operand", "deletionPolicy"))
    .option("--deletion-timeout <duration>", "time after which a pending deletion is reported (10m)", parseDuration)
    .addOption(oneOf("--conflicts <rule>", "conflicts with other field managers", "conflicts"))
    .addOption(oneOf("--adoption <rule>", "adoption of existing objects", "adoption"))
    .addOption(oneOf("--adopted-fields <rule>", "undeclared fields of adopted objects", "adoptedFields"))
    .addOption(oneOf("--drift <rule>", "objects that differ from the manifest", "drift", "mode"))
    .option("--drift-ignore <pointer>", "field to ignore in drift (/spec/replicas); repeatable", parsePointers)
    .option("--history-limit <number>", "number of earlier versions to retain for rollback", parseLimit)
    .option("--service-account <account>", "NAMESPACE/NAME whose rights are used for the set", parseServiceAccount)
    .option("--suspend", "create the Operand suspended");
}

/** Converts the flags to fields of a spec. */
export function specOf(flags: SpecFlags): JsonObject {
  const { prune, pruneAfter, deletionPolicy, deletionTimeout, conflicts, adoption, drift, driftIgnore } = flags;
  const pruning = {
    ...(prune === undefined ? {} : { mode: enumValueOf(prune) }),
    ...(pruneAfter === undefined ? {} : { after: pruneAfter }),
  };
  const drifting = {
    ...(drift === undefined ? {} : { mode: enumValueOf(drift) }),
    ...(driftIgnore === undefined ? {} : { ignore: [{ fields: driftIgnore }] }),
  };
  return {
    ...(flags.checkDeploymentHealth === false ? { checkDeploymentHealth: false } : {}),
    ...(flags.healthGate === undefined ? {} : { healthGate: enumValueOf(flags.healthGate) }),
    ...(Object.keys(pruning).length === 0 ? {} : { prune: pruning }),
    ...(deletionPolicy === undefined ? {} : { deletionPolicy: enumValueOf(deletionPolicy) }),
    ...(deletionTimeout === undefined ? {} : { deletionTimeout }),
    ...(conflicts === undefined ? {} : { conflicts: enumValueOf(conflicts) }),
    ...(adoption === undefined ? {} : { adoption: enumValueOf(adoption) }),
    ...(flags.adoptedFields === undefined ? {} : { adoptedFields: enumValueOf(flags.adoptedFields) }),
    ...(Object.keys(drifting).length === 0 ? {} : { drift: drifting }),
    ...(flags.historyLimit === undefined ? {} : { revisionHistoryLimit: flags.historyLimit }),
    ...flags.serviceAccount,
    ...(flags.suspend === true ? { suspend: true } : {}),
  };
}

/** Returns the values of an enum of the spec as flags: `wait-for-termination` for `WaitForTermination`. */
function choicesOf(field: readonly string[]): readonly string[] {
  const schema = ["spec", ...field].reduce<StructuralSchema | undefined>(
    (parent, name) => parent?.properties?.[name],
    Operand.schema,
  );
  if (schema?.enum === undefined) throw new Error(`spec.${field.join(".")} of an Operand is not an enum`);
  const values = schema.enum.filter((value) => typeof value === "string");
  return values.map((value) => value.replaceAll(/\B[A-Z]/gu, "-$&").toLowerCase());
}

/** Returns the value of an enum of the spec for its flag. */
function enumValueOf(choice: string): string {
  return choice.replaceAll(/(?:^|-)([a-z])/gu, (_match, letter: string) => letter.toUpperCase());
}

function parseDuration(text: string): string {
  if (parseGoDuration(text) !== undefined) return text;
  throw new InvalidArgumentError("write a duration such as 90s, 30m or 1h30m.");
}

function parsePointers(text: string, earlier: readonly string[] = []): readonly string[] {
  if (text.startsWith("/")) return [...earlier, text];
  throw new InvalidArgumentError("write a JSON pointer such as /spec/replicas.");
}

function parseServiceAccount(text: string): ServiceAccountFlag {
  const [, serviceAccountNamespace, serviceAccountName] = /^([^/]+)\/([^/]+)$/u.exec(text) ?? [];
  if (serviceAccountNamespace !== undefined && serviceAccountName !== undefined) {
    return { serviceAccountNamespace, serviceAccountName };
  }
  throw new InvalidArgumentError("write NAMESPACE/NAME, such as shop/installer.");
}

function parseLimit(text: string): number {
  if (/^\d{1,3}$/u.test(text) && Number(text) <= 100) return Number(text);
  throw new InvalidArgumentError("write a number from 0 to 100.");
}
