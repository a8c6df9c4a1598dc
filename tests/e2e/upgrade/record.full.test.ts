import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { onServer } from "../../support/server-process.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import { POSTGRESQL } from "../../../tools/system/system-requirement.ts";
import { record } from "./record.ts";
import { folderOf } from "./recorded.ts";

onServer("the recorded data of a version", POSTGRESQL, () => {
  test("can be recorded by this version, with the files of 0.1", async () => {
    await using directory = await tempDirectory();
    await record(directory.path);
    expect(await readdir(directory.path)).toEqual(await readdir(folderOf("0.1")));
  });
});
