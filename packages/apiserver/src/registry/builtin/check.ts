import { isCidr, isIp, parseIp } from "@levelset/core";
import { isLinkLocalMulticast, isLinkLocalUnicast, isLoopback, isUnspecified } from "@levelset/core";
import type { FieldError } from "@levelset/core";
import { duplicateField, invalidField, requiredField, unsupportedField } from "../field.ts";
import { dnsLabelProblems, dnsSubdomainProblems, qualifiedNameProblems } from "../names.ts";

/** Checks of single values that many kinds share. Each yields what is wrong; nothing means valid. */

export type Errors = Generator<FieldError, void>;

/** Whether a text is absent; built-in kinds know no difference between that and an empty one. */
export function isBlank(text: string | undefined): text is "" | undefined {
  return text === undefined || text === "";
}

/** One error for each problem that a rule for texts finds. */
export function* textErrors(path: string, text: string, problems: (text: string) => readonly string[]): Errors {
  for (const problem of problems(text)) yield invalidField(path, text, problem);
}

/** A text that must be there. */
export function* neededText(path: string, text: string | undefined): Errors {
  if (isBlank(text)) yield requiredField(path);
}

/** A DNS label. */
export function dnsLabelErrors(path: string, text: string): Errors {
  return textErrors(path, text, dnsLabelProblems);
}

/** A DNS subdomain. */
export function dnsSubdomainErrors(path: string, text: string): Errors {
  return textErrors(path, text, dnsSubdomainProblems);
}

/** `[prefix/]name`. */
export function qualifiedNameErrors(path: string, text: string): Errors {
  return textErrors(path, text, qualifiedNameProblems);
}

/** A DNS label that must be there. */
export function* labelNameErrors(path: string, text: string | undefined): Errors {
  if (isBlank(text)) yield requiredField(path);
  else yield* dnsLabelErrors(path, text);
}

/** One of a few texts, which must be there. */
export function* choiceErrors(path: string, text: string | undefined, choices: readonly string[]): Errors {
  if (isBlank(text)) yield requiredField(path);
  else if (!choices.includes(text)) yield unsupportedField(path, text, choices);
}

/** One of a few texts, if it is there. */
export function* optionalChoiceErrors(path: string, text: string | undefined, choices: readonly string[]): Errors {
  if (text !== undefined && !choices.includes(text)) yield unsupportedField(path, text, choices);
}

/** Zero or more. */
export function* notNegative(path: string, value: number | bigint | undefined): Errors {
  if (value !== undefined && value < 0) yield invalidField(path, value, "must be greater than or equal to 0");
}

/** One or more. */
export function* positive(path: string, value: number | bigint): Errors {
  if (value <= 0) yield invalidField(path, value, "must be greater than zero");
}

/** A number from `low` to `high`, if it is there. */
export function* inRange(path: string, value: number | bigint | undefined, low: number, high: number): Errors {
  if (value === undefined || (value >= low && value <= high)) return;
  yield invalidField(path, value, `must be between ${low} and ${high}, inclusive`);
}

/** The number of a port. */
export function portNumberErrors(path: string, port: number): Errors {
  return inRange(path, port, 1, 65_535);
}

/** A name for a port, as IANA has it. */
export function portNameProblems(name: string): readonly string[] {
  const problems: string[] = [];
  if (name.length > 15) problems.push("must be no more than 15 characters");
  if (!/^[-a-z0-9]+$/u.test(name)) {
    problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/u.test(name)) problems.push("must contain at least one letter (a-z)");
  if (name.includes("--")) problems.push("must not contain consecutive hyphens");
  if (name.startsWith("-") || name.endsWith("-")) problems.push("must not begin or end with a hyphen");
  return problems;
}

/** The number or the name of a port. */
export function portErrors(path: string, port: number | string | undefined): Errors {
  return typeof port === "string" ? textErrors(path, port, portNameProblems) : portNumberErrors(path, port ?? 0);
}

export const PROTOCOLS: readonly string[] = ["SCTP", "TCP", "UDP"];

/** Permission bits of a file, if they are there. */
export function* fileModeErrors(path: string, mode: number | undefined): Errors {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return;
  yield invalidField(path, mode, "must be a number between 0 and 0777 (octal), both inclusive");
}

/** Without steps up. */
export function* noBackstepErrors(path: string, target: string): Errors {
  if (target.split("/").includes("..")) yield invalidField(path, target, "must not contain '..'");
}

/** Relative, without steps up. */
export function* descendingPathErrors(path: string, target: string): Errors {
  if (target.startsWith("/")) yield invalidField(path, target, "must be a relative path");
  yield* noBackstepErrors(path, target);
}

/** Relative, without steps up, and not named as a volume names its own files. */
export function* plainPathErrors(path: string, target: string): Errors {
  yield* descendingPathErrors(path, target);
  if (target.startsWith("..") && !target.startsWith("../")) {
    yield invalidField(path, target, "must not start with '..'");
  }
}

/** An IP address. */
export function* ipErrors(path: string, text: string): Errors {
  if (!isIp(text)) yield invalidField(path, text, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
}

/** A network, as an address and the length of its prefix. */
export function* cidrErrors(path: string, text: string): Errors {
  if (!isCidr(text)) yield invalidField(path, text, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
}

/** An address that traffic can be sent to. */
export function* endpointIpErrors(path: string, text: string): Errors {
  if (!isIp(text)) {
    yield invalidField(path, text, "must be a valid IP address");
    return;
  }
  const ip = parseIp(text);
  if (isUnspecified(ip)) yield invalidField(path, text, `may not be unspecified (${text})`);
  if (isLoopback(ip)) yield invalidField(path, text, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
  if (isLinkLocalUnicast(ip)) {
    yield invalidField(path, text, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  }
  if (isLinkLocalMulticast(ip)) {
    yield invalidField(path, text, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
  }
}

/** Values that must differ, at the paths of those that do not. */
export function* uniqueErrors(values: Iterable<readonly [path: string, value: string]>): Errors {
  const seen = new Set<string>();
  for (const [path, value] of values) {
    if (seen.has(value)) yield duplicateField(path, value);
    seen.add(value);
  }
}
