import { InputError } from "@levelset/core";
import { expect, test } from "vitest";
import { reportError } from "./exit-code.ts";

test("an error that quotes a file cannot control the terminal", () => {
  let output = "";
  const stderr = (text: string): void => void (output += text);
  const error = new InputError("unknown version \u001B]0;x\u0007 of the file", { hint: "update to \u202E9" });
  reportError(error, { stderr, verbose: false });
  expect(output).toBe("levelset: unknown version  ]0;x  of the file\nhint: update to  9\n");
});
