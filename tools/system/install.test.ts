import { expect, test } from "vitest";
import { installMissing } from "./install.ts";
import type { Need } from "./need.ts";

const THERE: Need = { programs: ["node"], debianPackages: ["nodejs"] };
const MISSING: Need = { programs: ["no-such-program", "node"], debianPackages: ["no-such-package", "its-font"] };
const OTHER: Need = { programs: ["no-such-server"], debianPackages: ["no-such-server"] };

/** What was run and said. */
async function installed(needs: readonly Need[], machine: { readonly apt?: string; readonly works?: boolean }) {
  const ran: string[] = [];
  const said: string[] = [];
  await installMissing(needs, {
    apt: machine.apt,
    run: (command, args) => {
      ran.push([command, ...args].join(" "));
      return Promise.resolve(machine.works ?? true);
    },
    say: (line) => said.push(line),
  });
  return { ran, said };
}

test("nothing is said or done where everything is there", async () => {
  expect(await installed([THERE], { apt: "/apt-get" })).toEqual({ ran: [], said: [] });
});

test("without the rights to install, one line names the programs and the command", async () => {
  expect(await installed([THERE, MISSING, OTHER], {})).toEqual({
    ran: [],
    said: [
      "Not installed: no-such-program, no-such-server. Hint: apt-get install no-such-package its-font no-such-server",
    ],
  });
});

test("whoever may install gets just the packages that are missing, and is told if that fails", async () => {
  const { ran, said } = await installed([THERE, MISSING], { apt: "/apt-get", works: false });
  expect(ran).toEqual([
    "/apt-get update -qq",
    "/apt-get install -y -qq --no-install-recommends no-such-package its-font",
  ]);
  expect(said).toEqual([
    "Installing for the tests: no-such-package, its-font …",
    "They could not be installed. Hint: apt-get install no-such-package its-font",
  ]);
});
