import { defineNetworkFaults } from "./suite.ts";

await defineNetworkFaults(130);
