/** Options of the health, metrics and debug endpoints. */
export interface EndpointOptions {
  /** Default: 127.0.0.1. Probes in a pod need 0.0.0.0. */
  readonly host?: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Bearer token that /debug requires. Without it /debug is not served. */
  readonly debugToken?: string;
  /** Whether metrics are collected and served at /metrics; they cost memory and start-up time. Default: true. */
  readonly metrics?: boolean;
}
