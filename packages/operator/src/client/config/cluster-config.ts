/** A bearer token, a client certificate with its key, both or neither. */
export interface Credential {
  readonly token?: string;
  readonly certificate?: string;
  readonly key?: string;
}

/** Provides credentials, which may change at run time: files are replaced, plugins issue short-lived ones. */
export interface CredentialProvider {
  /** Resolves with the current credential. */
  current(): Promise<Credential>;
  /** Marks a credential that the server rejected; it is replaced if possible. */
  invalidate(credential: Credential): void;
}

/** Server address, trust and credentials of a cluster. Contains secrets: never log it. */
export interface ClusterConfig {
  readonly server: string;
  /** The namespace of the context; `default` if it has none. */
  readonly namespace: string;
  readonly context: string;
  /** Returns the certificate authority as PEM. Called for each new connection, because the file may be replaced. */
  readonly ca?: () => Promise<string>;
  readonly insecureSkipTlsVerify: boolean;
  /** The name that the server's certificate is checked against, if not its address. */
  readonly serverName?: string;
  readonly credentials: CredentialProvider;
  /** URL of an HTTP proxy. */
  readonly proxy?: string;
  /** Whether responses may be compressed. */
  readonly compression: boolean;
}

/** Returns a provider of a fixed credential. */
export function staticCredentials(credential: Credential): CredentialProvider {
  return { current: () => Promise.resolve(credential), invalidate: () => {} };
}
