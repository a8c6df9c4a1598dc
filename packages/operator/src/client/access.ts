/** What a client shows of itself: a bearer token, a certificate with its key, both or nothing. */
export interface Credential {
  readonly token?: string;
  readonly certificate?: string;
  readonly key?: string;
}

/** Where credentials come from. They may change while a program runs: files are replaced, plugins hand out short-lived ones. */
export interface Credentials {
  /** What to show now. */
  current(): Promise<Credential>;
  /** The server did not accept this one: it must not be handed out again where another can be had. */
  reject(credential: Credential): void;
}

/** All that is needed to reach a cluster as somebody. Holds secrets: never log it. */
export interface ClusterAccess {
  readonly server: string;
  /** The namespace that the context names, `default` if none. */
  readonly namespace: string;
  readonly context: string;
  /** The authority to trust, in PEM. Asked for each new connection, for it may be replaced on disk. */
  readonly ca?: () => Promise<string>;
  readonly skipVerification: boolean;
  /** The name that the server's certificate is checked against, if not its address. */
  readonly serverName?: string;
  readonly credentials: Credentials;
  /** An HTTP proxy on the way. */
  readonly proxy?: string;
  /** Whether large answers may come compressed. */
  readonly compression: boolean;
}

/** Credentials that never change. */
export function fixedCredentials(credential: Credential): Credentials {
  return { current: () => Promise.resolve(credential), reject: () => {} };
}
