/** Where an operator answers questions about itself. */
export interface EndpointOptions {
  /** Default: 127.0.0.1. Probes in a pod need 0.0.0.0. */
  readonly host?: string;
  /** 0: any free one. */
  readonly port: number;
  /** What askers of /debug must show as a bearer token. Without one /debug is not served. */
  readonly debugToken?: string;
  /** Whether figures are kept and served at /metrics; they cost memory and start-up time. Default: true. */
  readonly metrics?: boolean;
}
