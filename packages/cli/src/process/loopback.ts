const LOOPBACK: readonly string[] = ["127.0.0.1", "::1", "localhost"];

/** Reports whether an address is a loopback address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host);
}
