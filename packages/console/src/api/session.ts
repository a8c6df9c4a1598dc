/** What a page must know before anything else. */
export interface Session {
  /** The cluster that is looked at. */
  readonly cluster?: { readonly server: string; readonly context: string };
  /** The fleet that is looked at. */
  readonly fleet?: { readonly url: string };
  /** Whether things can be done, and not only looked at. */
  readonly allowActions: boolean;
  /** Tells the pages of this console from those of an older one: a tab that has others loads itself again. */
  readonly pages: string;
  /** To be sent with every action: proof that a page of this console asks. */
  readonly actionToken: string;
}

/** The header that carries `actionToken`. */
export const ACTION_TOKEN_HEADER = "x-levelset-action-token";
