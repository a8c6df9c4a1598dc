import { hashJson } from "@levelset/core";

/** The longest name of a CronJob or StatefulSet: names and labels of their Jobs and pods have up to 11 characters more. */
const LENGTH_MAX = 52;
/** A DNS-1035 label, as Services need it (k8s.io/apimachinery/pkg/util/validation). */
const LABEL = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/u;
const HASH_LENGTH = 10;
const SUFFIX_MAX = 20;

/**
 * Returns the name of a child: `shop` and `db` give `shop-db`, and `shop` alone gives `shop`. If the result is too long,
 * has dots or starts with a digit, it is changed and gets a hash of both, so that it is a valid name of every built-in
 * kind, and a valid label, and differs from the names for other parents. It has at most 52 characters.
 */
export function childName(parent: string, suffix = ""): string {
  const plain = joined(parent, suffix);
  if (plain.length <= LENGTH_MAX && LABEL.test(plain)) return plain;
  const tail = labelText(suffix, SUFFIX_MAX);
  const head = labelText(/^[a-z]/u.test(parent) ? parent : `x${parent}`, LENGTH_MAX - HASH_LENGTH - tail.length - 2);
  return joined(head, hashJson([parent, suffix]).slice(0, HASH_LENGTH), tail);
}

/** Returns the start of the text without characters that are not allowed in labels. */
function labelText(text: string, lengthMax: number): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .slice(0, lengthMax)
    .replaceAll(/^-|-$/gu, "");
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("-");
}
