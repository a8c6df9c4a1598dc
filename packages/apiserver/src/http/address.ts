import { decodeUtf8, textProblem } from "@levelset/core/internal";
import type { FieldError } from "@levelset/core/schema";
import { unstorable } from "../registry/index.ts";

/** Matches percent escapes that can encode U+0000 or a byte that is not UTF-8. Most URLs have none. */
const SUSPECT = /%(?:00|[89a-f])/i;

/** Rejects a path or query with ill-formed text. Throws BadRequest that names the parameter, or `path`. */
export function checkAddress(pathname: string, search: string): void {
  const errors = [
    ...(SUSPECT.test(pathname) ? problemsOf("path", decoded(pathname)) : []),
    ...(SUSPECT.test(search) ? search.slice(1).split("&").flatMap(parameterErrors) : []),
  ];
  if (errors.length > 0) throw unstorable("the URL of the request is unrecognized", errors);
}

function parameterErrors(parameter: string): readonly FieldError[] {
  const [name = "", ...value] = parameter.split("=").map(decoded);
  const field = JSON.stringify(name).slice(1, -1);
  return [...problemsOf(field, name), ...problemsOf(field, value.join("="))];
}

function problemsOf(field: string, text: string): readonly FieldError[] {
  const problem = textProblem(text);
  return problem === undefined ? [] : [{ reason: "FieldValueInvalid", field, message: `Invalid value: ${problem}` }];
}

/** Percent-decodes text. A percent sign without two hexadecimal digits is kept literally. */
function decoded(text: string): string {
  const binary = text.replaceAll(/%[0-9a-f]{2}/gi, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
  return decodeUtf8(Buffer.from(binary, "latin1"));
}
