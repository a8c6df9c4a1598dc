import { readFileSync } from "node:fs";
import { PACKAGE_ROOT } from "./package-root.ts";

/** The version of this package. */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("package.json", PACKAGE_ROOT), "utf8"));
  const found =
    typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : undefined;
  return typeof found === "string" ? found : "unknown";
}
