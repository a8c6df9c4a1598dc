const URL_PARTS = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#@]*@)?([^\s?#"'<>]*)(?:[?#][^\s"'<>]*)?/giu;
const CREDENTIALS = /\b(bearer|basic)\s+[\w.~+/=-]+/giu;

/** A text about a failed call without what lets others in: user, query and fragment of addresses, and credentials of headers. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(URL_PARTS, "$1$2").replaceAll(CREDENTIALS, "$1 …");
}
