import { CidrError, IpError } from "./net-errors.ts";
import { formatIp, parseIp } from "./ip.ts";
import type { IpAddress } from "./ip.ts";

/** An address and a prefix length. The bits after the prefix need not be zero. */
export interface Cidr {
  readonly ip: IpAddress;
  readonly prefixLength: number;
}

const LENGTH = /^(?:0|[1-9][0-9]{0,2})$/;

/**
 * Parses CIDR notation like the CEL function `cidr()` (k8s.io/apiserver/pkg/cel/library/cidr.go). Throws a `CidrError`.
 */
export function parseCidr(text: string): Cidr {
  const quoted = JSON.stringify(text);
  const slash = text.lastIndexOf("/");
  if (slash < 0) throw refusal(`netip.ParsePrefix(${quoted}): no '/'`);
  const ip = addressOf(text.slice(0, slash));
  const length = text.slice(slash + 1);
  if (!LENGTH.test(length)) {
    throw refusal(`netip.ParsePrefix(${quoted}): bad bits after slash: ${JSON.stringify(length)}`);
  }
  const prefixLength = Number(length);
  if (prefixLength > bitsOf(ip)) throw refusal(`netip.ParsePrefix(${quoted}): prefix length out of range`);
  return { ip, prefixLength };
}

/** Reports whether `parseCidr` accepts the text. */
export function isCidr(text: string): boolean {
  try {
    parseCidr(text);
    return true;
  } catch (error) {
    if (error instanceof CidrError) return false;
    throw error;
  }
}

/** Formats the canonical text, with all bits of the address. */
export function formatCidr(cidr: Cidr): string {
  return `${formatIp(cidr.ip)}/${cidr.prefixLength}`;
}

/** Returns the network with all bits after the prefix set to zero. */
export function maskCidr(cidr: Cidr): Cidr {
  const rest = BigInt(bitsOf(cidr.ip) - cidr.prefixLength);
  return { ip: { family: cidr.ip.family, value: (cidr.ip.value >> rest) << rest }, prefixLength: cidr.prefixLength };
}

/** Reports whether the address is in the network. Addresses of the other family are not. */
export function containsIp(cidr: Cidr, ip: IpAddress): boolean {
  if (cidr.ip.family !== ip.family) return false;
  const rest = BigInt(bitsOf(ip) - cidr.prefixLength);
  return cidr.ip.value >> rest === ip.value >> rest;
}

/** Reports whether the other network is contained in this one. */
export function containsCidr(cidr: Cidr, other: Cidr): boolean {
  return cidr.prefixLength <= other.prefixLength && containsIp(cidr, other.ip);
}

function bitsOf(ip: IpAddress): 32 | 128 {
  return ip.family === 4 ? 32 : 128;
}

function addressOf(text: string): IpAddress {
  try {
    return parseIp(text);
  } catch (error) {
    if (error instanceof IpError) throw refusal(error.message);
    throw error;
  }
}

function refusal(reason: string): CidrError {
  return new CidrError(`network address parse error during conversion from string: ${reason}`);
}
