import { isCidrText, isIpv4Text, isIpv6Text, isMacText } from "./address-text.ts";
import { parseDate } from "./calendar.ts";
import { isCreditCard, isIsbn10, isIsbn13 } from "./check-digit.ts";
import { isLabelText, isSubdomainText } from "./dns-name.ts";
import { isEmail } from "./email.ts";
import { isHostName } from "./host-name.ts";
import { requestUriProblem } from "./request-uri.ts";
import { isSchemaDuration } from "./schema-duration.ts";

const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/u;
const BLANK = "[\\t\\n\\f\\r ]*";
const SHADE = `${BLANK}(?:0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])${BLANK}`;
const RGB = new RegExp(`^rgb\\(${SHADE},${SHADE},${SHADE}\\)$`);

/** Reports whether the text is non-empty base64 with padding. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

/**
 * Reports whether the text is a date, a `T` and a time. Text after a second `T` is ignored, as in
 * k8s.io/kube-openapi/pkg/validation/strfmt/time.go.
 */
function isDateTime(text: string): boolean {
  const [date = "", time = ""] = text.toLowerCase().split("t", 2);
  const match = TIME.exec(time);
  if (match === null || parseDate(date) === undefined) return false;
  return Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59;
}

function isUri(text: string): boolean {
  return requestUriProblem(text) === undefined;
}

function matches(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

/** Reports whether the text is an IPv4 address, or an IPv6 address that ends in one: Kubernetes looks for a dot. */
function isIpv4(text: string): boolean {
  return isIpv4Text(text, "sloppy") || (text.includes(".") && isIpv6Text(text, "sloppy"));
}

/**
 * The string formats that kube-apiserver validates in custom resources, as of Kubernetes 1.35
 * (k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go). It ignores other formats and dashes in format
 * names; the dashed names in use have their own entries here.
 */
export const schemaFormats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["bsonobjectid", matches(/^[0-9A-Fa-f]{24}$/)],
  ["uri", isUri],
  ["email", isEmail],
  ["hostname", isHostName],
  ["ipv4", isIpv4],
  ["ipv6", (text: string) => isIpv6Text(text, "strict")],
  ["cidr", isCidrText],
  ["mac", isMacText],
  ["uuid", matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ["uuid3", matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ["uuid4", matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ["uuid5", matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ["isbn", (text: string) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", matches(/^[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}$/)],
  ["hexcolor", matches(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ["rgbcolor", matches(RGB)],
  ["byte", isBase64],
  ["password", () => true],
  ["date", (text: string) => parseDate(text) !== undefined],
  ["duration", isSchemaDuration],
  ["datetime", isDateTime],
  ["date-time", isDateTime],
  ["k8s-short-name", (text: string) => text.length <= 63 && isLabelText(text)],
  ["k8s-long-name", (text: string) => text.length <= 253 && isSubdomainText(text)],
]);
