import { DeclarationError } from "../error/index.ts";

const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/u;
const VERSION = /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/u;
const KIND = /^[A-Z][A-Za-z0-9]{0,62}$/u;
const PLURAL = /^[a-z][a-z0-9]{0,62}$/u;

/** Throws a DeclarationError for names that the API server rejects, with an example of a valid one. */
export function checkKindNames(names: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string;
}): void {
  check(KIND, "kind", names.kind, "Widget");
  check(DNS_SUBDOMAIN, "group", names.group, "example.com");
  check(VERSION, "version", names.version, "v1alpha1");
  if (names.plural !== undefined) check(PLURAL, "plural", names.plural, "widgets");
}

function check(pattern: RegExp, what: string, given: string, example: string): void {
  if (!pattern.test(given)) {
    throw new DeclarationError(`${JSON.stringify(given)} is not a valid ${what}: use a name like ${example}`);
  }
}

/** Returns the usual English plural of a kind, in lower case: Policy → policies, Ingress → ingresses. */
export function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (/[^aeiou]y$/u.test(singular)) return `${singular.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/u.test(singular) ? `${singular}es` : `${singular}s`;
}
