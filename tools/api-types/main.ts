// `npm run api-types`: generates the data file about the API types of Kubernetes that the embedded API server serves.
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { EnvtestError } from "../envtest/index.ts";
import { API_TYPES_FILE, collectApiTypes, formatApiTypes } from "./api-types.ts";
import { downloadModules } from "./go-modules.ts";
import { servedKinds } from "./served-kinds.ts";

try {
  const modules = await downloadModules({ env: process.env, cwd: tmpdir() });
  writeFileSync(API_TYPES_FILE, formatApiTypes(collectApiTypes(modules, await servedKinds())));
} catch (error) {
  if (!(error instanceof EnvtestError)) throw error;
  console.error(`api-types: ${error.message}`);
  process.exitCode = 1;
}
