// `npm run example -- NAME [--kubeconfig F]`: runs an example, on an embedded server or on a cluster.
import { main } from "levelset";
import { printAndExit } from "../subcommand/subcommand.ts";
import { exampleCommand, listExamples } from "./example.ts";

const examples = await listExamples(new URL("../../examples/", import.meta.url));
const command = exampleCommand(process.argv.slice(2), examples);
if (command.kind === "run") await main(command.args);
else printAndExit(command);
