import type { Section } from "./section.ts";

/** An address to listen on. */
export interface ListenConfig {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
}

const LOOPBACK = "127.0.0.1";

/** Reads a listen address. `env` is the prefix of the HyperFleet variables for it. */
export function readListen(
  section: Section,
  { port, env, what }: { readonly port: number; readonly env?: string; readonly what: string },
): ListenConfig {
  const aliases = (name: string): { readonly env?: readonly string[] } =>
    env === undefined ? {} : { env: [`${env}_${name}`] };
  const host = section.text("host", {
    default: LOOPBACK,
    ...aliases("HOST"),
    about: `${what}: the address to listen on`,
  });
  const found = section.integer("port", {
    min: 0,
    max: 65_535,
    default: port,
    ...aliases("PORT"),
    about: `${what}: the port; 0 selects a free port`,
  });
  return { host: host ?? LOOPBACK, port: found ?? port };
}
