/**
 * A text is not an IP address, or has a zone or an IPv4-mapped IPv6 address, which
 * k8s.io/apiserver/pkg/cel/library/ip.go rejects.
 */
export class IpError extends Error {
  override readonly name: string = "IpError";
}

/** A text is not a network in CIDR notation. */
export class CidrError extends Error {
  override readonly name: string = "CidrError";
}

/** A text is neither an absolute URL nor an absolute path. */
export class UrlError extends Error {
  override readonly name: string = "UrlError";
}
