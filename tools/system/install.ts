import { hint, missingPrograms, together } from "./need.ts";
import type { Need } from "./need.ts";

/** How packages get onto the machine. */
export interface Installer {
  /** The path of apt-get, for those who may use it. */
  readonly apt: string | undefined;
  /** Runs a program to its end; answers whether it went well. */
  run(command: string, args: readonly string[]): Promise<boolean>;
  say(line: string): void;
}

/**
 * Installs the Debian packages of the needs that are not met, where the machine allows. What cannot be had is named
 * in one line; the tests that need it are skipped then.
 */
export async function installMissing(needs: readonly Need[], installer: Installer): Promise<void> {
  const unmet = needs.filter((need) => missingPrograms(need).length > 0);
  if (unmet.length === 0) return;
  const missing = together(...unmet);
  const { apt } = installer;
  if (apt === undefined) {
    installer.say(`Not installed: ${missingPrograms(missing).join(", ")}. Hint: ${hint(missing)}`);
    return;
  }
  installer.say(`Installing for the tests: ${missing.debianPackages.join(", ")} …`);
  // A list that could not be updated may still be good enough.
  await installer.run(apt, ["update", "-qq"]);
  const args = ["install", "-y", "-qq", "--no-install-recommends", ...missing.debianPackages];
  if (!(await installer.run(apt, args))) installer.say(`They could not be installed. Hint: ${hint(missing)}`);
}
