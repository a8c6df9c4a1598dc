import {
  isCidr,
  isIp,
  parseIp,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
} from "@levelset/core/internal";
import type { FieldError } from "@levelset/core/schema";
import {
  duplicateField,
  invalidField,
  requiredField,
  unsupportedField,
  dnsLabelProblems,
  dnsSubdomainProblems,
  qualifiedNameProblems,
} from "../resource/index.ts";

/** Validation of single values. Each function yields its errors. */

export type FieldErrors = Generator<FieldError, void>;

/** Returns whether a string is absent or empty; built-in kinds treat both alike. */
export function isEmptyString(text: string | undefined): text is "" | undefined {
  return text === undefined || text === "";
}

/** Yields one error per problem of a string. */
export function* stringErrors(path: string, text: string, problems: (text: string) => readonly string[]): FieldErrors {
  for (const problem of problems(text)) yield invalidField(path, text, problem);
}

/** Validates a required string. */
export function* requiredStringErrors(path: string, text: string | undefined): FieldErrors {
  if (isEmptyString(text)) yield requiredField(path);
}

/** A DNS label. */
export function dnsLabelErrors(path: string, text: string): FieldErrors {
  return stringErrors(path, text, dnsLabelProblems);
}

/** A DNS subdomain. */
export function dnsSubdomainErrors(path: string, text: string): FieldErrors {
  return stringErrors(path, text, dnsSubdomainProblems);
}

/** `[prefix/]name`. */
export function qualifiedNameErrors(path: string, text: string): FieldErrors {
  return stringErrors(path, text, qualifiedNameProblems);
}

/** Validates a required DNS label. */
export function* labelNameErrors(path: string, text: string | undefined): FieldErrors {
  if (isEmptyString(text)) yield requiredField(path);
  else yield* dnsLabelErrors(path, text);
}

/** Validates a required enum value. */
export function* enumErrors(path: string, text: string | undefined, choices: readonly string[]): FieldErrors {
  if (isEmptyString(text)) yield requiredField(path);
  else if (!choices.includes(text)) yield unsupportedField(path, text, choices);
}

/** Validates an optional enum value. */
export function* optionalEnumErrors(path: string, text: string | undefined, choices: readonly string[]): FieldErrors {
  if (text !== undefined && !choices.includes(text)) yield unsupportedField(path, text, choices);
}

/** Zero or more. */
export function* nonNegativeErrors(path: string, value: number | bigint | undefined): FieldErrors {
  if (value !== undefined && value < 0) yield invalidField(path, value, "must be greater than or equal to 0");
}

/** One or more. */
export function* positiveErrors(path: string, value: number | bigint): FieldErrors {
  if (value <= 0) yield invalidField(path, value, "must be greater than zero");
}

/** Validates an optional number from `low` to `high`. */
export function* rangeErrors(path: string, value: number | bigint | undefined, low: number, high: number): FieldErrors {
  if (value === undefined || (value >= low && value <= high)) return;
  yield invalidField(path, value, `must be between ${low} and ${high}, inclusive`);
}

/** The number of a port. */
export function portNumberErrors(path: string, port: number): FieldErrors {
  return rangeErrors(path, port, 1, 65_535);
}

/** Returns the problems of an IANA service name (port name). */
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
export function portErrors(path: string, port: number | string | undefined): FieldErrors {
  return typeof port === "string" ? stringErrors(path, port, portNameProblems) : portNumberErrors(path, port ?? 0);
}

export const PROTOCOLS: readonly string[] = ["SCTP", "TCP", "UDP"];

/** Validates optional file permission bits. */
export function* fileModeErrors(path: string, mode: number | undefined): FieldErrors {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return;
  yield invalidField(path, mode, "must be a number between 0 and 0777 (octal), both inclusive");
}

/** Validates a path without `..`. */
export function* noBackstepErrors(path: string, target: string): FieldErrors {
  if (target.split("/").includes("..")) yield invalidField(path, target, "must not contain '..'");
}

/** Validates a relative path without `..`. */
export function* localDescendingPathErrors(path: string, target: string): FieldErrors {
  if (target.startsWith("/")) yield invalidField(path, target, "must be a relative path");
  yield* noBackstepErrors(path, target);
}

/** Validates a relative path without `..` that does not start with `..`, which volumes reserve. */
export function* localNonReservedPathErrors(path: string, target: string): FieldErrors {
  yield* localDescendingPathErrors(path, target);
  if (target.startsWith("..") && !target.startsWith("../")) {
    yield invalidField(path, target, "must not start with '..'");
  }
}

/** An IP address. */
export function* ipErrors(path: string, text: string): FieldErrors {
  if (!isIp(text)) yield invalidField(path, text, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
}

/** Validates a CIDR. */
export function* cidrErrors(path: string, text: string): FieldErrors {
  if (!isCidr(text)) yield invalidField(path, text, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
}

/** Validates an endpoint address. */
export function* endpointIpErrors(path: string, text: string): FieldErrors {
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

/** Validates that values are unique. Reports duplicates at the path of each. */
export function* duplicateErrors(values: Iterable<readonly [path: string, value: string]>): FieldErrors {
  const seen = new Set<string>();
  for (const [path, value] of values) {
    if (seen.has(value)) yield duplicateField(path, value);
    seen.add(value);
  }
}
