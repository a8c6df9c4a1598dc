/** IP addresses, networks and URLs with the parsing rules of Kubernetes. Begin with `ip.ts`. */

export { containsCidr, containsIp, formatCidr, isCidr, maskCidr, parseCidr } from "./cidr.ts";
export type { Cidr } from "./cidr.ts";
export { CidrError, IpError, UrlError } from "./net-errors.ts";
export {
  formatIp,
  isCanonicalIp,
  isGlobalUnicast,
  isIp,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isLoopbackHost,
  isUnspecified,
  parseIp,
} from "./ip.ts";
export type { IpAddress } from "./ip.ts";
export { isUrl, parseUrl } from "./url.ts";
export type { Url } from "./url.ts";
