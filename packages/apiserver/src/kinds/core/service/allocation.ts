import { containsIp, formatIp, isIp, parseCidr, parseIp } from "@levelset/core/internal";
import type { ServiceSpec } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import type { IsValueTaken } from "../../../resource/index.ts";
import { unvalidatedField } from "../../unvalidated.ts";
import type { Unvalidated } from "../../unvalidated.ts";

/** Allocation ranges of cluster IPs and node ports. */

/** Range of cluster IPs. */
export const SERVICE_CIDR = "10.96.0.0/12";

const NETWORK = parseCidr(SERVICE_CIDR);
const FIRST_ADDRESS = 0x0a_60_00_00;
const ADDRESSES = 2 ** 20;
/** Low addresses are reserved for explicit requests (KEP-3070). */
const ADDRESSES_RESERVED = 257;

const NODE_PORT_MIN = 30_000;
const NODE_PORT_MAX = 32_767;
const NODE_PORTS_RESERVED = 86;

/** Allocated cluster IPs and node ports. */
export interface AllocatedValues {
  hasAddress(address: string): boolean;
  hasNodePort(port: number): boolean;
}

/** Returns the values allocated by all services but one. */
export function allocatedExcept(uid: string, isHeld: IsValueTaken): AllocatedValues {
  return {
    hasAddress: (address) => isHeld(address, uid),
    hasNodePort: (port) => isHeld(String(port), uid),
  };
}

/** Returns the cluster IPs and node ports of a service as distinct strings. */
export function allocatedValuesOf(service: ApiObject): readonly string[] {
  const spec = unvalidatedField<ServiceSpec>(service, "spec") ?? {};
  return [...(spec.clusterIPs ?? []), ...nodePortsOf(spec).map(String)];
}

/** Returns the node ports of a service, including the health check node port. */
export function nodePortsOf(spec: Unvalidated<ServiceSpec>): readonly number[] {
  const ports = [...(spec.ports ?? []).map(({ nodePort }) => nodePort), spec.healthCheckNodePort];
  return ports.flatMap((port) => (port === undefined || port === 0 ? [] : [port]));
}

/** Returns a free cluster IP, deterministic for the key; undefined if the range is exhausted. */
export function nextClusterIp(key: string, taken: AllocatedValues): string | undefined {
  const size = ADDRESSES - ADDRESSES_RESERVED - 1;
  const offset = probe(key, size, (n) => taken.hasAddress(addressAt(ADDRESSES_RESERVED + n)));
  return offset === undefined ? undefined : addressAt(ADDRESSES_RESERVED + offset);
}

function addressAt(offset: number): string {
  const value = FIRST_ADDRESS + offset;
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join(".");
}

/** Returns why a cluster IP cannot be allocated; undefined if it can. */
export function clusterIpProblem(address: string, taken: AllocatedValues): string | undefined {
  if (!isIp(address) || !containsIp(NETWORK, parseIp(address))) {
    return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${SERVICE_CIDR}`;
  }
  return taken.hasAddress(formatIp(parseIp(address))) ? "provided IP is already allocated" : undefined;
}

/** Returns a free node port, deterministic for the key; undefined if the range is exhausted. */
export function nextNodePort(key: string, taken: AllocatedValues): number | undefined {
  const first = NODE_PORT_MIN + NODE_PORTS_RESERVED;
  const offset = probe(key, NODE_PORT_MAX - first + 1, (n) => taken.hasNodePort(first + n));
  return offset === undefined ? undefined : first + offset;
}

/** Returns why a node port cannot be allocated; undefined if it can. */
export function nodePortProblem(port: number, taken: AllocatedValues): string | undefined {
  if (port < NODE_PORT_MIN || port > NODE_PORT_MAX) {
    return `provided port is not in the valid range. The range of valid ports is ${NODE_PORT_MIN}-${NODE_PORT_MAX}`;
  }
  return taken.hasNodePort(port) ? "provided port is already allocated" : undefined;
}

/** Linear probing from the hash of the key. */
function probe(key: string, size: number, isTaken: (place: number) => boolean): number | undefined {
  const start = hash(key) % size;
  for (let step = 0; step < size; step++) {
    const place = (start + step) % size;
    if (!isTaken(place)) return place;
  }
  return undefined;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01_00_01_93) >>> 0;
  return value;
}
