/** Who a request comes from. */
export interface RequestUser {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  /** What else is known, such as the pod that a token is bound to. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Code in the same process, which could do anything to the store anyway. */
export const IN_PROCESS_USER: RequestUser = {
  name: "system:admin",
  groups: ["system:masters", "system:authenticated"],
};
