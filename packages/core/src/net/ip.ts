import { IpError } from "./net-errors.ts";
import { parseIpText } from "./ip-text.ts";

/** An IPv4 or IPv6 address without a zone. Addresses are equal if both fields are equal. */
export interface IpAddress {
  readonly family: 4 | 6;
  /** Its 32 or 128 bits as a number. */
  readonly value: bigint;
}

const MAPPED_PREFIX = 0xffffn;

/** Parses an IP address like the CEL function `ip()` (k8s.io/apiserver/pkg/cel/library/ip.go). Throws an `IpError`. */
export function parseIp(text: string): IpAddress {
  const ip = parseIpText(text);
  const quoted = JSON.stringify(text);
  if (ip.kind === "problem") {
    throw new IpError(
      `IP Address ${quoted} parse error during conversion from string: ParseAddr(${quoted}): ${ip.problem}`,
    );
  }
  if (ip.zone !== undefined) throw new IpError(`IP address ${quoted} with zone value is not allowed`);
  if (isMapped(ip)) throw new IpError(`IPv4-mapped IPv6 address ${quoted} is not allowed`);
  return { family: ip.family, value: ip.value };
}

/** Reports whether `parseIp` accepts the text. */
export function isIp(text: string): boolean {
  const ip = parseIpText(text);
  return ip.kind === "ip" && ip.zone === undefined && !isMapped(ip);
}

/** Reports whether the address is an IPv4-mapped IPv6 address, `::ffff:1.2.3.4`. */
function isMapped(ip: IpAddress): boolean {
  return ip.family === 6 && ip.value >> 32n === MAPPED_PREFIX;
}

/** Formats the canonical text of an address; for IPv6 that of RFC 5952. */
export function formatIp(ip: IpAddress): string {
  return ip.family === 4 ? fieldsOf(ip, 8n).join(".") : formatIpv6(ip);
}

/** Reports whether the text is the canonical form of its address. Throws an `IpError` if it is not an address. */
export function isCanonicalIp(text: string): boolean {
  return formatIp(parseIp(text)) === text;
}

/** Whether it is `0.0.0.0` or `::`. */
export function isUnspecified(ip: IpAddress): boolean {
  return ip.value === 0n;
}

/** Whether it is in `127.0.0.0/8`, or is `::1`. */
export function isLoopback(ip: IpAddress): boolean {
  return ip.family === 4 ? ip.value >> 24n === 127n : ip.value === 1n;
}

/** Whether the host of a URL or of a listener is `localhost` or a loopback address, which may be in brackets. */
export function isLoopbackHost(host: string): boolean {
  const text = host.replace(/^\[(.*)\]$/u, "$1");
  return host === "localhost" || (isIp(text) && isLoopback(parseIp(text)));
}

/** Whether it is in `224.0.0.0/24`, or is IPv6 multicast with link-local scope. */
export function isLinkLocalMulticast(ip: IpAddress): boolean {
  return ip.family === 4 ? ip.value >> 8n === 0xe00000n : ((ip.value >> 112n) & 0xff0fn) === 0xff02n;
}

/** Whether it is in `169.254.0.0/16` or `fe80::/10`. */
export function isLinkLocalUnicast(ip: IpAddress): boolean {
  return ip.family === 4 ? ip.value >> 16n === 0xa9fen : ip.value >> 118n === 0x3fan;
}

/**
 * Whether it is unicast and neither unspecified, loopback nor link-local. Private addresses count as global, the
 * broadcast address does not.
 */
export function isGlobalUnicast(ip: IpAddress): boolean {
  if (ip.family === 4 && ip.value === 0xffffffffn) return false;
  return !isUnspecified(ip) && !isLoopback(ip) && !isMulticast(ip) && !isLinkLocalUnicast(ip);
}

function isMulticast(ip: IpAddress): boolean {
  return ip.family === 4 ? ip.value >> 28n === 0xen : ip.value >> 120n === 0xffn;
}

/** Splits the address into fields of that many bits. */
function fieldsOf(ip: IpAddress, bits: bigint): readonly bigint[] {
  const width = ip.family === 4 ? 32n : 128n;
  const mask = (1n << bits) - 1n;
  return Array.from({ length: Number(width / bits) }, (_, index) => {
    return (ip.value >> (width - bits * BigInt(index + 1))) & mask;
  });
}

function formatIpv6(ip: IpAddress): string {
  const groups = fieldsOf(ip, 16n).map((group) => group.toString(16));
  const zeros = longestZeros(groups);
  if (zeros.length < 2) return groups.join(":");
  return `${groups.slice(0, zeros.start).join(":")}::${groups.slice(zeros.start + zeros.length).join(":")}`;
}

/** Returns the first of the longest runs of zeros. */
function longestZeros(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (const [index, group] of groups.entries()) {
    if (group !== "0") start = index + 1;
    if (index + 1 - start > best.length) best = { start, length: index + 1 - start };
  }
  return best;
}
