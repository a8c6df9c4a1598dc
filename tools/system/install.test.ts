import { expect, test } from "vitest";
import { installMissing } from "./install.ts";
import type { SystemRequirement } from "./system-requirement.ts";

const THERE: SystemRequirement = { programs: ["node"], debianPackages: ["nodejs"] };
const MISSING: SystemRequirement = {
  programs: ["no-such-program", "node"],
  debianPackages: ["no-such-package", "its-font"],
};
const OTHER: SystemRequirement = { programs: ["no-such-server"], debianPackages: ["no-such-server"] };

/** Returns the commands and the output. */
async function installed(
  needs: readonly SystemRequirement[],
  machine: { readonly apt?: string; readonly works?: boolean },
) {
  const ran: string[] = [];
  const output: string[] = [];
  await installMissing(needs, {
    apt: machine.apt,
    run: (command, args) => {
      ran.push([command, ...args].join(" "));
      return Promise.resolve(machine.works ?? true);
    },
    say: (line) => output.push(line),
  });
  return { ran, said: output };
}

test("does nothing if all programs are installed", async () => {
  expect(await installed([THERE], { apt: "/apt-get" })).toEqual({ ran: [], said: [] });
});

test("without permission to install, one line names the programs and the command", async () => {
  expect(await installed([THERE, MISSING, OTHER], {})).toEqual({
    ran: [],
    said: [
      "Not installed: no-such-program, no-such-server. Hint: apt-get install no-such-package its-font no-such-server",
    ],
  });
});

test("only missing packages are installed, and a failure is reported", async () => {
  const { ran, said: output } = await installed([THERE, MISSING], { apt: "/apt-get", works: false });
  expect(ran).toEqual([
    "/apt-get update -qq",
    "/apt-get install -y -qq --no-install-recommends no-such-package its-font",
  ]);
  expect(output).toEqual([
    "Installing for the tests: no-such-package, its-font …",
    "They could not be installed. Hint: apt-get install no-such-package its-font",
  ]);
});
