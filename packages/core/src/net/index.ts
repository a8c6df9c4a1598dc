/** IP addresses, networks and URLs as Kubernetes reads them. Begin with `ip.ts`. */

export { containsCidr, containsIp, formatCidr, isCidr, maskedCidr, parseCidr } from "./cidr.ts";
export type { Cidr } from "./cidr.ts";
export { CidrError, IpError, UrlError } from "./error.ts";
export {
  formatIp,
  isCanonicalIp,
  isGlobalUnicast,
  isIp,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseIp,
} from "./ip.ts";
export type { IpAddress } from "./ip.ts";
export { isUrl, parseUrl } from "./url.ts";
export type { Url } from "./url.ts";
