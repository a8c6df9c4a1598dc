import { installHint, missingPrograms, combineRequirements } from "./system-requirement.ts";
import type { SystemRequirement } from "./system-requirement.ts";

/** How packages are installed on the machine. */
export interface PackageInstaller {
  /** The path of apt-get, if the user may run it. */
  readonly apt: string | undefined;
  /** Runs a program to completion and returns whether it succeeded. */
  run(command: string, args: readonly string[]): Promise<boolean>;
  say(line: string): void;
}

/**
 * Installs the Debian packages of unmet requirements if possible. Missing ones are reported in one line, and the tests
 * that need them are skipped.
 */
export async function installMissing(needs: readonly SystemRequirement[], installer: PackageInstaller): Promise<void> {
  const unmet = needs.filter((need) => missingPrograms(need).length > 0);
  if (unmet.length === 0) return;
  const missing = combineRequirements(...unmet);
  const { apt } = installer;
  if (apt === undefined) {
    installer.say(`Not installed: ${missingPrograms(missing).join(", ")}. Hint: ${installHint(missing)}`);
    return;
  }
  installer.say(`Installing for the tests: ${missing.debianPackages.join(", ")} …`);
  // Outdated package lists may still work.
  await installer.run(apt, ["update", "-qq"]);
  const args = ["install", "-y", "-qq", "--no-install-recommends", ...missing.debianPackages];
  if (!(await installer.run(apt, args))) installer.say(`They could not be installed. Hint: ${installHint(missing)}`);
}
