/**
 * Network addresses as defined by the schema formats of Kubernetes
 * (k8s.io/kube-openapi/pkg/validation/strfmt/default.go). The net folder parses them.
 */

/** Whether fields may have leading zeros. Existing objects have them, so some formats accept them. */
export type LeadingZeros = "strict" | "sloppy";

const OCTET: Readonly<Record<LeadingZeros, RegExp>> = { strict: /^(?:0|[1-9][0-9]{0,2})$/, sloppy: /^0*[0-9]{1,3}$/ };
const GROUP: Readonly<Record<LeadingZeros, RegExp>> = { strict: /^[0-9A-Fa-f]{1,4}$/, sloppy: /^0*[0-9A-Fa-f]{1,4}$/ };
const GROUPS = 8;

/** Reports whether the text is four decimal octets separated by dots. */
export function isIpv4Text(text: string, zeros: LeadingZeros): boolean {
  const octets = text.split(".");
  return octets.length === 4 && octets.every((octet) => OCTET[zeros].test(octet) && Number(octet) <= 255);
}

/** Reports whether the text is an IPv6 address without a zone; it may end in an IPv4 address. */
export function isIpv6Text(text: string, zeros: LeadingZeros): boolean {
  const colon = text.lastIndexOf(":");
  if (colon < 0) return false;
  const last = text.slice(colon + 1);
  const hasIpv4 = last.includes(".");
  if (hasIpv4 && !isIpv4Text(last, zeros)) return false;
  const halves = (hasIpv4 ? `${text.slice(0, colon + 1)}0:0` : text).split("::");
  const groups = halves.flatMap((half) => (half === "" && halves.length === 2 ? [] : half.split(":")));
  if (halves.length > 2 || !groups.every((group) => GROUP[zeros].test(group))) return false;
  return halves.length === 2 ? groups.length < GROUPS : groups.length === GROUPS;
}

/** Reports whether the text is an address with a prefix length. Leading zeros are allowed. */
export function isCidrText(text: string): boolean {
  const slash = text.indexOf("/");
  const address = text.slice(0, Math.max(slash, 0));
  const length = text.slice(slash + 1);
  if (slash < 0 || !/^0*[0-9]{1,3}$/.test(length)) return false;
  if (isIpv4Text(address, "sloppy")) return Number(length) <= 32;
  return isIpv6Text(address, "sloppy") && Number(length) <= 128;
}

/** Reports whether the text is a MAC address of 6, 8 or 20 octets, in pairs with `:` or `-`, or in fours with `.`. */
export function isMacText(text: string): boolean {
  if (!/^[0-9A-Fa-f:.-]{14,59}$/.test(text)) return false;
  const fours = text.includes(".");
  const fields = text.split(fours ? "." : text.charAt(2));
  const octets = fields.length * (fours ? 2 : 1);
  const field = fours ? /^[0-9A-Fa-f]{4}$/ : /^[0-9A-Fa-f]{2}$/;
  return [6, 8, 20].includes(octets) && fields.every((each) => field.test(each));
}
