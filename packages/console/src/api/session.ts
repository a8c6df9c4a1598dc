/** Session data that a page loads first. */
export interface Session {
  /** The connected cluster. */
  readonly cluster?: { readonly server: string; readonly context: string };
  /** The connected fleet. */
  readonly fleet?: { readonly url: string };
  /** Whether actions are allowed. */
  readonly allowActions: boolean;
  /** Build ID; a tab with another build reloads itself. */
  readonly buildId: string;
  /** CSRF token, sent with every action. */
  readonly actionToken: string;
}

/** The header that carries `actionToken`. */
export const ACTION_TOKEN_HEADER = "x-levelset-action-token";
