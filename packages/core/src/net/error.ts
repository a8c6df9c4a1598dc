/** A text that is no IP address, or one that Kubernetes does not take: with a zone, or IPv4 mapped into IPv6. */
export class IpError extends Error {
  override readonly name: string = "IpError";
}

/** A text that is no network in CIDR notation. */
export class CidrError extends Error {
  override readonly name: string = "CidrError";
}

/** A text that is no absolute URL and no absolute path either. */
export class UrlError extends Error {
  override readonly name: string = "UrlError";
}
