/** The authenticated user of a request. */
export interface RequestUser {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  /** Additional attributes, such as the pod that a token is bound to. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** User of requests from the same process, which are trusted. */
export const IN_PROCESS_ADMIN: RequestUser = {
  name: "system:admin",
  groups: ["system:masters", "system:authenticated"],
};
