/** The kinds of a fleet that is pulsed by separate processes. */
export const PULSED_ENTITIES = [{ kind: "Cluster", plural: "clusters", required_adapters: ["dns"] }];
