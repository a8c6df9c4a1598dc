/** A parsed address, before callers restrict its form. */
export type IpParseResult =
  | { readonly kind: "ip"; readonly family: 4 | 6; readonly value: bigint; readonly zone: string | undefined }
  | { readonly kind: "problem"; readonly problem: string };

const OCTET = /^[0-9]+$/;
const GROUP = /^[0-9A-Fa-f]{1,4}$/;
const GROUPS = 8;

/** Parses an address with the rules of Go's `netip.ParseAddr`: no leading zeros in IPv4, zones in IPv6. */
export function parseIpText(text: string): IpParseResult {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === undefined) return problem("unable to parse IP");
  if (first === "%") return problem("missing IPv6 address");
  if (first === ".") {
    const value = readIpv4(text);
    return typeof value === "bigint" ? { kind: "ip", family: 4, value, zone: undefined } : problem(value);
  }
  const percent = text.indexOf("%");
  const zone = percent < 0 ? undefined : text.slice(percent + 1);
  if (zone === "") return problem("zone must be a non-empty string");
  const value = readIpv6(percent < 0 ? text : text.slice(0, percent));
  return typeof value === "bigint" ? { kind: "ip", family: 6, value, zone } : problem(value);
}

function problem(problem: string): IpParseResult {
  return { kind: "problem", problem };
}

/** Returns the address, or the problem. */
function readIpv4(text: string): bigint | string {
  const octets = text.split(".");
  if (octets.some((octet) => octet === "")) return "IPv4 field must have at least one digit";
  if (!octets.every((octet) => OCTET.test(octet))) return "unexpected character";
  if (octets.some((octet) => octet.length > 1 && octet.startsWith("0")))
    return "IPv4 field has octet with leading zero";
  if (octets.some((octet) => octet.length > 3 || Number(octet) > 255)) return "IPv4 field has value >255";
  if (octets.length > 4) return "IPv4 address too long";
  if (octets.length < 4) return "IPv4 address too short";
  return octets.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

/** Returns the address, or the problem. */
function readIpv6(text: string): bigint | string {
  const halves = text.split("::");
  if (halves.length > 2) return "multiple :: in address";
  const tail = halves.at(-1) ?? "";
  const expanded = expandIpv4(tail);
  if (expanded.problem !== undefined) return expanded.problem;
  const right = groupsOf(expanded.text);
  const left = halves.length === 2 ? groupsOf(halves[0] ?? "") : [];
  const groups = [...left, ...right];
  if (groups.some((group) => group === "")) return "each colon-separated field must have at least one digit";
  if (!groups.every((group) => GROUP.test(group))) return "each group must have 4 or less hexadecimal digits";
  if (groups.length > GROUPS) return "trailing garbage after address";
  if (halves.length === 1 && groups.length < GROUPS) return "address string too short";
  if (halves.length === 2 && groups.length === GROUPS) return "the :: must expand to at least one field of zeros";
  return (valueOf(left) << BigInt(16 * (GROUPS - left.length))) | valueOf(right);
}

/** Replaces a trailing IPv4 address with two fields of IPv6. */
function expandIpv4(text: string): { readonly text: string; readonly problem?: string } {
  const colon = text.lastIndexOf(":");
  const last = text.slice(colon + 1);
  if (!last.includes(".")) return { text };
  const value = readIpv4(last);
  if (typeof value === "string") return { text, problem: value };
  return { text: `${text.slice(0, colon + 1)}${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}` };
}

function groupsOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(":");
}

function valueOf(groups: readonly string[]): bigint {
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}
