const URL_PARTS = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#@]*@)?([^\s?#"'<>]*)(?:[?#][^\s"'<>]*)?/giu;
const CREDENTIALS = /\b(bearer|basic)\s+[\w.~+/=-]+/giu;

/** Returns a text without credentials: user, query and fragment of URLs, and credentials in headers. */
export function redactCredentials(text: string): string {
  return text.replaceAll(URL_PARTS, "$1$2").replaceAll(CREDENTIALS, "$1 …");
}
