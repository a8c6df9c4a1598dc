import { storableText } from "../json/index.ts";

/**
 * Maximum length of the message of a condition (`metav1.Condition` in apimachinery, pkg/apis/meta/v1/types.go). API
 * servers count characters, not bytes or UTF-16 code units (kube-openapi, pkg/validation/validate/values.go).
 */
export const MESSAGE_MAX = 32_768;

/** Space for the note about the omitted characters. */
const NOTE_MAX = 40;

/**
 * Returns a message that API servers store: without characters that they reject, and cut to {@link MESSAGE_MAX}
 * characters with a note of how many are missing. Never cuts within a character.
 */
export function conditionMessage(text: string): string {
  const message = storableText(text);
  // A character has one or two code units.
  if (message.length <= MESSAGE_MAX) return message;
  const characters = Array.from(message);
  if (characters.length <= MESSAGE_MAX) return message;
  const kept = MESSAGE_MAX - NOTE_MAX;
  const more = (characters.length - kept).toLocaleString("en-US");
  return `${characters.slice(0, kept).join("")}… (${more} more characters)`;
}
