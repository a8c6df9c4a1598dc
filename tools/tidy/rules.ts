import { checkCycles } from "./cycle.ts";
import { checkDependencies } from "./dependency.ts";
import { checkDirection } from "./direction.ts";
import { checkDocComments } from "./doc-comment.ts";
import { checkDocuments } from "./document.ts";
import { checkEvidence } from "./evidence.ts";
import { checkFolders } from "./folder.ts";
import { checkGlobals } from "./globals.ts";
import { checkLayering } from "./layering.ts";
import { checkLicences } from "./licence.ts";
import { checkMachine } from "./machine.ts";
import { checkPins } from "./pin.ts";
import { checkPublicLists } from "./public-list.ts";
import { checkQuotes } from "./quote.ts";
import { checkReach } from "./reach.ts";
import { checkSize } from "./size.ts";
import type { Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** Something that holds for the whole tree. */
export interface Rule {
  /** A sentence that is true of a tidy tree. */
  readonly name: string;
  readonly check: (tree: Tree) => readonly Violation[];
}

/** All rules that the tidy test applies. */
export const RULES: readonly Rule[] = [
  { name: "packages import only packages below them, by name, and only what they list", check: checkDirection },
  { name: "folders import only folders of lower layers, through their index.ts", check: checkLayering },
  { name: "every folder says what it is, and where to begin", check: checkFolders },
  { name: "no file imports itself by way of others", check: checkCycles },
  { name: "files and functions are small", check: checkSize },
  {
    name: "time, chance, timers, the process and the console stay in their homes, and Node 22 has what is used",
    check: checkGlobals,
  },
  { name: "documents name only paths and scripts that exist", check: checkDocuments },
  { name: "code that documents quote from a file is in that file", check: checkQuotes },
  { name: "statements in documents name files and tests that exist", check: checkEvidence },
  { name: "every public name has a doc comment", check: checkDocComments },
  { name: "the lists of public names are those of the packages", check: checkPublicLists },
  { name: "every file of a package is reached from an entry, a command or a test", check: checkReach },
  { name: "no tracked file names a machine's directories or a registry", check: checkMachine },
  { name: "every installed dependency has one exact version", check: checkPins },
  { name: "every dependency is used, and has a reason in the ADR about them", check: checkDependencies },
  { name: "every installed package has a licence that we may use it under", check: checkLicences },
];
