export { TransportFailure } from "./transport.ts";
export type { AppliedAs, ApplyOptions, Target, Transport } from "./transport.ts";
