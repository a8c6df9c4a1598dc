import { checkBannedWords } from "./banned-words.ts";
import { checkDependencies } from "./dependency/dependency.ts";
import { checkPackageDirection } from "./package-direction.ts";
import { checkDocComments } from "./document/doc-comment.ts";
import { checkDocumentLinks } from "./document/document-links.ts";
import { checkEvidence } from "./document/evidence.ts";
import { checkFolders } from "./folder.ts";
import { checkFolderSize } from "./folder-size.ts";
import { checkGlobals } from "./globals.ts";
import { checkLayering } from "./layering.ts";
import { checkLicences } from "./dependency/licence.ts";
import { checkMachinePaths } from "./machine-paths.ts";
import { checkPublicLimits } from "./public-limits.ts";
import { checkPins } from "./dependency/pin.ts";
import { checkApiPages } from "../reference/api-page.ts";
import { checkCodeQuotes } from "./document/code-quote.ts";
import { checkUnusedFiles } from "./unused-files.ts";
import type { SourceTree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** A rule for the whole tree. */
export interface Rule {
  /** A sentence that holds for a tree without violations. */
  readonly name: string;
  readonly check: (tree: SourceTree) => readonly Violation[];
}

/** All rules that the tidy test applies. */
export const RULES: readonly Rule[] = [
  { name: "packages import only packages below them, by name, and only what they list", check: checkPackageDirection },
  { name: "folders import only folders of lower layers, through their index.ts", check: checkLayering },
  { name: "the index of every folder describes it, and names the file to begin with", check: checkFolders },
  {
    name: "time, randomness, timers, process and console are used only in their own files, and all APIs exist in Node 22",
    check: checkGlobals,
  },
  { name: "documents name only paths and scripts that exist", check: checkDocumentLinks },
  { name: "code quoted in documents matches its source file", check: checkCodeQuotes },
  { name: "statements in documents name files and tests that exist", check: checkEvidence },
  { name: "entries list few names, each with one meaning", check: checkPublicLimits },
  { name: "no folder has more than 25 source files", check: checkFolderSize },
  { name: "every public name has a doc comment", check: checkDocComments },
  { name: "the reference of the public API matches the packages", check: checkApiPages },
  { name: "every file of a package is reached from an entry, a command or a test", check: checkUnusedFiles },
  { name: "no tracked file names a machine's directories or a registry", check: checkMachinePaths },
  { name: "every installed dependency has one exact version", check: checkPins },
  { name: "every dependency is used, and has a reason in the ADR about dependencies", check: checkDependencies },
  { name: "every installed package has a permitted licence", check: checkLicences },
  {
    name: "no more banned words than the limit, and the limit only goes down",
    check: (tree) => checkBannedWords(tree),
  },
];
